"""What a form asks, as its owner's pages show it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import call
from workspace.lib.errors import InvalidInput, NotFound
from workspace.products.form.api import tools
from workspace.products.form.api.serializers import FormWhole
from workspace.products.form.dashboard.condition_text import Sentences
from workspace.products.form.dashboard.field_type_labels import NAMES
from workspace.products.form.dashboard.layout import FRAME

Row = dict[str, Any]


def find(request: SignedInRequest, id: str) -> FormWhole:
    return call(request, tools.get, id=id)


def question_of(found: FormWhole, key: str) -> Row:
    """Raises NotFound."""
    for page in found["pages"]:
        for field in page["fields"]:
            if field["key"] == key:
                return {**field, "page": page["key"]}
    raise NotFound("This question is not there any more")


def page_name(page: Mapping[str, Any], number: int) -> str:
    return page["title"] or f"Page {number}"


def pages_shown(found: FormWhole) -> list[Row]:
    """Pages with their questions: of each its `name`, what kind it is, and when it is shown, as a sentence."""
    url = f"{FRAME.home}/{found['id']}"
    words = Sentences(found["pages"])
    several = len(found["pages"]) > 1
    return [
        {
            "key": page["key"],
            "title": page["title"],
            "name": page_name(page, number),
            "is_named": several or bool(page["title"]),
            "url": f"{url}/pages/{page['key']}",
            "new_url": f"{url}/add?page={page['key']}",
            "jumps": words.jumps(page),
            "never": page["key"] in found["never"],
            "first": number == 1,
            "questions": [_question(field, url, words) for field in page["fields"]],
        }
        for number, page in enumerate(found["pages"], 1)
    ]


def _question(field: Row, url: str, words: Sentences) -> Row:
    return {
        "key": field["key"],
        "name": field["label"],
        "type": field["type"],
        "kind": NAMES[field["type"]],
        "required": field.get("required", False),
        "count": len(field.get("options", ())),
        "shown_if": words.condition(field["show_if"]) if "show_if" in field else "",
        "required_if": words.condition(field["require_if"]) if "require_if" in field else "",
        "url": f"{url}/questions/{field['key']}",
    }


def said_elsewhere(refusal: InvalidInput, pages: Sequence[Mapping[str, Any]]) -> str:
    """What is wrong with other questions than the one that was saved, each by its name."""
    told, words = [], Sentences(pages)
    for issue in refusal.issues:
        parts = issue.path.split(".")
        told.append(f"{_name_at(parts, pages)}{words.problem(issue.message)}")
    return ". ".join(dict.fromkeys(told))


def _name_at(parts: Sequence[str], pages: Sequence[Mapping[str, Any]]) -> str:
    if len(parts) < 4 or parts[0] != "pages" or not parts[1].isdigit() or not parts[3].isdigit():
        return ""
    page = pages[int(parts[1])] if int(parts[1]) < len(pages) else {}
    if parts[2] == "next":
        return f"The jump of “{page_name(page, int(parts[1]) + 1)}”: " if page else ""
    fields = page.get("fields", ())
    return f"“{fields[int(parts[3])]['label']}”: " if int(parts[3]) < len(fields) else ""
