"""Tools of support: list, open and continue tickets."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired

from django.conf import settings
from pydantic import Field
from typing_extensions import TypedDict

from workspace.accounts.account_tools import box
from workspace.accounts.dispatch import Caller
from workspace.accounts.models import Account
from workspace.accounts.plans import ProductKey
from workspace.lib import clock
from workspace.lib.errors import InvalidInputError, NotFoundError
from workspace.lib.text import escape_markdown
from workspace.storage import journal
from workspace.support import emails, messages
from workspace.support import tickets as support_tickets
from workspace.support.models import Message, Ticket
from workspace.support.models.ticket import MAX_MESSAGE_LENGTH, MAX_SUBJECT_LENGTH, YOU
from workspace.tools.answer import Answer, Page, build_listing
from workspace.tools.argument_types import Line, Lines

FINAL_NOTE = "Messages to support can't be recalled"
MAX_TICKETS = 200

TicketId = Annotated[str, Line(40)]
Subject = Annotated[str, Line(MAX_SUBJECT_LENGTH)]
Text = Annotated[str, Lines(MAX_MESSAGE_LENGTH, least=1)]
About = Literal["account", ProductKey]
Uploads = Annotated[list[Annotated[str, Line(40)]], Field(max_length=support_tickets.MAX_ATTACHMENTS)]


class AttachmentData(TypedDict):
    upload_id: str
    name: str
    media_type: str
    size: int
    url: str


MessageData = TypedDict(
    "MessageData",
    {
        "id": str,
        "from": Annotated[str, Field(description="you or team.")],
        "text": str,
        "at": str,
        "attachments": list[AttachmentData],
    },
)


class TicketSummary(TypedDict):
    """A ticket. `messages` are included only if the ticket was requested by its id."""

    id: str
    number: int
    subject: str
    product: str
    status: Annotated[str, Field(description="open (waiting for support), answered (waiting for you) or closed.")]
    created_at: str
    updated_at: str
    page: str
    messages: NotRequired[list[MessageData]]


class TicketList(Page):
    """The tickets of an account.

    `tickets` has the same content as `items`. `total` counts all tickets, of which the newest 200 are listed.
    """

    items: list[TicketSummary]
    tickets: list[TicketSummary]


class TicketState(TypedDict):
    id: str
    number: int
    status: str


@box.tool(
    "svc_support_tickets",
    title="List support tickets",
    about="List the account's support tickets, newest first. Pass ticket_id to get one ticket with all its messages.",
    short="List support tickets, or get one ticket with all its messages.",
    synonyms="help requests, support conversation, answer from support, hilfe, supportanfragen, tickets de "
    "soporte, ayuda, consultas de soporte",
    reads=True,
    columns="number subject product status id",
)
def list_tickets(
    account: Account,
    ticket_id: Annotated[TicketId, Field(description="Ticket ID. Omit it to list all tickets.")] | None = None,
) -> Answer[TicketList]:
    if ticket_id is not None:
        ticket = get_ticket(account, ticket_id)
        row: TicketSummary = {**ticket_summary(ticket), "messages": list_messages(ticket)}
        return Answer(_ticket_list([row], 1), lambda: f"1 support ticket:\n\n{_format_ticket(row)}")
    rows = [ticket_summary(ticket) for ticket in account.tickets.order_by("-number")[:MAX_TICKETS]]
    total = len(rows) if len(rows) < MAX_TICKETS else account.tickets.count()
    if not rows:
        return Answer(_ticket_list(rows, total), "No support tickets yet. Open one with svc_support_open.")
    shown = f"{total}" if total == len(rows) else f"the newest {len(rows)} of {total:,}"
    return Answer(
        _ticket_list(rows, total),
        lambda: "\n".join([f"Support tickets: {shown}", "", *map(_format_summary, rows)]),
    )


def _ticket_list(rows: list[TicketSummary], total: int) -> TicketList:
    return {**build_listing(rows, total=total), "tickets": rows}


@box.tool(
    "svc_support_open",
    title="Open a support ticket",
    about="Open a support ticket. The support team replies by email. You can open up to 10 tickets a day.",
    short="Open a support ticket.",
    synonyms="contact support, ask for help, report a bug, report a problem, complain, something is broken, hilfe, "
    "problem melden, fehler melden, kundendienst, contactar soporte, pedir ayuda, reportar un problema, error",
    sends=True,
)
def open_ticket(
    caller: Caller,
    subject: Annotated[Subject, Field(description="Subject of the ticket.")],
    message: Annotated[Text, Field(description="Description of the problem or question.")],
    product: Annotated[About, Field(description="Product that the ticket is about.")] | None = None,
) -> Answer[TicketState]:
    account = caller.account
    ticket = support_tickets.open_ticket(account, _get_email(caller), subject, message, product=product or "")
    emails.notify_received(ticket)
    journal.record_new_rows(ticket)
    return _ticket_answer(
        ticket, f"Ticket #{ticket.number} opened. Support will reply to {escape_markdown(ticket.email)}"
    )


@box.tool(
    "svc_support_reply",
    title="Reply to or close a support ticket",
    about="Add a message or files to a support ticket, or close it.",
    short="Reply to a support ticket, or close it.",
    synonyms="answer support, resolved, ticket antworten, ticket schließen, responder ticket, cerrar ticket",
    final=FINAL_NOTE,
    sends=True,
)
def reply(
    caller: Caller,
    ticket_id: Annotated[TicketId, Field(description="Ticket ID, from svc_support_tickets.")],
    message: Annotated[Text, Field(description="Your reply.")] | None = None,
    upload_ids: Annotated[Uploads, Field(description="upload_ids of files to attach.")] | None = None,
    close: Annotated[bool, Field(description="Whether to close the ticket. Defaults to false.")] = False,
) -> Answer[TicketState]:
    if message is None and not close:
        raise InvalidInputError.at_path("message", messages.MESSAGE_OR_CLOSE_NEEDED)
    if upload_ids and message is None:
        raise InvalidInputError.at_path("message", messages.FILES_NEED_A_MESSAGE)
    ticket = support_tickets.lock_ticket(get_ticket(caller.account, ticket_id).pk)
    if message is not None:
        support_tickets.add_message(ticket, YOU, message, upload_ids=upload_ids or ())
    if close:
        support_tickets.close_ticket(ticket, by=YOU)
    journal.mark_irreversible(FINAL_NOTE)
    outcome = "closed" if close else "updated"
    return _ticket_answer(ticket, f"Ticket #{ticket.number} {escape_markdown(ticket.subject)} {outcome}")


def _ticket_answer(ticket: Ticket, text: str) -> Answer[TicketState]:
    data: TicketState = {"id": ticket.key, "number": ticket.number, "status": ticket.status}
    return Answer(data, f"{text} (`{ticket.key}`, {ticket.status}).")


def _get_email(caller: Caller) -> str:
    """Return the recipient of the answer: the signed-in person, or the owner."""
    return caller.person.email if caller.person else caller.account.owner.email


def get_ticket(account: Account, key: str) -> Ticket:
    ticket = account.tickets.filter(key=key).first()
    if ticket is None:
        raise NotFoundError(messages.TICKET_NOT_FOUND)
    return ticket


def ticket_summary(ticket: Ticket) -> TicketSummary:
    return {
        "id": ticket.key,
        "number": ticket.number,
        "subject": ticket.subject,
        "product": ticket.product,
        "status": ticket.status,
        "created_at": clock.to_iso(ticket.created_at) or "",
        "updated_at": clock.to_iso(ticket.updated_at) or "",
        "page": emails.ticket_url(ticket),
    }


def list_messages(ticket: Ticket) -> list[MessageData]:
    return [message_data(one) for one in ticket.messages.prefetch_related("attachments__upload")]


def message_data(message: Message) -> MessageData:
    return {
        "id": message.pk,
        "from": message.author,
        "text": message.text,
        "at": clock.to_iso(message.created_at) or "",
        "attachments": [
            {
                "upload_id": each.upload_id,
                "name": each.upload.name or f"picture.{each.upload.media_type.partition('/')[2]}",
                "media_type": each.upload.media_type,
                "size": each.upload.size,
                "url": f"{settings.BASE_URL}/app/support/{message.ticket.key}/files/{each.upload_id}",
            }
            for each in message.attachments.all()
        ],
    }


def _format_summary(row: TicketSummary) -> str:
    subject, day = escape_markdown(row["subject"]), row["updated_at"][:10]
    return f"- #{row['number']} {subject}: {row['status']}, {day}, `{row['id']}`, {row['page']}"


def _format_ticket(row: TicketSummary) -> str:
    lines = [_format_summary(row)]
    for one in row.get("messages", ()):
        files = "".join(f"\n  - {escape_markdown(each['name'])}, {each['url']}" for each in one["attachments"])
        lines += ["", f"**{one['from']}**, {one['at']} (`{one['id']}`):", "", escape_markdown(one["text"]) + files]
    return "\n".join(lines)
