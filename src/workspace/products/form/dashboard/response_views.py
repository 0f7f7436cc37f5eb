"""What came in with a form: folders, searching, one response opened where it stands, marking, a file of all."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, urlencode

from django.db.models import Count, Sum
from django.http import HttpResponse
from django.shortcuts import render

from workspace.dashboard.forms import ToolForm
from workspace.dashboard.item_lists import Chip
from workspace.dashboard.item_presenters import ask, done, moment
from workspace.dashboard.session import SignedInRequest, is_part, redirect_whole
from workspace.dashboard.tool_views import call, page, whole_number, words
from workspace.products.form.api import response_tools, tools
from workspace.products.form.api.serializers import FormWhole
from workspace.products.form.dashboard.layout import FRAME
from workspace.products.form.dashboard.presenters import find
from workspace.products.form.domain.downloads import sent_with
from workspace.products.form.domain.queries import NO_RESPONSE, responses_in, within_plan
from workspace.products.form.domain.response_data import ResponseRow, response_rows
from workspace.products.form.models import INBOX, PARTIAL, SPAM, SUSPICIONS, Response
from workspace.publishing.serializers import one

SHOWN = 50
FOLDERS = {"inbox": "All", "new": "New", "read": "Read", "spam": "Spam", "partial": "Begun, not sent"}
STATES = {"new": ("New", "good"), "read": ("Read", ""), "spam": ("Spam", "bad"), "partial": ("Not sent", "wait")}
MARKED = {
    "read": "Marked as read.",
    "unread": "Marked as new.",
    "spam": "It is in the spam folder.",
    "ham": "It is no spam: it stands among the others, and you are told as of a new one.",
}


@page()
def responses(request: SignedInRequest, id: str) -> HttpResponse:
    found = find(request, id)
    status = request.GET.get("status", "inbox")
    status = status if status in FOLDERS else "inbox"
    q = words(request.GET.get("q"), 200)
    offset = whole_number(request.GET.get("offset"), 0, 0, 10_000_000)
    listing = call(request, response_tools.find_responses, id=id, q=q, status=status, limit=SHOWN, offset=offset)
    context = {
        "found": found,
        "listing": listing,
        "rows": [_line(row, found) for row in listing["items"]],
        "limit": SHOWN,
        "status": status,
        "folder": FOLDERS[status],
        "q": q,
        "chips": _chips(found, status, q),
        "any": any(found[name] for name in ("responses", "spam", "partial")),
    }
    return FRAME.page(request, id, "form/responses.html", context)


@page("GET", "HEAD", "POST")
def response(request: SignedInRequest, id: str, response: str) -> HttpResponse:
    """One of them, with all its answers; who opens a new one has read it, which script says by a POST, since a browser
    may fetch a page that nobody opens. `closed` draws its line again, `whole` answers with the page."""
    found, is_whole = find(request, id), "whole" in request.GET
    in_place = is_part(request) and not is_whole
    row = _row(request, id, response)
    if request.method == "POST" and row["status"] == "new":
        _mark(request, id, response, "read")
        row = {**row, "status": "read"}
    context = {"found": found, "row": {**_line(row, found), **_whole(row, found)}, "in_place": in_place}
    if in_place:
        return render(request, "form/parts/line.html", {**context, "is_open": "closed" not in request.GET})
    if request.method == "POST" and not is_whole:
        return redirect_whole(request, request.path)
    return FRAME.page(request, id, "form/response.html", context)


@page("POST")
def mark(request: SignedInRequest, id: str, response: str) -> HttpResponse:
    word = request.POST.get("mark", "")
    was = _row(request, id, response)["status"]
    _mark(request, id, response, word)
    if is_part(request) and word in ("read", "unread"):
        found = find(request, id)
        context = {"found": found, "row": _line(_row(request, id, response), found)}
        return render(request, "form/parts/line.html", context)
    back = f"{FRAME.home}/{id}/responses{'?status=spam' if was == 'spam' else ''}"
    return done(request, MARKED.get(word, "Marked."), back)


@page("POST")
def mark_all(request: SignedInRequest, id: str) -> HttpResponse:
    """The new ones as read, as many as are marked at once."""
    new = call(request, response_tools.find_responses, id=id, status="new", limit=SHOWN)["items"]
    if new:
        items = [{"response_id": row["id"], "mark": "read"} for row in new]
        call(request, response_tools.save_responses, id=id, items=items)
    return done(request, "Marked as read.", f"{FRAME.home}/{id}/responses")


@page("GET", "HEAD", "POST")
def delete(request: SignedInRequest, id: str, response: str) -> HttpResponse:
    row = _row(request, id, response)
    back = f"{FRAME.home}/{id}/responses"
    if request.method == "POST":
        call(request, tools.delete, ids=[response])
        query = f"?status={row['status']}" if row["status"] in (SPAM, PARTIAL) else ""
        return done(request, "Deleted. For 30 days it can be brought back.", f"{back}{query}")
    return ask(
        request,
        title=f"Delete the response {row['reference']}?",
        text="With its files. For 30 days it can be brought back.",
        button="Delete it",
        back=f"{back}/{response}",
    )


@page("GET", "HEAD", "POST")
def export(request: SignedInRequest, id: str) -> HttpResponse:
    """A file of many, which is written by a job."""
    found = find(request, id)
    labels = {"from": "From", "to": "Until", "format": "File", "status": "Responses"}
    form = ToolForm(response_tools.export, request, fixed={"id": id}, labels=labels)
    if answer := form.submit(request.caller):
        return redirect_whole(request, f"/app/jobs/{answer.data['job_id']}")
    context = {
        "form": form,
        "found": found,
        "formats": [("csv", "CSV, for any spreadsheet"), ("xlsx", "Excel")],
        "folders": list(FOLDERS.items()),
        "sent": _sent(request, id),
    }
    return FRAME.page(request, id, "form/export.html", context, form.status)


def _sent(request: SignedInRequest, id: str) -> dict[str, Any]:
    form = FRAME.find(request, id)
    found = sent_with(form, responses_in(form, request.account, "inbox"))
    return {**found.aggregate(count=Count("pk"), size=Sum("size")), "url": f"/files/{id}"}


def _mark(request: SignedInRequest, id: str, response: str, word: str) -> None:
    call(request, response_tools.save_responses, id=id, items=[{"response_id": response, "mark": word}])


def _row(request: SignedInRequest, id: str, response: str) -> ResponseRow:
    form = FRAME.find(request, id)
    mine = within_plan(Response.objects.filter(form=form), request.account)
    return response_rows([one(mine, response, NO_RESPONSE)])[0]


def _chips(found: FormWhole, status: str, q: str) -> list[Chip]:
    counts = {
        "inbox": found["responses"],
        "new": found["unread"],
        "read": found["responses"] - found["unread"],
        "spam": found["spam"],
        "partial": found["partial"],
    }
    return [
        Chip(label, counts[key], f"?{urlencode({'status': key, **({'q': q} if q else {})})}", key == status)
        for key, label in FOLDERS.items()
        if counts[key] or key in (INBOX, status)
    ]


def _line(row: ResponseRow, found: FormWhole) -> dict[str, Any]:
    """What a list tells of one: its first answer, and the next ones."""
    told = row["labelled"]
    return {
        **row,
        "name": told[0]["text"][:120] if told else row["reference"],
        "note": " · ".join(f"{one['text'][:80]}" for one in told[1:4]),
        "at": moment(row["submitted_at"]),
        "badge": STATES[row["status"]],
        "url": f"{FRAME.home}/{found['id']}/responses/{row['id']}",
    }


def _whole(row: ResponseRow, found: FormWhole) -> Mapping[str, Any]:
    subject = quote(f"Re: {found['title']} {row['reference']}")
    return {
        "suspected": SUSPICIONS.get(row["suspicion"], ""),
        "reply": f"mailto:{quote(row['email'], safe='@')}?subject={subject}" if row["email"] else "",
        "older": row["version"] != found["version"],
        "downloads": [{**file, "path": f"/files/{file['id']}"} for file in row["files"]],
    }
