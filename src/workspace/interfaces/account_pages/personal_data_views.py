"""A person's data: a file with everything that the account has stored about them, and permanent erasure.

The person is sent only in forms and never in a URL, because browsers and servers store URLs.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from django import forms
from django.contrib import messages
from django.core.serializers.json import DjangoJSONEncoder
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from workspace.accounts.models import Change
from workspace.accounts.models.upload import FILE
from workspace.accounts.privacy import account_data, data_subjects, export
from workspace.accounts.privacy.data_subjects import PersonalTable, SubjectData, TableMatch
from workspace.dashboard.downloads import download_response
from workspace.dashboard.session import SignedInRequest
from workspace.interfaces.account_pages.owner_requirement import require_owner
from workspace.lib import clock
from workspace.lib.data_subject import DataSubject
from workspace.lib.errors import InvalidInputError, OperationNotAllowedError
from workspace.lib.text import format_count
from workspace.owner_translation import owner_gettext, owner_gettext_lazy, owner_ngettext
from workspace.rate_limits.counter import consume

MAX_ROWS = 20  # rows of each kind
FILE_NAME = "person.json"
CONFIRM_MESSAGE = owner_gettext_lazy("Confirm that you want to erase this data. This can’t be undone.")


class PersonForm(forms.Form):
    email = forms.CharField(
        label=owner_gettext_lazy("Email address"),
        max_length=254,
        required=False,
        widget=forms.EmailInput(attrs={"autocomplete": "off"}),
    )
    phone = forms.CharField(
        label=owner_gettext_lazy("Phone number"),
        max_length=40,
        required=False,
        help_text=owner_gettext_lazy("With country code if possible. Any format works."),
        widget=forms.TextInput(attrs={"autocomplete": "off", "inputmode": "tel"}),
    )

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        try:
            given["sought"] = DataSubject.parse(given.get("email", ""), given.get("phone", ""))
        except InvalidInputError as refusal:
            for issue in refusal.issues:
                self.add_error(issue.path, issue.message)
        return given


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@require_owner
def person(request: SignedInRequest) -> HttpResponse:
    form = PersonForm(request.POST if request.method == "POST" else None)
    if not _is_valid_request(request, form):
        return _render_page(request, form)
    return _render_page(request, form, data_subjects.find_subject_data(request.account, form.cleaned_data["sought"]))


@require_POST
@never_cache
@require_owner
def download(request: SignedInRequest) -> HttpResponse:
    form = PersonForm(request.POST)
    if not _is_valid_request(request, form):
        return _render_page(request, form)
    found = data_subjects.find_subject_data(request.account, form.cleaned_data["sought"])
    person_export = {
        "about": form.cleaned_data["sought"].label,
        "from": request.account.name,
        "at": clock.to_iso(clock.now()),
        "known": export.export_subject(found),
    }
    text = json.dumps(person_export, cls=DjangoJSONEncoder, ensure_ascii=False, indent=2)
    return download_response(text, FILE_NAME, "application/json")


@require_POST
@never_cache
@require_owner
def erase(request: SignedInRequest) -> HttpResponse:
    form = PersonForm(request.POST)
    if not _is_valid_request(request, form):
        return _render_page(request, form)
    sought = form.cleaned_data["sought"]
    if "sure" not in request.POST:
        return _render_page(
            request, form, data_subjects.find_subject_data(request.account, sought), str(CONFIRM_MESSAGE)
        )
    caller = request.caller
    by = Change(actor_key=caller.actor_key, actor_name=caller.actor_name[:200], channel=caller.channel)
    try:
        done = data_subjects.erase_subject(request.account, sought, item_ids=request.POST.getlist("thing"), by=by)
    except OperationNotAllowedError as refusal:
        return _render_page(request, form, data_subjects.find_subject_data(request.account, sought), refusal.message)
    erased_text = ", ".join(format_count(count, noun) for noun, count in done.items())
    messages.success(
        request,
        owner_gettext("Permanently erased: %(items)s.") % {"items": erased_text}
        if done
        else owner_gettext("No data about this person was found."),
    )
    return redirect("personal_data")


def _is_valid_request(request: SignedInRequest, form: PersonForm) -> bool:
    if not form.is_valid():
        return False
    if not consume("personal-data", request):
        form.add_error(None, owner_gettext("Too many requests within an hour. Try again later."))
        return False
    return True


def _render_page(
    request: SignedInRequest, form: PersonForm, data: SubjectData | None = None, problem: str = ""
) -> HttpResponse:
    page: dict[str, Any] = {"form": form, "problem": problem, "asked": data is not None}
    if data is not None:
        page |= {
            "about": data.trace.subject.label,
            "known": bool(data),
            "rows": [row for part in data.parts for row in _present_rows(part)],
            "offered": [
                {"id": row.pk, "noun": part.table.noun, "title": str(row), "page": _row_url(part.table, row)}
                for part in data.parts
                for row in part.deletable_rows
            ],
            "traces": [format_count(len(keys), trail.noun) for trail, keys in data.texts],
            "is_member": account_data.is_member(request.account, data.trace.subject),
            "has_files": request.account.uploads.filter(kind=FILE).exists(),
        }
    status = 422 if form.errors or problem else 200
    return render(request, "account_pages/person.html", page, status=status)


def _present_rows(part: TableMatch) -> Iterator[dict[str, str]]:
    named = [row for row in part.mentioning_rows if row not in part.deletable_rows]
    for rows, becomes in (
        (part.own_rows, owner_gettext("will be erased")),
        (named, owner_gettext("is kept without the contact details")),
    ):
        part_context = {"noun": part.table.noun, "becomes": becomes}
        for row in rows[:MAX_ROWS]:
            yield {**part_context, "title": str(row), "page": _row_url(part.table, row)}
        if (more := len(rows) - MAX_ROWS) > 0:
            yield {
                **part_context,
                "title": owner_ngettext("%(count)s more", "%(count)s more", more) % {"count": f"{more:,}"},
            }


def _row_url(table: PersonalTable, row: Any) -> str:
    is_there = getattr(row, "binned_at", None) is None
    return table.page_url(row) if table.page_url is not None and is_there else ""
