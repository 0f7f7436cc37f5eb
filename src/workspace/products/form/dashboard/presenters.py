"""Presenters for the questions of a form."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext

from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import call_tool
from workspace.lib.errors import InvalidInputError, NotFoundError
from workspace.products.form import messages
from workspace.products.form.api import tools
from workspace.products.form.api.serializers import FormDetail
from workspace.products.form.dashboard.condition_text import ConditionWriter
from workspace.products.form.dashboard.field_type_labels import TYPE_NAMES
from workspace.products.form.dashboard.item_layout import LAYOUT

Row = dict[str, Any]
MAX_DRAWN_OPTIONS, MAX_DRAWN_STEPS = 8, 11


def get_form(request: SignedInRequest, id: str) -> FormDetail:
    return call_tool(request, tools.get, id=id)


def get_question(form: FormDetail, key: str) -> Row:
    """Return a question. Raise NotFoundError if it does not exist."""
    for page in form["pages"]:
        for field in page["fields"]:
            if field["key"] == key:
                return {**field, "page": page["key"]}
    raise NotFoundError(messages.QUESTION_NOT_FOUND)


def page_name(page: Mapping[str, Any], number: int) -> str:
    return page["title"] or gettext("Page %(number)s") % {"number": number}


def present_pages(form: FormDetail) -> list[Row]:
    """Prepare the pages and their questions: `name`, type, and a sentence that explains when a question is shown."""
    url = f"{LAYOUT.home}/{form['id']}"
    words = ConditionWriter(form["pages"])
    several = len(form["pages"]) > 1
    return [
        {
            "key": page["key"],
            "title": page["title"],
            "name": page_name(page, number),
            "is_named": several or bool(page["title"]),
            "url": f"{url}/pages/{page['key']}",
            "new_url": f"{url}/add?page={page['key']}",
            "jumps": words.format_jumps(page),
            "never": page["key"] in form["never"],
            "first": number == 1,
            "questions": [_present_question(field, url, words) for field in page["fields"]],
        }
        for number, page in enumerate(form["pages"], 1)
    ]


def _present_question(field: Row, url: str, writer: ConditionWriter) -> Row:
    return {
        "key": field["key"],
        "name": field["label"],
        "type": field["type"],
        "kind": TYPE_NAMES[field["type"]],
        "is_text": field["type"] in ("text", "consent"),
        "hint": field.get("hint", ""),
        "placeholder": field.get("placeholder", ""),
        "options": [option["label"] for option in field.get("options", ())][:MAX_DRAWN_OPTIONS],
        "more": max(0, len(field.get("options", ())) - MAX_DRAWN_OPTIONS),
        "steps": _list_steps(field),
        "required": field.get("required", False),
        "count": len(field.get("options", ())),
        "shown_if": writer.format_condition(field["show_if"]) if "show_if" in field else "",
        "required_if": writer.format_condition(field["require_if"]) if "require_if" in field else "",
        "url": f"{url}/questions/{field['key']}",
    }


def _list_steps(field: Row) -> list[int]:
    """Return the stars of a rating or the numbers of a scale, as far as the editor draws them."""
    if field["type"] == "rating":
        return list(range(1, int(field.get("max") or 5) + 1))
    if field["type"] == "scale":
        least, most = int(field.get("min") or 0), int(field.get("max") or 10)
        return list(range(least, min(most, least + MAX_DRAWN_STEPS - 1) + 1))
    return []


def describe_other_problems(refusal: InvalidInputError, pages: Sequence[Mapping[str, Any]]) -> str:
    """Describe the errors of questions other than the saved one. The sentences contain the names of the questions."""
    lines, words = [], ConditionWriter(pages)
    for issue in refusal.issues:
        parts = issue.path.split(".")
        lines.append(f"{_locate_problem(parts, pages)}{words.format_problem(issue.message)}")
    return join_sentences(lines)


def join_sentences(texts: Iterable[str]) -> str:
    """Join sentences, ending each with a period and leaving out duplicates."""
    return " ".join(text if text.endswith((".", "?", "!")) else f"{text}." for text in dict.fromkeys(texts))


def _locate_problem(parts: Sequence[str], pages: Sequence[Mapping[str, Any]]) -> str:
    if len(parts) < 4 or parts[0] != "pages" or not parts[1].isdigit() or not parts[3].isdigit():
        return ""
    page = pages[int(parts[1])] if int(parts[1]) < len(pages) else {}
    if parts[2] == "next":
        return gettext("Jump of “%(page)s”: ") % {"page": page_name(page, int(parts[1]) + 1)} if page else ""
    fields = page.get("fields", ())
    return f"“{fields[int(parts[3])]['label']}”: " if int(parts[3]) < len(fields) else ""
