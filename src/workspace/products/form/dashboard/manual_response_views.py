"""Answers entered by the owner: for someone who called, or to prefill a link."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any
from urllib.parse import urlencode

from django.http import HttpResponse, QueryDict
from django.utils.translation import gettext

from workspace.dashboard.item_presenters import redirect_with_message
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import call_tool, page
from workspace.lib.errors import InvalidInputError
from workspace.products.form.api import response_tools, tools
from workspace.products.form.api.serializers import FormDetail
from workspace.products.form.dashboard.condition_text import ConditionWriter
from workspace.products.form.dashboard.item_layout import LAYOUT
from workspace.products.form.dashboard.presenters import get_form
from workspace.products.form.rules import field_types

MAX_LINK_LENGTH = 2000  # characters that all browsers and email clients accept


def parse_answers(
    post: QueryDict, form: FormDetail, excluded_types: Collection[str] = field_types.GUEST_ONLY_TYPES
) -> dict[str, Any]:
    """Return the answers by key, from controls named `f-KEY`."""
    answers: dict[str, Any] = {}
    for question in list_questions(form, excluded_types):
        texts = [text for text in post.getlist(f"f-{question['key']}")[:50] if text.strip()]
        other_text = post.get(f"f-{question['key']}-other", "").strip() if question.get("other") else ""
        if question["type"] == "multi_choice" and (texts or other_text):
            answers[question["key"]] = [*texts, *([{"other": other_text}] if other_text else [])]
        elif other_text or texts:
            answers[question["key"]] = {"other": other_text} if other_text else texts[-1]
    return answers


def list_questions(
    form: FormDetail, excluded_types: Collection[str] = field_types.GUEST_ONLY_TYPES
) -> list[dict[str, Any]]:
    """Return the questions except those of these types, which only guests can answer or links cannot prefill."""
    fields = [
        field
        for page in form["pages"]
        for field in page["fields"]
        if field["type"] not in (*excluded_types, "calculated")
    ]
    return [field for field in fields if field_types.answer_family(field["type"]) != field_types.NOTHING]


def present_fields(
    form: FormDetail,
    answers: Mapping[str, Any],
    problems: Mapping[str, str],
    excluded_types: Collection[str] = field_types.GUEST_ONLY_TYPES,
) -> list[dict[str, Any]]:
    writer = ConditionWriter(form["pages"])
    rows = []
    for question in list_questions(form, excluded_types):
        value = answers.get(question["key"], "")
        parts = value if isinstance(value, list) else [value]
        rows.append(
            {
                **question,
                "given": [part for part in parts if isinstance(part, str)] if isinstance(value, list) else value,
                "own": next((part["other"] for part in parts if isinstance(part, dict)), ""),
                "when": writer.format_condition(question["show_if"]) if "show_if" in question else "",
                "problem": problems.get(question["key"], ""),
            }
        )
    return rows


@page("GET", "HEAD", "POST")
def add_response(request: SignedInRequest, id: str) -> HttpResponse:
    """Add a response on behalf of someone who answers by phone."""
    form = get_form(request, id)
    answers, problems, others = parse_answers(request.POST, form), {}, []
    if request.method == "POST":
        try:
            added = call_tool(request, response_tools.save_responses, id=id, items=[{"answers": answers}])["added"]
        except InvalidInputError as refusal:
            begin, issues = "items.0.answers.", refusal.issues
            problems = {
                issue.path.removeprefix(begin): issue.message for issue in issues if issue.path.startswith(begin)
            }
            others = [issue.message for issue in issues if not issue.path.startswith(begin)]
        else:
            text = gettext("Response added. No email was sent.")
            return redirect_with_message(request, text, f"{LAYOUT.home}/{id}/responses/{added[0]}")
    context = {
        "fields": present_fields(form, answers, problems),
        "problems": others,
        "is_wrong": bool(problems or others),
        "left_out": any(
            field["type"] in field_types.GUEST_ONLY_TYPES for page in form["pages"] for field in page["fields"]
        ),
        "url": f"{LAYOUT.home}/{id}/responses/add",
    }
    return LAYOUT.render_item_page(request, id, "form/owner/add.html", context, 422 if context["is_wrong"] else 200)


@page()
def prefilled_link(request: SignedInRequest, id: str) -> HttpResponse:
    """Show a link to the form with prefilled answers."""
    form = get_form(request, id)
    answers = {key: value for key, value in parse_answers(request.GET, form).items() if not isinstance(value, dict)}
    pairs = [(key, part) for key, value in answers.items() for part in (value if isinstance(value, list) else [value])]
    made = f"{form['public_url']}?{urlencode(pairs)}" if pairs else ""
    wrong = call_tool(request, tools.try_answers, id=id, answers=answers)["errors"] if pairs else []
    problems = {
        answer_problem["key"]: answer_problem["message"] for answer_problem in wrong if answer_problem["key"] in answers
    }
    context = {
        "fields": [{**field, "other": False} for field in present_fields(form, answers, problems)],
        "link": made,
        "is_long": len(made) > MAX_LINK_LENGTH,
        "url": f"{LAYOUT.home}/{id}/share/link",
    }
    return LAYOUT.render_item_page(request, id, "form/owner/prefill_link.html", context)
