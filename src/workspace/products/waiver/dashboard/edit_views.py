"""The pages for a waiver's text with clauses and questions, and for its rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.http import HttpResponse
from django.utils.translation import gettext

from workspace.dashboard import previews as guests_page
from workspace.dashboard.forms import ToolForm
from workspace.dashboard.item_presenters import redirect_with_message
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import call_tool, page
from workspace.lib.languages import GUEST_LANGUAGES, language_name
from workspace.owner_translation import owner_gettext_lazy
from workspace.products.waiver.api import tools
from workspace.products.waiver.dashboard.item_layout import LAYOUT
from workspace.products.waiver.rules.definition_input import dump_span

OTHER_SPAN = "other"


LABELS = {
    "title": owner_gettext_lazy("Title"),
    "copy_of": owner_gettext_lazy("Template"),
    "text": owner_gettext_lazy("Text"),
    "clauses": owner_gettext_lazy("Clauses"),
    "clauses.title": owner_gettext_lazy("Clause title"),
    "clauses.text": owner_gettext_lazy("Clause text"),
    "clauses.initials": owner_gettext_lazy("Initials"),
    "questions": owner_gettext_lazy("Questions"),
    "questions.label": owner_gettext_lazy("Question"),
    "questions.type": owner_gettext_lazy("Answer type"),
    "questions.options": owner_gettext_lazy("Options"),
    "questions.required": owner_gettext_lazy("Required"),
    "material": owner_gettext_lazy("Do people have to sign again?"),
    "valid_for": owner_gettext_lazy("Signatures are valid"),
    "age_of_majority": owner_gettext_lazy("Age of majority"),
    "minors": owner_gettext_lazy("Minors"),
    "guardian_participates": owner_gettext_lazy("Guardian takes part"),
    "max_minors": owner_gettext_lazy("Maximum minors per guardian"),
    "signature": owner_gettext_lazy("Signature type"),
    "email_required": owner_gettext_lazy("Require an email address"),
    "phone_required": owner_gettext_lazy("Require a phone number"),
    "remind": owner_gettext_lazy("Remind signers before expiry"),
    "ask_again": owner_gettext_lazy("Email everyone who has to sign again"),
    "marketing_opt_in": owner_gettext_lazy("Optional checkbox"),
    "language": owner_gettext_lazy("Language"),
    "redirect_url": owner_gettext_lazy("Continue to"),
    "webhook_url": owner_gettext_lazy("Webhook URL"),
}


RULE_FIELDS = (
    "minors", "age_of_majority", "guardian_participates", "max_minors", "signature", "email_required",
    "phone_required", "marketing_opt_in", "language", "remind", "redirect_url", "webhook_url",
)  # fmt: skip


SPAN_CHOICES = (
    ("1 day", owner_gettext_lazy("1 day")),
    ("30 days", owner_gettext_lazy("30 days")),
    ("6 months", owner_gettext_lazy("6 months")),
    ("1 year", owner_gettext_lazy("1 year")),
    ("2 years", owner_gettext_lazy("2 years")),
    ("end_of_year", owner_gettext_lazy("Until the end of the year")),
    ("never", owner_gettext_lazy("No expiry")),
)


CHOICES = {
    "material": [
        ("true", owner_gettext_lazy("Yes, the content has changed")),
        ("false", owner_gettext_lazy("No, earlier signatures stay valid")),
    ],
    "kinds_of_answer": [
        ("short_text", owner_gettext_lazy("Short text")),
        ("long_text", owner_gettext_lazy("Long text")),
        ("yes_no", owner_gettext_lazy("Yes or no")),
        ("checkbox", owner_gettext_lazy("Checkbox")),
        ("single_choice", owner_gettext_lazy("Single choice")),
        ("multi_choice", owner_gettext_lazy("Multiple choice")),
        ("phone", owner_gettext_lazy("Phone number")),
        ("email", owner_gettext_lazy("Email address")),
        ("number", owner_gettext_lazy("Number")),
        ("date", owner_gettext_lazy("Date")),
    ],
    "minors": [
        ("guardian", owner_gettext_lazy("A guardian signs for them")),
        ("allowed", owner_gettext_lazy("They sign for themselves")),
        ("refused", owner_gettext_lazy("Not allowed")),
    ],
    "guardian": [
        ("ask", owner_gettext_lazy("Ask")),
        ("yes", owner_gettext_lazy("Always")),
        ("no", owner_gettext_lazy("Never")),
    ],
    "kinds": [
        ("either", owner_gettext_lazy("Typed or drawn")),
        ("typed", owner_gettext_lazy("Typed only")),
        ("drawn", owner_gettext_lazy("Drawn only")),
    ],
    "languages": [(code, language_name(code)) for code in GUEST_LANGUAGES],
}


@page("GET", "HEAD", "POST")
def edit_text(request: SignedInRequest, id: str) -> HttpResponse:
    waiver: Any = call_tool(request, tools.get, id=id)
    # "No" is also an answer, so nothing is preselected
    initial = {**{name: waiver[name] for name in ("title", "text", "clauses", "questions")}, "material": ""}
    form = LAYOUT.edit_form(request, id, labels=LABELS, initial=initial)
    _clean_form(form, waiver["questions"])
    if form.is_bound and not waiver["signed_count"]:
        form.values["material"] = False  # no one has signed yet, so no one has to sign again
    if form.submit(request.caller):
        return redirect_with_message(request, gettext("Waiver saved."), f"{LAYOUT.home}/{id}")
    context = {"form": form, "waiver": waiver, "any_signed": waiver["signed_count"] > 0, **CHOICES}
    return LAYOUT.render_item_page(request, id, "waiver/owner/text.html", context, form.status)


@page("GET", "HEAD", "POST")
def preview(request: SignedInRequest, id: str) -> HttpResponse:
    """Preview the waiver or its form. A preview never asks whether people must sign again."""
    waiver = LAYOUT.get_item(request, id)
    part = "/sign" if request.GET.get("step") == "sign" else ""
    if request.method != "POST":
        return guests_page.render_preview(request, waiver, part)
    form = LAYOUT.edit_form(request, id)
    form.values["material"] = False
    _clean_form(form, call_tool(request, tools.get, id=id)["questions"])
    return guests_page.render_draft(request, waiver, form, part)


def _clean_form(form: ToolForm, questions: Sequence[Mapping[str, Any]]) -> None:
    _drop_empty_rows(form, "clauses", ("title", "text"))
    _drop_empty_rows(form, "questions", ("label", "help"))
    _restore_flags(form, {question["key"]: question["flag"] for question in questions})


def _drop_empty_rows(form: ToolForm, name: str, columns: tuple[str, ...]) -> None:
    """Drop rows in which all text fields are empty."""
    if form.is_bound and isinstance(form.values.get(name), list):
        rows = form.values[name]
        form.values[name] = [
            row for row in rows if not isinstance(row, dict) or any(row.get(value) for value in columns)
        ]


def _restore_flags(form: ToolForm, before: Mapping[str, Any]) -> None:
    """Restore flags about individual answers unless the box was unchecked, because the form has only a checkbox."""
    for row in form.values.get("questions") or () if form.is_bound else ():
        if isinstance(row, dict):
            stored = before.get(row.get("key", ""))
            row["flag"] = (stored if isinstance(stored, list) and stored else True) if row.get("flag") else False


@page("GET", "HEAD", "POST")
def edit_rules(request: SignedInRequest, id: str) -> HttpResponse:
    waiver: Any = call_tool(request, tools.get, id=id)
    span = dump_span(waiver["valid_for"])
    form = LAYOUT.edit_form(
        request, id, labels=LABELS, initial={**{name: waiver[name] for name in RULE_FIELDS}, "valid_for": span}
    )
    other = request.POST.get("_other", "")[:60].strip()
    if form.values.get("valid_for") == OTHER_SPAN:
        form.values["valid_for"] = other
    if form.submit(request.caller):
        return redirect_with_message(request, gettext("Settings saved."), f"{LAYOUT.home}/{id}/rules")
    chosen = form.values.get("valid_for")
    is_other = chosen not in [value for value, _ in SPAN_CHOICES]
    context = {
        "form": form,
        "waiver": waiver,
        "spans": [(value, label, value == chosen) for value, label in SPAN_CHOICES],
        "is_other": is_other,
        "other": chosen if is_other else other,
        **CHOICES,
    }
    return LAYOUT.render_item_page(request, id, "waiver/owner/rules.html", context, form.status)
