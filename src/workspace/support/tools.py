"""Support as tools: what was asked, asking, and going on with a thread."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired

from django.conf import settings
from pydantic import Field
from typing_extensions import TypedDict

from workspace.accounts.account_tools import box
from workspace.accounts.dispatch import Caller
from workspace.accounts.models import Account
from workspace.lib import clock
from workspace.lib.errors import InvalidInput, NotFound
from workspace.lib.text import escape_markdown
from workspace.storage import journal
from workspace.support import emails
from workspace.support import tickets as support_tickets
from workspace.support.models import Message, Ticket
from workspace.support.models.ticket import LONGEST_MESSAGE, LONGEST_SUBJECT, YOU
from workspace.tools.answer import Answer, Page, paged
from workspace.tools.argument_types import Line, Lines

FINAL = "What was told to the team is not called back"
MOST_SHOWN = 200

TicketId = Annotated[str, Line(40)]
Subject = Annotated[str, Line(LONGEST_SUBJECT)]
Text = Annotated[str, Lines(LONGEST_MESSAGE, least=1)]
About = Literal[
    "account", "form", "book", "qr", "link", "card", "review", "quote", "waiver", "menu", "cert", "program", "seat"
]  # fmt: skip
Uploads = Annotated[list[Annotated[str, Line(40)]], Field(max_length=support_tickets.MOST_ATTACHED)]


class AttachmentRow(TypedDict):
    upload_id: str
    name: str
    media_type: str
    size: int
    url: str


MessageRow = TypedDict(
    "MessageRow",
    {
        "id": str,
        "from": Annotated[str, Field(description="you or team")],
        "text": str,
        "at": str,
        "attachments": list[AttachmentRow],
    },
)


class TicketRow(TypedDict):
    """`messages` only of a ticket that was asked for by its id."""

    id: str
    number: int
    subject: str
    product: str
    status: Annotated[str, Field(description="open: the team's turn; answered: yours; closed")]
    created_at: str
    updated_at: str
    page: str
    messages: NotRequired[list[MessageRow]]


class Tickets(Page):
    """`tickets` are the same as `items`. `total` counts all, of which the newest 200 are listed."""

    items: list[TicketRow]
    tickets: list[TicketRow]


class Opened(TypedDict):
    id: str
    number: int
    status: str


@box.tool(
    "svc_support_tickets", title="List questions to support", reads=True, columns="number subject product status id"
)
def found(account: Account, ticket_id: TicketId | None = None) -> Answer[Tickets]:
    """Your questions to support; with ticket_id one, whole."""
    if ticket_id is not None:
        ticket = one_of(account, ticket_id)
        row: TicketRow = {**row_of(ticket), "messages": messages_of(ticket)}
        return Answer(_tickets([row], 1), lambda: f"1 question to support:\n\n{_told(row)}")
    rows = [row_of(ticket) for ticket in account.tickets.order_by("-number")[:MOST_SHOWN]]
    total = len(rows) if len(rows) < MOST_SHOWN else account.tickets.count()
    if not rows:
        return Answer(_tickets(rows, total), "No questions to support yet: svc_support_open asks one.")
    shown = f"{total}" if total == len(rows) else f"the newest {len(rows)} of {total:,}"
    return Answer(_tickets(rows, total), lambda: "\n".join([f"Questions to support: {shown}", "", *map(_line, rows)]))


def _tickets(rows: list[TicketRow], total: int) -> Tickets:
    return {**paged(rows, total=total), "tickets": rows}


@box.tool("svc_support_open", title="Ask support", sends=True)
def open_(caller: Caller, subject: Subject, message: Text, product: About | None = None) -> Answer[Opened]:
    """Ask the team, who answer by e-mail. 10 a day."""
    account = caller.account
    ticket = support_tickets.ask(account, _email_of(caller), subject, message, product=product or "")
    emails.tell_received(ticket)
    journal.add(ticket)
    return _done(ticket, f"Asked as #{ticket.number}. The answer comes to {escape_markdown(ticket.email)}")


@box.tool("svc_support_reply", title="Reply to or close a question", final=FINAL, sends=True)
def reply(
    caller: Caller,
    ticket_id: TicketId,
    message: Text | None = None,
    upload_ids: Uploads | None = None,
    close: bool = False,
) -> Answer[Opened]:
    """Add to your question, or close it."""
    if message is None and not close:
        raise InvalidInput.at("message", "Write a message, or say close: true")
    if upload_ids and message is None:
        raise InvalidInput.at("message", "Say in a few words what the files are")
    ticket = support_tickets.hold(one_of(caller.account, ticket_id).pk)
    if message is not None:
        support_tickets.add(ticket, YOU, message, upload_ids=upload_ids or ())
    if close:
        support_tickets.close(ticket, by=YOU)
    journal.for_good(FINAL)
    said = "Closed" if close else "Added"
    return _done(ticket, f"{said}: #{ticket.number} {escape_markdown(ticket.subject)}")


def _done(ticket: Ticket, said: str) -> Answer[Opened]:
    data: Opened = {"id": ticket.key, "number": ticket.number, "status": ticket.status}
    return Answer(data, f"{said} (`{ticket.key}`, {ticket.status}).")


def _email_of(caller: Caller) -> str:
    """Who asks is answered: the signed-in person, else the owner."""
    return caller.person.email if caller.person else caller.account.owner.email


def one_of(account: Account, key: str) -> Ticket:
    ticket = account.tickets.filter(key=key).first()
    if ticket is None:
        raise NotFound("There is no such ticket: svc_support_tickets lists yours")
    return ticket


def row_of(ticket: Ticket) -> TicketRow:
    return {
        "id": ticket.key,
        "number": ticket.number,
        "subject": ticket.subject,
        "product": ticket.product,
        "status": ticket.status,
        "created_at": clock.iso(ticket.created_at) or "",
        "updated_at": clock.iso(ticket.updated_at) or "",
        "page": emails.page_of(ticket),
    }


def messages_of(ticket: Ticket) -> list[MessageRow]:
    return [message_row(one) for one in ticket.messages.prefetch_related("attachments__upload")]


def message_row(one: Message) -> MessageRow:
    return {
        "id": one.pk,
        "from": one.author,
        "text": one.text,
        "at": clock.iso(one.at) or "",
        "attachments": [
            {
                "upload_id": each.upload_id,
                "name": each.upload.name or f"picture.{each.upload.media_type.partition('/')[2]}",
                "media_type": each.upload.media_type,
                "size": each.upload.size,
                "url": f"{settings.BASE_URL}/app/support/{one.ticket.key}/files/{each.upload_id}",
            }
            for each in one.attachments.all()
        ],
    }


def _line(row: TicketRow) -> str:
    subject, day = escape_markdown(row["subject"]), row["updated_at"][:10]
    return f"- #{row['number']} {subject}: {row['status']}, {day}, `{row['id']}`, {row['page']}"


def _told(row: TicketRow) -> str:
    lines = [_line(row)]
    for one in row.get("messages", ()):
        files = "".join(f"\n  - {escape_markdown(each['name'])}, {each['url']}" for each in one["attachments"])
        lines += ["", f"**{one['from']}**, {one['at']} (`{one['id']}`):", "", escape_markdown(one["text"]) + files]
    return "\n".join(lines)
