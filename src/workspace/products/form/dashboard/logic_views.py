"""The pages for a form's logic: rules for questions and pages as sentences, and trying answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext

from workspace.dashboard.item_presenters import redirect_with_message
from workspace.dashboard.session import SignedInRequest, is_partial, redirect_full_page
from workspace.dashboard.tool_views import call_tool, page
from workspace.lib.errors import InvalidInputError
from workspace.owner_translation import owner_gettext_lazy
from workspace.products.form.api import tools
from workspace.products.form.api.serializers import FormDetail
from workspace.products.form.dashboard import condition_rows, manual_response_views, page_map
from workspace.products.form.dashboard.condition_text import ConditionWriter
from workspace.products.form.dashboard.field_type_labels import settings_for
from workspace.products.form.dashboard.item_layout import LAYOUT
from workspace.products.form.dashboard.presenters import describe_other_problems, get_form, get_question, page_name
from workspace.products.form.dashboard.question_list import pages_without_fields, render_question_list
from workspace.products.form.rules.reachability import find_paths

SAVED_MESSAGE = owner_gettext_lazy("Logic saved.")


@dataclass(frozen=True, slots=True)
class Rule:
    """A kind of rule.

    `name` is the tool's argument, and `part` the segment of the URL. The other fields are labels and messages.
    """

    name: str
    part: str
    title: str
    empty_text: str
    add_label: str
    heading: str
    condition_label: str
    otherwise: str
    add_button: str
    applies_to: Callable[[Mapping[str, Any]], bool]


RULES = {
    "questions": Rule(
        "show_if",
        "questions",
        owner_gettext_lazy("Conditional questions"),
        owner_gettext_lazy("All questions are always shown."),
        owner_gettext_lazy("Show only when a condition is met"),
        owner_gettext_lazy("Condition to show “%(question)s”"),
        owner_gettext_lazy("Show this question when"),
        owner_gettext_lazy("Without a condition, the question is always shown."),
        owner_gettext_lazy("Add condition"),
        lambda item: True,
    ),
    "required": Rule(
        "require_if",
        "required",
        owner_gettext_lazy("Conditionally required questions"),
        owner_gettext_lazy("No questions are conditionally required."),
        owner_gettext_lazy("Require only when a condition is met"),
        owner_gettext_lazy("Condition to require “%(question)s”"),
        owner_gettext_lazy("Require an answer when"),
        owner_gettext_lazy("Without a condition, the question stays optional."),
        owner_gettext_lazy("Add requirement"),
        lambda item: "required" in settings_for(item["type"]) and not item.get("required"),
    ),
}
UNTESTED_TYPES = ("file", "signature")
HIDDEN_REASONS = {
    "page": owner_gettext_lazy("hidden: its page isn’t reached"),
    "section": owner_gettext_lazy("hidden: its section isn’t shown"),
    "show_if": owner_gettext_lazy("hidden: its condition isn’t met"),
}


@page()
def logic(request: SignedInRequest, id: str) -> HttpResponse:
    form = get_form(request, id)
    url = f"{LAYOUT.home}/{id}/logic"
    if key := request.GET.get("question", ""):
        rule = RULES["required" if request.GET.get("rule") == "required" else "questions"]
        return redirect_full_page(request, f"{url}/{rule.part}/{get_question(form, key)['key']}")
    words, item = ConditionWriter(form["pages"]), LAYOUT.get_item(request, id)
    stops, width = page_map.build_page_map(form["pages"], find_paths(item.definition), words)
    fields = [field for page in form["pages"] for field in page["fields"]]
    context = {
        "form_detail": form,
        "rules": [
            {
                "rule": rule,
                "rows": [
                    {"key": field["key"], "name": field["label"], "when": words.format_condition(field[rule.name]),
                     "never": rule.name == "show_if" and field["key"] in form["never"],
                     "url": f"{url}/{rule.part}/{field['key']}"}
                    for field in fields if rule.name in field
                ],
                "free": [
                    (field["key"], field["label"])
                    for field in fields
                    if rule.name not in field and rule.applies_to(field)
                ],
            }
            for rule in RULES.values()
        ],
        "stops": stops,
        "width": width,
    }  # fmt: skip
    return LAYOUT.render_page(request, item, "form/owner/logic.html", context)


@page("GET", "HEAD", "POST")
def edit_rule(request: SignedInRequest, id: str, key: str, part: str = "questions") -> HttpResponse:
    """Edit the rule for when a question is shown or required."""
    form, rule = get_form(request, id), RULES[part]
    is_in_list = request.GET.get("at") == "question"  # opened in the list of questions, not on the logic page
    row = get_question(form, key)
    writer = ConditionWriter(form["pages"])
    parts = condition_rows.split_condition(row.get(rule.name))
    joint, rows = (
        (parts[0], condition_rows.build_rows(parts[1], writer))
        if parts
        else ("all", condition_rows.build_rows([], writer))
    )
    problems: list[str] = []
    if request.method == "POST":
        joint, rows = request.POST.get("joint", "all"), condition_rows.parse_rows(request.POST)
    if request.method == "POST" and "_redraw" not in request.POST:
        fields = condition_rows.build_condition(rows, joint, writer.fields) or {}
        try:
            call_tool(request, tools.save_fields, id=id, items=[{"key": key, rule.name: fields}])
        except InvalidInputError as refusal:
            problems = _add_messages_to_rows(refusal, f"items.0.{rule.name}", rows, form)
        else:
            if is_in_list:
                return render_question_list(request, id, str(SAVED_MESSAGE), focus=key)
            return redirect_with_message(request, SAVED_MESSAGE, f"{LAYOUT.home}/{id}/logic")
    condition_rows.add_choices(rows, writer)
    place = next(n for n, page in enumerate(form["pages"]) if page["key"] == row["page"])
    context = {
        "heading": rule.heading % {"question": row["label"][:90]},
        "asked": rule.condition_label,
        "otherwise": rule.otherwise,
        "joint": joint,
        "rows": rows,
        "problems": problems,
        "nested": writer.format_condition(row[rule.name]) if parts is None else "",
        "choices": condition_rows.list_condition_fields(form["pages"], place, key),
        "url": f"{LAYOUT.home}/{id}/logic/{part}/{key}{'?at=question' if is_in_list else ''}",
    }
    return _render_part(request, id, "rule_form", context, 422 if problems else 200, f"{part}-{key}")


@page("GET", "HEAD", "POST")
def edit_jumps(request: SignedInRequest, id: str, part: str) -> HttpResponse:
    """Edit where guests go after a page. The first jump whose condition is met is used."""
    form = get_form(request, id)
    place = next((n for n, page in enumerate(form["pages"]) if page["key"] == part), -1)
    items = pages_without_fields(form, part)
    writer, page_data = ConditionWriter(form["pages"]), form["pages"][place]
    leaps = [_present_jump(item, writer) for item in page_data.get("next", ())]
    problems: list[str] = []
    if request.method == "POST":
        leaps, entry = _parse_jumps(request, page_data, writer, with_blanks="_redraw" in request.POST)
    if request.method == "POST" and "_redraw" not in request.POST:
        items[place]["next"] = entry
        try:
            call_tool(request, tools.save_fields, id=id, pages=items)
        except InvalidInputError as refusal:
            for issue in refusal.issues:
                path_parts = issue.path.split(".")
                number = (
                    int(path_parts[3])
                    if len(path_parts) > 3 and path_parts[2] == "next" and path_parts[3].isdigit()
                    else None
                )
                is_own_jump = path_parts[1:2] == [str(place)] and number is not None and number < len(entry)
                text = writer.format_condition_problem(issue.message)
                if is_own_jump and number is not None:
                    next(leap for leap in leaps if leap["given"] is entry[number])["problem"] = text
                problems.append(
                    text if is_own_jump else describe_other_problems(InvalidInputError([issue]), form["pages"])
                )
        else:
            return redirect_with_message(request, SAVED_MESSAGE, f"{LAYOUT.home}/{id}/logic")
    if "_redraw" not in request.POST:
        leaps.append({"to": "", "row": condition_rows.build_rows([], writer, 1)[0], "nested": "", "kept": ""})
    condition_rows.add_choices([leap["row"] for leap in leaps], writer)
    later = [(page["key"], page_name(page, n + 1)) for n, page in enumerate(form["pages"]) if n > place]
    context = {
        "heading": gettext("After “%(page)s”") % {"page": page_name(page_data, place + 1)},
        "leaps": leaps,
        "problems": problems,
        "targets": [*later, ("end", gettext("End of the form"))],
        "choices": condition_rows.list_condition_fields(form["pages"], place),
        "url": f"{LAYOUT.home}/{id}/logic/pages/{part}",
    }
    return _render_part(request, id, "jump_form", context, 422 if problems else 200, f"jumps-{part}")


@page("GET", "HEAD", "POST")
def try_form(request: SignedInRequest, id: str) -> HttpResponse:
    """Show which pages and questions a guest with the typed answers would see."""
    form = get_form(request, id)
    trial: tools.TrialResult | None = None
    answers: dict[str, Any] = {}
    if request.method == "POST":
        answers = manual_response_views.parse_answers(request.POST, form, UNTESTED_TYPES)
        trial = call_tool(request, tools.try_answers, id=id, answers=answers)
    names = {page["key"]: page_name(page, number) for number, page in enumerate(form["pages"], 1)}
    context = {
        "fields": manual_response_views.present_fields(form, answers, {}, UNTESTED_TYPES),
        "trial": trial,
        "outcome": _present_results(form, trial) if trial else [],
        "passed": [name for key, name in names.items() if trial and key in trial["pages"]],
        "url": f"{LAYOUT.home}/{id}/logic/try",
    }
    return LAYOUT.render_item_page(request, id, "form/owner/test.html", context)


def _present_results(form: FormDetail, trial: tools.TrialResult) -> list[dict[str, Any]]:
    """Return for each question whether it is shown, or why not, the error of its answer, and its calculated value."""
    wrong = {error["key"]: error["message"] for error in trial["errors"]}
    return [
        {
            "name": field["label"],
            "shown": field["key"] in trial["shown"],
            "why": HIDDEN_REASONS.get(trial["why"].get(field["key"], ""), ""),
            "required": field["key"] in trial["required"],
            "wrong": wrong.get(field["key"], ""),
            "kept": trial["kept"].get(field["key"]) if field["type"] == "calculated" else None,
        }
        for page in form["pages"]
        for field in page["fields"]
    ]


def _add_messages_to_rows(
    error: InvalidInputError, path_prefix: str, rows: list[dict[str, Any]], form: FormDetail
) -> list[str]:
    """Add each message to its row. Return all messages."""
    lines, writer = [], ConditionWriter(form["pages"])
    for issue in error.issues:
        row, text = (
            condition_rows.find_problem_row(issue.path, path_prefix, rows),
            writer.format_condition_problem(issue.message),
        )
        if row is not None:
            rows[row]["problem"] = text
        elsewhere = not issue.path.startswith("items.")
        lines.append(describe_other_problems(InvalidInputError([issue]), form["pages"]) if elsewhere else text)
    return lines


def _present_jump(jump: dict[str, Any], writer: ConditionWriter) -> dict[str, Any]:
    parts = condition_rows.split_condition(jump.get("if"))
    simple = parts is not None and len(parts[1]) < 2
    row = condition_rows.build_rows(parts[1] if parts and simple else [], writer, 1)[0]
    return {
        "to": jump["go_to"],
        "row": row,
        "nested": "" if simple else writer.format_condition(jump["if"]),
        "kept": "",
    }


def _parse_jumps(
    request: SignedInRequest, page: Any, writer: ConditionWriter, *, with_blanks: bool = False
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return the jumps as typed, and in the format of the tool. A jump with several conditions is not changed."""
    targets, stored = request.POST.getlist("to")[:30], request.POST.getlist("kept")[:30]
    rows, before = condition_rows.parse_rows(request.POST), page.get("next", [])
    jumps, entries = [], []
    for place, (to, row) in enumerate(zip(targets, rows, strict=False)):
        if not to and not with_blanks:
            continue
        old = before[place] if place < len(before) and place < len(stored) and stored[place] else None
        condition = old.get("if") if old else condition_rows.build_condition([row], "all", writer.fields)
        fields = {"go_to": to, **({"if": condition} if condition else {})}
        jumps.append({"to": to, "row": row, "nested": writer.format_condition(condition) if old and condition else "",
                      "given": fields})  # fmt: skip
        entries.append(fields)
    return jumps, entries


def _render_part(
    request: SignedInRequest, id: str, template_name: str, context: dict[str, Any], status: int, element_id: str
) -> HttpResponse:
    redrawn = request.POST.get("_redraw", "")
    is_here = "_here" in request.POST if redrawn else is_partial(request)
    context = {**context, "back": f"{LAYOUT.home}/{id}/logic", "in_place": is_here}
    if redrawn and is_partial(request):
        context["redrawn"] = int(redrawn) if redrawn.isdecimal() and len(redrawn) < 4 else 0
        return render(request, f"form/owner/parts/{template_name}.html", context)
    if not is_partial(request):
        return LAYOUT.render_item_page(
            request,
            id,
            "form/owner/question.html",
            {**context, "part": f"form/owner/parts/{template_name}.html"},
            status,
        )
    response = render(request, f"form/owner/parts/{template_name}.html", context, status=status)
    response.headers["HX-Retarget"], response.headers["HX-Reswap"] = f"#{element_id}", "innerHTML"
    return response
