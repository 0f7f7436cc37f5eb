"""Answers given by the owner: for someone who called, or as prefilled answers of a link."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any
from urllib.parse import urlencode

from django.http import HttpResponse, QueryDict

from workspace.dashboard.item_presenters import redirect_with_message
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import call_tool, page
from workspace.lib.errors import InvalidInputError
from workspace.products.form.api import response_tools, tools
from workspace.products.form.api.serializers import FormDetail
from workspace.products.form.dashboard.condition_text import ConditionWriter
from workspace.products.form.dashboard.layout import LAYOUT
from workspace.products.form.dashboard.presenters import get_form
from workspace.products.form.rules import field_types

MAX_LINK_LENGTH = 2000  # characters that all browsers and email clients accept


def parse_answers(
    given: QueryDict, found: FormDetail, but: Collection[str] = field_types.GUEST_ONLY_TYPES
) -> dict[str, Any]:
    """Return the answers by key, from controls named `f-KEY`."""
    answers: dict[str, Any] = {}
    for one in list_questions(found, but):
        texts = [text for text in given.getlist(f"f-{one['key']}")[:50] if text.strip()]
        own = given.get(f"f-{one['key']}-other", "").strip() if one.get("other") else ""
        if one["type"] == "multi_choice" and (texts or own):
            answers[one["key"]] = [*texts, *([{"other": own}] if own else [])]
        elif own or texts:
            answers[one["key"]] = {"other": own} if own else texts[-1]
    return answers


def list_questions(found: FormDetail, but: Collection[str] = field_types.GUEST_ONLY_TYPES) -> list[dict[str, Any]]:
    """Return the questions without these types: those that only guests can answer and that links cannot prefill."""
    fields = [one for page in found["pages"] for one in page["fields"] if one["type"] not in (*but, "calculated")]
    return [one for one in fields if field_types.type_family(one["type"]) != field_types.NOTHING]


def present_fields(
    found: FormDetail,
    answers: Mapping[str, Any],
    problems: Mapping[str, str],
    but: Collection[str] = field_types.GUEST_ONLY_TYPES,
) -> list[dict[str, Any]]:
    words = ConditionWriter(found["pages"])
    rows = []
    for one in list_questions(found, but):
        given = answers.get(one["key"], "")
        parts = given if isinstance(given, list) else [given]
        rows.append(
            {
                **one,
                "given": [part for part in parts if isinstance(part, str)] if isinstance(given, list) else given,
                "own": next((part["other"] for part in parts if isinstance(part, dict)), ""),
                "when": words.format_condition(one["show_if"]) if "show_if" in one else "",
                "problem": problems.get(one["key"], ""),
            }
        )
    return rows


@page("GET", "HEAD", "POST")
def add_response(request: SignedInRequest, id: str) -> HttpResponse:
    """Add a response for someone who answers by phone."""
    found = get_form(request, id)
    answers, problems, others = parse_answers(request.POST, found), {}, []
    if request.method == "POST":
        try:
            added = call_tool(request, response_tools.save_responses, id=id, items=[{"answers": answers}])["added"]
        except InvalidInputError as refusal:
            begin, issues = "items.0.answers.", refusal.issues
            problems = {one.path.removeprefix(begin): one.message for one in issues if one.path.startswith(begin)}
            others = [one.message for one in issues if not one.path.startswith(begin)]
        else:
            told = "It is written down, and marked as yours. Nobody is mailed."
            return redirect_with_message(request, told, f"{LAYOUT.home}/{id}/responses/{added[0]}")
    context = {
        "fields": present_fields(found, answers, problems),
        "problems": others,
        "is_wrong": bool(problems or others),
        "left_out": any(
            one["type"] in field_types.GUEST_ONLY_TYPES for page in found["pages"] for one in page["fields"]
        ),
        "url": f"{LAYOUT.home}/{id}/responses/add",
    }
    return LAYOUT.render_item_page(request, id, "form/add.html", context, 422 if context["is_wrong"] else 200)


@page()
def prefilled_link(request: SignedInRequest, id: str) -> HttpResponse:
    """Show a link to the form with prefilled answers."""
    found = get_form(request, id)
    answers = {key: value for key, value in parse_answers(request.GET, found).items() if not isinstance(value, dict)}
    pairs = [(key, part) for key, value in answers.items() for part in (value if isinstance(value, list) else [value])]
    made = f"{found['public_url']}?{urlencode(pairs)}" if pairs else ""
    wrong = call_tool(request, tools.try_answers, id=id, answers=answers)["errors"] if pairs else []
    problems = {one["key"]: one["message"] for one in wrong if one["key"] in answers}
    context = {
        "fields": [{**one, "other": False} for one in present_fields(found, answers, problems)],
        "link": made,
        "is_long": len(made) > MAX_LINK_LENGTH,
        "url": f"{LAYOUT.home}/{id}/share/link",
    }
    return LAYOUT.render_item_page(request, id, "form/link.html", context)
