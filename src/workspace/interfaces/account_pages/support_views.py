"""The owner's page of support: what they asked, asking, and a thread with its answers and files."""

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
from workspace.interfaces.file_views import as_attachment
from workspace.lib.errors import ToolError
from workspace.storage.files.media_types import MAX_BYTES, clean_file_name
from workspace.support import message_ids, tools
from workspace.support import tickets as support_tickets
from workspace.support.models import Attachment, Ticket
from workspace.support.tools import TicketSummary
from workspace.tools.answer import File

HOME = "/app/support"
BADGES = {"open": ("With the team", "wait"), "answered": ("Answered", "good"), "closed": ("Closed", "")}
# as the tool names them; a general question has none
PRODUCT_CHOICES = [
    ("", "Something general"),
    ("account", "The account"),
    ("qr", "QR codes"),
    ("link", "Link pages"),
    ("card", "Business cards"),
    ("menu", "Menus"),
    ("review", "Reviews"),
    ("quote", "Proposals"),
    ("form", "Forms"),
    ("waiver", "Waivers"),
    ("book", "Booking"),
    ("cert", "Certificates"),
    ("program", "Event programs"),
    ("seat", "Seating"),
]
PRODUCT_NAMES = dict(PRODUCT_CHOICES)


@page("GET", "HEAD", "POST")
def tickets(request: SignedInRequest) -> HttpResponse:
    """All that was asked, and asking."""
    about = {"product": request.GET["about"]} if request.GET.get("about") in PRODUCT_NAMES else {}
    labels = {"subject": "What it is about", "message": "Your question"}
    form = ToolForm(tools.open_ticket, request, labels=labels, initial=about)
    if request.method == "POST" and (answer := form.submit(request.caller)):
        told = answer.data
        return redirect_with_message(
            request, f"Asked as number {told['number']}. The answer comes by mail.", f"{HOME}/{told['id']}"
        )
    rows = [_present_ticket(row) for row in call_tool(request, tools.list_tickets)["tickets"]]
    context = {"form": form, "rows": rows, "products": PRODUCT_CHOICES, "email": request.user.email}
    return render(request, "account_pages/support.html", context, status=form.status)


@page("GET", "HEAD", "POST")
def ticket(request: SignedInRequest, id: str) -> HttpResponse:
    """One thread, with room for more; its files come along with the message."""
    tools.get_ticket(request.account, id)  # before a file is taken
    form = ToolForm(tools.reply, request, fixed={"ticket_id": id}, labels={"message": "Your message"})
    if request.method == "POST":
        if "close" in request.POST:
            call_tool(request, tools.reply, ticket_id=id, close=True)
            return redirect_with_message(request, "Closed. A message opens it again, for 30 days.", f"{HOME}/{id}")
        ids, problems = store_files(request.account, uploaded_files(request))
        for problem in problems:
            form.add_error("files", problem)
        if ids:
            form.set_value("upload_ids", ids)
        if not form.errors and form.submit(request.caller):
            return redirect_with_message(request, "Sent.", f"{HOME}/{id}")
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
    """A file of a thread, to save. Raises Http404."""
    found = Attachment.objects.filter(message__ticket=ticket, upload=upload_id).select_related("upload").first()
    if found is None:
        raise Http404
    upload = found.upload
    name = upload.name or f"picture.{upload.media_type.partition('/')[2]}"
    try:
        return as_attachment(File(name, upload.media_type, upload.content))
    except FileNotFoundError:
        raise Http404 from None


def store_files(account: Account, files: Sequence[UploadedFile[bytes]]) -> tuple[list[str], list[str]]:
    """What came along becomes uploads, looked at before any transaction begins: their ids, and what is wrong with the
    others."""
    if len(files) > support_tickets.MAX_ATTACHMENTS:
        return [], [f"At most {support_tickets.MAX_ATTACHMENTS} files at once"]
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
    """Raises ValueError with a text for people, or a ToolError."""
    if (file.size or 0) > MAX_BYTES:
        raise ValueError(f"A file may have up to {MAX_BYTES // 1024 // 1024} MB")
    name = clean_file_name(file.name or "")
    return upload_tools.save_upload(account, upload_tools.receive_content(file.read()), name).data["upload_id"]


def present_messages(ticket: Ticket) -> list[dict[str, object]]:
    """With the whole text of a mail that said more than what is new in it."""
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
