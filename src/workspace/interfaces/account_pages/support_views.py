"""The owner's support pages: their tickets, a new ticket, and a thread with its replies and files."""

from __future__ import annotations

from collections.abc import Sequence

from django.core.files.uploadedfile import UploadedFile
from django.http import Http404, HttpResponse
from django.shortcuts import render

from workspace.accounts import upload_tools
from workspace.accounts.models import Account
from workspace.dashboard.forms import ToolForm
from workspace.dashboard.item_presenters import parse_time, redirect_with_message
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import call_tool, page
from workspace.interfaces.file_views import attachment_response
from workspace.interfaces.messages import FILE_TOO_LARGE, TOO_MANY_FILES
from workspace.lib.errors import ToolError
from workspace.owner_translation import owner_gettext, owner_gettext_lazy
from workspace.storage.files.media_types import MAX_BYTES, clean_file_name
from workspace.support import message_ids, tools
from workspace.support import tickets as support_tickets
from workspace.support.models import Attachment, Ticket
from workspace.support.tools import TicketSummary
from workspace.tools.answer import File

HOME = "/app/support"
BADGES = {
    "open": (owner_gettext_lazy("Waiting for reply"), "wait"),
    "answered": (owner_gettext_lazy("Answered"), "good"),
    "closed": (owner_gettext_lazy("Closed"), ""),
}
# as the tool calls them; empty for a general question
PRODUCT_CHOICES = [
    ("", owner_gettext_lazy("General")),
    ("account", owner_gettext_lazy("Account")),
    ("qr", owner_gettext_lazy("QR codes")),
    ("link", owner_gettext_lazy("Link pages")),
    ("card", owner_gettext_lazy("Business cards")),
    ("menu", owner_gettext_lazy("Menus")),
    ("review", owner_gettext_lazy("Reviews")),
    ("quote", owner_gettext_lazy("Proposals")),
    ("form", owner_gettext_lazy("Forms")),
    ("waiver", owner_gettext_lazy("Waivers")),
    ("book", owner_gettext_lazy("Booking")),
    ("cert", owner_gettext_lazy("Certificates")),
    ("program", owner_gettext_lazy("Event programs")),
    ("seat", owner_gettext_lazy("Seating")),
]
PRODUCT_NAMES = dict(PRODUCT_CHOICES)


@page("GET", "HEAD", "POST")
def tickets(request: SignedInRequest) -> HttpResponse:
    """List all tickets and show the form for a new one."""
    about = {"product": request.GET["about"]} if request.GET.get("about") in PRODUCT_NAMES else {}
    labels = {"subject": owner_gettext("Subject"), "message": owner_gettext("Message")}
    form = ToolForm(tools.open_ticket, request, labels=labels, initial=about)
    if request.method == "POST" and (answer := form.submit(request.caller)):
        created = answer.data
        return redirect_with_message(
            request,
            owner_gettext("Ticket #%(number)s created. We’ll reply by email.") % {"number": created["number"]},
            f"{HOME}/{created['id']}",
        )
    rows = [_present_ticket(row) for row in call_tool(request, tools.list_tickets)["tickets"]]
    context = {"form": form, "rows": rows, "products": PRODUCT_CHOICES, "email": request.user.email}
    return render(request, "account_pages/support.html", context, status=form.status)


@page("GET", "HEAD", "POST")
def ticket(request: SignedInRequest, id: str) -> HttpResponse:
    """Show a thread and the form for another message with files."""
    tools.get_ticket(request.account, id)  # checks access before a file is stored
    form = ToolForm(tools.reply, request, fixed={"ticket_id": id}, labels={"message": owner_gettext("Your message")})
    if request.method == "POST":
        if "close" in request.POST:
            call_tool(request, tools.reply, ticket_id=id, close=True)
            return redirect_with_message(
                request, owner_gettext("Ticket closed. Reply within 30 days to reopen it."), f"{HOME}/{id}"
            )
        ids, problems = store_files(request.account, uploaded_files(request))
        for problem in problems:
            form.add_error("files", problem)
        if ids:
            form.set_value("upload_ids", ids)
        if not form.errors and form.submit(request.caller):
            return redirect_with_message(request, owner_gettext("Message sent."), f"{HOME}/{id}")
    [row] = call_tool(request, tools.list_tickets, ticket_id=id)["tickets"]
    mine = tools.get_ticket(request.account, id)
    context = {
        "form": form,
        "ticket": _present_ticket(row),
        "messages_of": present_messages(mine),
        "may_write": support_tickets.can_reopen(mine),
        "by_mail": message_ids.is_configured(),
        "most": MAX_BYTES // 1024 // 1024,
    }
    return render(request, "account_pages/support_ticket.html", context, status=form.status)


@page()
def file(request: SignedInRequest, id: str, upload_id: str) -> HttpResponse:
    return ticket_file_response(tools.get_ticket(request.account, id), upload_id)


def ticket_file_response(ticket: Ticket, upload_id: str) -> HttpResponse:
    """Return a file of the thread as a download. Raise Http404 if there is none."""
    found = Attachment.objects.filter(message__ticket=ticket, upload=upload_id).select_related("upload").first()
    if found is None:
        raise Http404
    upload = found.upload
    name = upload.name or f"picture.{upload.media_type.partition('/')[2]}"
    try:
        return attachment_response(File(name, upload.media_type, upload.content))
    except FileNotFoundError:
        raise Http404 from None


def store_files(account: Account, files: Sequence[UploadedFile[bytes]]) -> tuple[list[str], list[str]]:
    """Store uploaded files, which are checked before any transaction begins.

    Return the ids of the uploads, and messages about rejected files.
    """
    if len(files) > support_tickets.MAX_ATTACHMENTS:
        return [], [str(TOO_MANY_FILES(maximum=support_tickets.MAX_ATTACHMENTS))]
    ids: list[str] = []
    problems: list[str] = []
    for one in files:
        try:
            ids.append(_store_file(account, one))
        except ValueError as problem:
            problems.append(f"{one.name}: {problem}")
        except ToolError as refusal:
            problems.append(f"{one.name}: {refusal.message}")
    return ids, problems


def uploaded_files(request: SignedInRequest) -> list[UploadedFile[bytes]]:
    return [one for one in request.FILES.getlist("files") if one.size]


def _store_file(account: Account, file: UploadedFile[bytes]) -> str:
    """Store a file. Return its upload id. Raise ValueError with a human-readable message, or a ToolError."""
    if (file.size or 0) > MAX_BYTES:
        raise ValueError(str(FILE_TOO_LARGE(megabytes=MAX_BYTES // 1024 // 1024)))
    name = clean_file_name(file.name or "")
    return upload_tools.save_upload(account, upload_tools.receive_content(file.read()), name).data["upload_id"]


def present_messages(ticket: Ticket) -> list[dict[str, object]]:
    """Prepare a ticket's messages for the page. For an email with quoted text, the full text is also included."""
    quoted = dict(ticket.messages.values_list("pk", "quoted"))
    return [
        {**row, "is_team": row["from"] == "team", "at": parse_time(row["at"]), "quoted": quoted[row["id"]]}
        for row in tools.list_messages(ticket)
    ]


def _present_ticket(row: TicketSummary) -> dict[str, object]:
    return {
        **row,
        "badge": BADGES[row["status"]],
        "about": PRODUCT_NAMES.get(row["product"], "") if row["product"] else "",
        "at": parse_time(row["updated_at"]),
        "url": f"{HOME}/{row['id']}",
    }
