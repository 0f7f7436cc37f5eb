"""The pages for responses: folders, search, a response that opens in its row, marking, and exports."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, urlencode

from django.db.models import Count, Sum
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext

from workspace.dashboard.forms import ToolForm
from workspace.dashboard.item_lists import FilterChip
from workspace.dashboard.item_presenters import parse_time, redirect_with_message, render_confirmation
from workspace.dashboard.session import SignedInRequest, is_partial, redirect_full_page
from workspace.dashboard.tool_views import call_tool, clean_text, page, parse_whole_number
from workspace.owner_translation import owner_gettext_lazy
from workspace.products.form import messages
from workspace.products.form.api import response_tools, tools
from workspace.products.form.api.serializers import FormDetail
from workspace.products.form.dashboard.item_layout import LAYOUT
from workspace.products.form.dashboard.presenters import get_form
from workspace.products.form.domain.downloads import files_for
from workspace.products.form.domain.queries import filter_by_plan, filter_responses
from workspace.products.form.domain.response_data import ResponseData, list_response_data
from workspace.products.form.models import INBOX, PARTIAL, SPAM, SUSPICIONS, Response
from workspace.publishing.serializers import get_or_404

PAGE_SIZE = 50
FOLDER_LABELS = {
    "inbox": owner_gettext_lazy("All"),
    "new": owner_gettext_lazy("New"),
    "read": owner_gettext_lazy("Read"),
    "spam": owner_gettext_lazy("Spam"),
    "partial": owner_gettext_lazy("Not sent"),
}
STATE_BADGES = {
    "new": (FOLDER_LABELS["new"], "good"),
    "read": (FOLDER_LABELS["read"], ""),
    "spam": (FOLDER_LABELS["spam"], "bad"),
    "partial": (FOLDER_LABELS["partial"], "wait"),
}
MARKED_MESSAGES = {
    "read": owner_gettext_lazy("Marked as read."),
    "unread": owner_gettext_lazy("Marked as unread."),
    "spam": owner_gettext_lazy("Marked as spam."),
    "ham": owner_gettext_lazy("Marked as not spam. Notifications sent."),
}


@page()
def responses(request: SignedInRequest, id: str) -> HttpResponse:
    form = get_form(request, id)
    status = request.GET.get("status", "inbox")
    status = status if status in FOLDER_LABELS else "inbox"
    q = clean_text(request.GET.get("q"), 200)
    offset = parse_whole_number(request.GET.get("offset"), 0, 0, 10_000_000)
    listing = call_tool(
        request, response_tools.find_responses, id=id, q=q, status=status, limit=PAGE_SIZE, offset=offset
    )
    context = {
        "form_detail": form,
        "listing": listing,
        "rows": [_list_item(row, form) for row in listing["items"]],
        "limit": PAGE_SIZE,
        "status": status,
        "folder": FOLDER_LABELS[status],
        "q": q,
        "chips": _folder_chips(form, status, q),
        "any": any(form[name] for name in ("responses", "spam", "partial")),
    }
    return LAYOUT.render_item_page(request, id, "form/owner/responses.html", context)


@page("GET", "HEAD", "POST")
def response(request: SignedInRequest, id: str, response: str) -> HttpResponse:
    """Show a response with all answers. Opening a new response marks it as read.

    A script sends a POST for that, because browsers may prefetch pages. `closed` renders the collapsed row, and `whole`
    the full page.
    """
    form, is_whole = get_form(request, id), "whole" in request.GET
    in_place = is_partial(request) and not is_whole
    row = _get_response(request, id, response)
    if request.method == "POST" and row["status"] == "new":
        _save_mark(request, id, response, "read")
        row = {**row, "status": "read"}
    context = {
        "form_detail": form,
        "row": {**_list_item(row, form), **_response_detail(row, form)},
        "in_place": in_place,
    }
    if in_place:
        return render(request, "form/owner/parts/line.html", {**context, "is_open": "closed" not in request.GET})
    if request.method == "POST" and not is_whole:
        return redirect_full_page(request, request.path)
    return LAYOUT.render_item_page(request, id, "form/owner/response.html", context)


@page("POST")
def mark_response(request: SignedInRequest, id: str, response: str) -> HttpResponse:
    new_mark = request.POST.get("mark", "")
    old_status = _get_response(request, id, response)["status"]
    _save_mark(request, id, response, new_mark)
    if is_partial(request) and new_mark in ("read", "unread"):
        form = get_form(request, id)
        context = {"form_detail": form, "row": _list_item(_get_response(request, id, response), form)}
        return render(request, "form/owner/parts/line.html", context)
    back = f"{LAYOUT.home}/{id}/responses{'?status=spam' if old_status == 'spam' else ''}"
    return redirect_with_message(request, MARKED_MESSAGES.get(new_mark, gettext("Response updated.")), back)


@page("POST")
def mark_all_as_read(request: SignedInRequest, id: str) -> HttpResponse:
    """Mark the new responses as read, up to the limit of a single call."""
    new = call_tool(request, response_tools.find_responses, id=id, status="new", limit=PAGE_SIZE)["items"]
    if new:
        items = [{"response_id": row["id"], "mark": "read"} for row in new]
        call_tool(request, response_tools.save_responses, id=id, items=items)
    return redirect_with_message(request, gettext("Marked as read."), f"{LAYOUT.home}/{id}/responses")


@page("GET", "HEAD", "POST")
def delete(request: SignedInRequest, id: str, response: str) -> HttpResponse:
    row = _get_response(request, id, response)
    back = f"{LAYOUT.home}/{id}/responses"
    if request.method == "POST":
        call_tool(request, tools.delete, ids=[response])
        query = f"?status={row['status']}" if row["status"] in (SPAM, PARTIAL) else ""
        return redirect_with_message(
            request, gettext("Response deleted. You can restore it for 30 days."), f"{back}{query}"
        )
    return render_confirmation(
        request,
        title=gettext("Delete response %(reference)s?") % {"reference": row["reference"]},
        text=gettext("Its files are deleted too. You can restore it for 30 days."),
        button=gettext("Delete response"),
        back=f"{back}/{response}",
    )


@page("GET", "HEAD", "POST")
def export(request: SignedInRequest, id: str) -> HttpResponse:
    """Start a job that exports responses to a file."""
    form_detail = get_form(request, id)
    labels = {
        "from": gettext("From"),
        "to": gettext("Until"),
        "format": gettext("File format"),
        "status": gettext("Responses"),
    }
    form = ToolForm(response_tools.export, request, fixed={"id": id}, labels=labels)
    if answer := form.submit(request.caller):
        return redirect_full_page(request, f"/app/jobs/{answer.data['job_id']}")
    context = {
        "form": form,
        "form_detail": form_detail,
        "formats": [("csv", gettext("CSV, for any spreadsheet app")), ("xlsx", gettext("Excel"))],
        "folders": list(FOLDER_LABELS.items()),
        "sent_files": _count_sent_files(request, id),
    }
    return LAYOUT.render_item_page(request, id, "form/owner/export.html", context, form.status)


def _count_sent_files(request: SignedInRequest, id: str) -> dict[str, Any]:
    form = LAYOUT.get_item(request, id)
    files = files_for(form, filter_responses(form, request.account, "inbox"))
    return {**files.aggregate(count=Count("pk"), size=Sum("size")), "url": f"/files/{id}"}


def _save_mark(request: SignedInRequest, id: str, response: str, mark: str) -> None:
    call_tool(request, response_tools.save_responses, id=id, items=[{"response_id": response, "mark": mark}])


def _get_response(request: SignedInRequest, id: str, response: str) -> ResponseData:
    form = LAYOUT.get_item(request, id)
    mine = filter_by_plan(Response.objects.filter(form=form), request.account)
    return list_response_data([get_or_404(mine, response, messages.RESPONSE_NOT_FOUND)])[0]


def _folder_chips(form: FormDetail, status: str, q: str) -> list[FilterChip]:
    counts = {
        "inbox": form["responses"],
        "new": form["unread"],
        "read": form["responses"] - form["unread"],
        "spam": form["spam"],
        "partial": form["partial"],
    }
    return [
        FilterChip(label, counts[key], f"?{urlencode({'status': key, **({'q': q} if q else {})})}", key == status)
        for key, label in FOLDER_LABELS.items()
        if counts[key] or key in (INBOX, status)
    ]


def _list_item(row: ResponseData, form: FormDetail) -> dict[str, Any]:
    """Return the summary of a response for a list: its first answer, and the following ones."""
    labeled_answers = row["labelled"]
    return {
        **row,
        "name": labeled_answers[0]["text"][:120] if labeled_answers else row["reference"],
        "note": " · ".join(f"{item['text'][:80]}" for item in labeled_answers[1:4]),
        "at": parse_time(row["submitted_at"]),
        "badge": STATE_BADGES[row["status"]],
        "url": f"{LAYOUT.home}/{form['id']}/responses/{row['id']}",
    }


def _response_detail(row: ResponseData, form: FormDetail) -> Mapping[str, Any]:
    subject = quote(f"Re: {form['title']} {row['reference']}")
    return {
        "suspected": SUSPICIONS.get(row["suspicion"], ""),
        "reply": f"mailto:{quote(row['email'], safe='@')}?subject={subject}" if row["email"] else "",
        "older": row["version"] != form["version"],
        "downloads": [{**file, "path": f"/files/{file['id']}"} for file in row["files"]],
    }
