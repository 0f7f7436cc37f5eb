"""A whole form as callers write it, read into what is stored: pages of fields, each with the order in which its fields
need one another. What callers write at a first guess is understood; all that is wrong is told at once, each at the path
that the caller wrote.

    {"pages": [{"key": "p1", "title": "", "fields": [field, …], "order": [key, …],
                "next": [{"if": condition, "go_to": "p3"}]}]}

A field holds what was said of it and no more: `key, label, type`, and of `required, hint, placeholder, default,
options, other, min, max, step, whole, decimals, min_length, max_length, pattern, program, accept, max_files, max_mb,
show_if, require_if, hidden, begins_section, section, formula, tree, scores` those that it has. Numbers are texts.
`program` is a pattern made ready to run, `tree` a formula, `scores` those that it counts with, `section` the key of the
heading that hides the field along with itself.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from workspace.products.form.rules import field_types
from workspace.products.form.rules.conditions import Reader
from workspace.products.form.rules.dependencies import Ordering
from workspace.products.form.rules.field_input import Field, read_field, read_key
from workspace.products.form.rules.formula import references
from workspace.products.form.rules.keys import Keys
from workspace.tools.object_parser import Entry, Issues, array, line

MOST_FIELDS, MOST_PAGES, MOST_OPTIONS, MOST_LEAPS = 200, 50, 1000, 20
MOST_NAMED = 12  # fields in a text that says which there are
LARGEST = 300_000  # characters of JSON
PAGE = {"key": ("id", "name"), "title": ("label",), "fields": ("questions",), "next": ("jumps",)}
LEAP = {"if": ("when", "show_if"), "go_to": ("goto", "then", "page")}
END = "end"


@dataclass(slots=True)
class Page:
    """While it is read: what it holds, and where that stands."""

    key: str
    title: str
    path: str
    given_next: Any = None
    fields: list[Field] = field(default_factory=list)


def read_form(
    *, fields: Any = None, pages: Any = None, taken: Mapping[str, str] | None = None, path: str = ""
) -> tuple[dict[str, Any], Issues]:
    """`fields` or `pages`, whichever was given. `taken`: keys of fields that there were, with their types: a new
    field takes none of them. `path` is put before each issue's."""
    issues = Issues()
    keys = Keys(taken or {}, issues)
    if pages is not None:
        found = _pages(pages, _under(path, "pages"), keys, issues)
    else:
        found = _broken_up(fields if fields is not None else [], _under(path, "fields"), keys, issues)
    definition = _joined(found, keys, issues)
    if not issues and len(json.dumps(definition, ensure_ascii=False)) > LARGEST:
        issues.at(_under(path, "fields"), "This form is too large: shorten its texts, or its lists of options")
    return definition, issues


def _pages(given: Any, path: str, keys: Keys, issues: Issues) -> list[Page]:
    found = []
    for place, one in enumerate(array(given, path, MOST_PAGES, issues)):
        entry = Entry(one, f"{path}.{place}", PAGE, issues, "a page")
        page = _page(entry, keys, place)
        if entry.has("fields"):
            key = entry.key("fields")
            for number, inner in enumerate(array(entry.given[key], entry.at(key), MOST_FIELDS, issues)):
                page.fields.append(read_field(inner, f"{entry.at(key)}.{number}", issues))
        entry.finish()
        found.append(page)
    _count(found, path, issues)
    return found


def _broken_up(given: Any, path: str, keys: Keys, issues: Issues) -> list[Page]:
    """A list of fields, in which each field of the type `page` begins a page."""
    found: list[Page] = []
    for place, one in enumerate(array(given, path, MOST_FIELDS + MOST_PAGES, issues)):
        at = f"{path}.{place}"
        told = one.get("type") if isinstance(one, Mapping) else None
        if isinstance(told, str) and field_types.type_of(told) == field_types.PAGE:
            entry = Entry({key: value for key, value in one.items() if key != "type"}, at, PAGE, issues, "a page")
            found.append(_page(entry, keys, len(found)))
            if entry.has("fields"):
                entry.wrong("fields", "The fields of a page follow it in this list")
            entry.finish()
            continue
        if not found:
            found.append(Page(keys.page("", "", 0, at), "", at))
        found[-1].fields.append(read_field(one, at, issues))
    _count(found, path, issues)
    return found


def _page(entry: Entry, keys: Keys, place: int) -> Page:
    title = entry.read("title", line(200), "")
    key = keys.page(entry.read("key", read_key, ""), title, place, entry.at(entry.key("key")))
    given = entry.given.get(entry.key("next")) if entry.has("next") else None
    return Page(key, title, entry.path, given)


def _count(pages: list[Page], path: str, issues: Issues) -> None:
    if len(pages) > MOST_PAGES:
        issues.at(path, f"At most {MOST_PAGES} pages")
    if sum(len(page.fields) for page in pages) > MOST_FIELDS:
        issues.at(path, f"At most {MOST_FIELDS} fields")
    if sum(len(one.said.get("options", ())) for page in pages for one in page.fields) > MOST_OPTIONS:
        issues.at(path, f"At most {MOST_OPTIONS:,} options in all")


def _joined(pages: list[Page], keys: Keys, issues: Issues) -> dict[str, Any]:
    """What depends on other fields: keys, conditions, formulas, jumps, and the order."""
    keys.name([one for page in pages for one in page.fields])
    ordering = Ordering(pages, issues)
    reader = Reader({one.key: one.said for page in pages for one in page.fields if one.key}, issues)
    told = []
    for number, page in enumerate(pages):
        section = ""
        for one in page.fields:
            section = _settle(one, section, reader, ordering, issues)
        leaps = _leaps(page, number, pages, reader, ordering, issues)
        found: dict[str, Any] = {
            "key": page.key,
            "title": page.title,
            "fields": [one.said for one in page.fields],
            "order": ordering.of(page),
        }
        told.append({**found, "next": leaps} if leaps else found)
    return {"pages": told}


def _settle(one: Field, section: str, reader: Reader, ordering: Ordering, issues: Issues) -> str:
    """Conditions and formula of a field, and its section; the section that goes on behind it."""
    if one.said["type"] == "heading":
        section = ""
    elif section:
        one.said["section"] = section
        ordering.need(one, section, f"{one.path}.show_if")
    for name, (given, path) in one.conditions.items():
        if (condition := reader.read(given, path)) is not None:
            one.said[name] = condition
            for key in ordering.needed_by(condition):
                ordering.need(one, key, path if "field" not in condition else f"{path}.field")
    if "tree" in one.said:
        _settle_formula(one, reader, ordering, issues)
    if one.said["type"] == "heading" and one.begins_section:
        section = one.key
    return section


def _settle_formula(one: Field, reader: Reader, ordering: Ordering, issues: Issues) -> None:
    scores, missing = {}, []
    for key in sorted(references(one.said["tree"])):
        target = reader.fields.get(key)
        if target is None:
            missing.append(key)
            continue
        problem, found = _counts(target)
        if problem:
            issues.at(one.formula_path, f"{key} {problem}")
        elif found:
            scores[key] = found
        ordering.need(one, key, one.formula_path)
    if missing:
        instead = _to_count_with(one, reader, ordering)
        issues.at(one.formula_path, f"There is no field {' and no field '.join(missing[:MOST_NAMED])}. {instead}")
    if scores:
        one.said["scores"] = scores


def _counts(target: Mapping[str, Any]) -> tuple[str, dict[str, str]]:
    """Whether a field can be counted with, and by which scores."""
    family = field_types.family(target["type"])
    if family in (field_types.NUMBER, field_types.YES_NO, field_types.TICK):
        return "", {}
    if family in (field_types.CHOICE, field_types.MULTI):
        scores = {option["value"]: option["score"] for option in target.get("options", ()) if "score" in option}
        return ("", scores) if scores else ("has no scores: give its options some", {})
    return "is no number", {}


def _to_count_with(one: Field, reader: Reader, ordering: Ordering) -> str:
    """What a formula could name instead, no more of it than can be read."""
    here = ordering.place[one.key]
    keys = [
        f"{{{key}}}"
        for key, other in reader.fields.items()
        if key != one.key and ordering.place[key] <= here and not _counts(other)[0]
    ]
    if not keys:
        return "Ask for a number first, or give options scores: then it can be counted with"
    more = f" and {len(keys) - MOST_NAMED} more" if len(keys) > MOST_NAMED else ""
    return f"It can count with {', '.join(keys[:MOST_NAMED])}{more}"


def _leaps(
    page: Page, number: int, pages: list[Page], reader: Reader, ordering: Ordering, issues: Issues
) -> list[dict[str, Any]]:
    if page.given_next is None:
        return []
    path = f"{page.path}.next"
    places = {other.key: place for place, other in enumerate(pages)}
    found = []
    given = page.given_next if isinstance(page.given_next, list) else [page.given_next]
    for place, one in enumerate(array(given, path, MOST_LEAPS, issues)):
        if isinstance(one, str):
            one = {"go_to": one}
        entry = Entry(one, f"{path}.{place}", LEAP, issues, "a jump")
        to = entry.read("go_to", line(60, 1), "")
        if not entry.has("go_to") and entry.is_object:
            entry.wrong("go_to", "Required: the key of a page, or end")
        elif to and to != END and to not in places:
            entry.wrong("go_to", f"There is no page {to}")
        elif to and to != END and places[to] <= number:
            entry.wrong("go_to", "Jumps go forward")
        condition = None
        if entry.has("if"):
            key = entry.key("if")
            condition = reader.read(entry.given[key], entry.at(key))
            if condition is not None:
                ordering.need_page(page, condition, f"{entry.at(key)}.field" if "field" in condition else entry.at(key))
        entry.finish()
        found.append({"if": condition, "go_to": to} if condition else {"go_to": to})
    return found


def _under(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name
