"""The list of waivers, creating a waiver from a gallery, its text with clauses and questions, and its rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render

from workspace.dashboard import previews as guests_page
from workspace.dashboard.forms import ToolForm
from workspace.dashboard.item_lists import ListItem
from workspace.dashboard.item_presenters import redirect_with_message
from workspace.dashboard.session import SignedInRequest, redirect_full_page
from workspace.dashboard.tool_views import call_tool, page
from workspace.lib.languages import GUEST_LANGUAGES, language_name
from workspace.products.waiver.api import tools
from workspace.products.waiver.dashboard.layout import LAYOUT
from workspace.products.waiver.domain import template_gallery
from workspace.products.waiver.models import KIND
from workspace.products.waiver.rules.definition_input import dump_span
from workspace.publishing.call_to_action import guest_language

EMPTY_TEMPLATE = "empty"
MAX_CLAUSES = 4  # clauses of a template to show
OTHER_SPAN = "other"
LABELS = {
    "title": "Title",
    "copy_of": "Begin with",
    "text": "Text",
    "clauses": "Clauses",
    "clauses.title": "Title of clause",
    "clauses.text": "Text of clause",
    "clauses.initials": "Initials",
    "questions": "Questions",
    "questions.label": "Question",
    "questions.type": "Kind of answer",
    "questions.options": "Answers to choose from",
    "questions.required": "Has to be answered",
    "material": "Must people sign again?",
    "valid_for": "A signature counts",
    "age_of_majority": "Of age at",
    "minors": "Minors",
    "guardian_participates": "The guardian",
    "max_minors": "Minors at once",
    "signature": "How people sign",
    "email_required": "Ask for an e-mail address",
    "phone_required": "Ask for a phone number",
    "remind": "Mail before the end",
    "ask_again": "Mail all who have to sign again",
    "marketing_opt_in": "A box to tick",
    "language": "Language",
    "redirect_url": "Where signers go on to",
    "webhook_url": "Webhook",
}
RULE_FIELDS = (
    "minors", "age_of_majority", "guardian_participates", "max_minors", "signature", "email_required",
    "phone_required", "marketing_opt_in", "language", "remind", "redirect_url", "webhook_url",
)  # fmt: skip
SPAN_CHOICES = (
    ("1 day", "For one day"),
    ("30 days", "For 30 days"),
    ("6 months", "For six months"),
    ("1 year", "For a year"),
    ("2 years", "For two years"),
    ("end_of_year", "Until the end of the year"),
    ("never", "Without end"),
)
CHOICES = {
    "material": [("true", "Yes, it is another text now"), ("false", "No, earlier signatures stay")],
    "kinds_of_answer": [
        ("short_text", "A line of text"),
        ("long_text", "Several lines"),
        ("yes_no", "Yes or no"),
        ("checkbox", "A box to tick"),
        ("single_choice", "One of several"),
        ("multi_choice", "Some of several"),
        ("phone", "A phone number"),
        ("email", "An e-mail address"),
        ("number", "A number"),
        ("date", "A day"),
    ],
    "minors": [
        ("guardian", "A guardian signs for them"),
        ("allowed", "They sign themselves"),
        ("refused", "Not at all"),
    ],
    "guardian": [("ask", "They are asked"), ("yes", "Always"), ("no", "Never")],
    "kinds": [("either", "As they like"), ("typed", "By typing their name"), ("drawn", "By drawing")],
    "languages": [(code, language_name(code)) for code in GUEST_LANGUAGES],
}


@page()
def list_waivers(request: SignedInRequest) -> HttpResponse:
    listing = LAYOUT.list_items(request, tools.list_waivers)
    return LAYOUT.render_list(request, listing, _list_item, limit=request.account.limits(KIND).waivers)


def _list_item(row: Mapping[str, Any]) -> ListItem:
    unit = "signature" if row["signed_count"] == 1 else "signatures"
    return ListItem(title=row["title"], about="", number=row["signed_count"], unit=unit, counts_visits=False)


@page("GET", "HEAD", "POST")
def new(request: SignedInRequest) -> HttpResponse:
    """Create a waiver from the gallery. Without a title, it gets the title of the template."""
    language = guest_language(request.account)
    form = ToolForm(tools.create, request, labels=LABELS, initial={"copy_of": template_gallery.TEMPLATE_NAMES[0]})
    copy_of = str(form.values.get("copy_of", EMPTY_TEMPLATE))
    if copy_of == EMPTY_TEMPLATE:
        form.values = {name: value for name, value in form.values.items() if name != "copy_of"}
    elif form.is_bound and copy_of in template_gallery.TEMPLATE_NAMES and not str(form.values.get("title", "")).strip():
        form.values["title"] = template_gallery.load_template(copy_of, language)["title"]
    if answer := form.submit(request.caller):
        return redirect_full_page(request, f"{LAYOUT.home}/{answer.data['id']}?made")
    form.values["copy_of"] = copy_of
    ready = [_present_template(name, language) for name in template_gallery.TEMPLATE_NAMES]
    context = {"form": form, "ready": ready, "empty": EMPTY_TEMPLATE}
    return render(request, "waiver/owner/new.html", context, status=form.status)


def _present_template(name: str, language: str) -> dict[str, str]:
    template = template_gallery.load_template(name, language)
    about = [clause["title"] for clause in template["clauses"]][:MAX_CLAUSES]
    return {"name": name, "title": template["title"], "about": " · ".join(about)}


@page("GET", "HEAD", "POST")
def edit_text(request: SignedInRequest, id: str) -> HttpResponse:
    waiver: Any = call_tool(request, tools.get, id=id)
    # "No" is an answer, too, so nothing is preselected
    initial = {**{name: waiver[name] for name in ("title", "text", "clauses", "questions")}, "material": ""}
    form = LAYOUT.edit_form(request, id, labels=LABELS, initial=initial)
    _clean_form(form, waiver["questions"])
    if form.is_bound and not waiver["signed_count"]:
        form.values["material"] = False  # no one has signed yet, so no one must sign again
    if form.submit(request.caller):
        return redirect_with_message(request, "Saved.", f"{LAYOUT.home}/{id}")
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
    """Restore flags about some answers only, unless the box was unticked: the form has only a checkbox."""
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
        return redirect_with_message(request, "Saved.", f"{LAYOUT.home}/{id}/rules")
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
