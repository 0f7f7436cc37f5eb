"""One person's data: what the account knows of somebody who asks, as a file, and erasing it for good.

Whom it is about is sent in forms only, never in an address, which browsers and servers remember.
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
from workspace.accounts.privacy.data_subjects import Found, Held, Part
from workspace.dashboard.downloads import saved
from workspace.dashboard.session import SignedInRequest
from workspace.interfaces.account_pages.owner_only import by_owner
from workspace.interfaces.account_pages.rate_limit import allowed
from workspace.lib import clock
from workspace.lib.data_subject import Sought
from workspace.lib.errors import InvalidInput, ToolError
from workspace.lib.text import counted

TRIES = "120/h/user"
MOST_SHOWN = 20  # of one kind
FILE_NAME = "person.json"
UNSURE = "Tick that you are sure: nothing brings it back"


class PersonForm(forms.Form):
    email = forms.CharField(
        label="E-mail address", max_length=254, required=False, widget=forms.EmailInput(attrs={"autocomplete": "off"})
    )
    phone = forms.CharField(
        label="Phone number",
        max_length=40,
        required=False,
        help_text="Best with its country code. It is found however it was written.",
        widget=forms.TextInput(attrs={"autocomplete": "off", "inputmode": "tel"}),
    )

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        try:
            given["sought"] = Sought.read(given.get("email", ""), given.get("phone", ""))
        except InvalidInput as refusal:
            for issue in refusal.issues:
                self.add_error(issue.path, issue.message)
        return given


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@by_owner
def person(request: SignedInRequest) -> HttpResponse:
    form = PersonForm(request.POST if request.method == "POST" else None)
    if not _is_asked(request, form):
        return _page(request, form)
    return _page(request, form, data_subjects.find(request.account, form.cleaned_data["sought"]))


@require_POST
@never_cache
@by_owner
def download(request: SignedInRequest) -> HttpResponse:
    form = PersonForm(request.POST)
    if not _is_asked(request, form):
        return _page(request, form)
    found = data_subjects.find(request.account, form.cleaned_data["sought"])
    told = {
        "about": form.cleaned_data["sought"].told,
        "from": request.account.name,
        "at": clock.iso(clock.now()),
        "known": export.told(found),
    }
    text = json.dumps(told, cls=DjangoJSONEncoder, ensure_ascii=False, indent=2)
    return saved(text, FILE_NAME, "application/json")


@require_POST
@never_cache
@by_owner
def erase(request: SignedInRequest) -> HttpResponse:
    form = PersonForm(request.POST)
    if not _is_asked(request, form):
        return _page(request, form)
    sought = form.cleaned_data["sought"]
    if "sure" not in request.POST:
        return _page(request, form, data_subjects.find(request.account, sought), UNSURE)
    caller = request.caller
    by = Change(actor=caller.actor, who=caller.who[:200], face=caller.face)
    try:
        done = data_subjects.erase(request.account, sought, things=request.POST.getlist("thing"), by=by)
    except ToolError as refusal:
        return _page(request, form, data_subjects.find(request.account, sought), refusal.message)
    told = ", ".join(counted(count, noun) for noun, count in done.items())
    messages.success(request, f"Erased for good: {told}." if done else "Nothing was known of this person any more.")
    return redirect("person")


def _is_asked(request: SignedInRequest, form: PersonForm) -> bool:
    if not form.is_valid():
        return False
    if not allowed(request, "person", TRIES):
        form.add_error(None, "That was very often within an hour: go on a little later")
        return False
    return True


def _page(request: SignedInRequest, form: PersonForm, found: Found | None = None, problem: str = "") -> HttpResponse:
    page: dict[str, Any] = {"form": form, "problem": problem, "asked": found is not None}
    if found is not None:
        page |= {
            "about": found.trace.sought.told,
            "known": bool(found),
            "rows": [row for part in found.parts for row in _rows(part)],
            "offered": [
                {"id": row.pk, "noun": part.held.noun, "title": str(row), "page": _where(part.held, row)}
                for part in found.parts
                for row in part.offered
            ],
            "traces": [counted(len(keys), trail.noun) for trail, keys in found.trails],
            "is_member": account_data.is_member(request.account, found.trace.sought),
            "has_files": request.account.uploads.filter(kind=FILE).exists(),
        }
    status = 422 if form.errors or problem else 200
    return render(request, "account_pages/person.html", page, status=status)


def _rows(part: Part) -> Iterator[dict[str, str]]:
    named = [row for row in part.named if row not in part.offered]
    for rows, becomes in ((part.whole, "is erased"), (named, "stays, without the address")):
        told = {"noun": part.held.noun, "becomes": becomes}
        for row in rows[:MOST_SHOWN]:
            yield {**told, "title": str(row), "page": _where(part.held, row)}
        if (more := len(rows) - MOST_SHOWN) > 0:
            yield {**told, "title": f"{more:,} more"}


def _where(held: Held, row: Any) -> str:
    is_there = getattr(row, "binned_at", None) is None
    return held.page(row) if held.page is not None and is_there else ""
