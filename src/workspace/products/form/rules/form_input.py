"""A parser for a whole form.

It returns the definition to store: pages of fields, each with the order of its fields by dependency. Common synonyms of
keys are accepted. All errors are reported at once, at the paths that the caller wrote.

    {"pages": [{"key": "p1", "title": "", "fields": [field, …], "order": [key, …],
                "next": [{"if": condition, "go_to": "p3"}]}]}

A field contains `key, label, type`, and those of the following that were given: `required, hint, placeholder, default,
options, other, min, max, step, whole, decimals, min_length, max_length, pattern, program, accept, max_files, max_mb,
show_if, require_if, hidden, begins_section, section, formula, tree, scores`. Numbers are strings. `program` is a
compiled pattern, `tree` a parsed formula, and `scores` the scores that it uses. `section` is the key of the heading
that also hides the field.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from workspace.lib.messages import Message
from workspace.products.form import messages
from workspace.products.form.rules import field_types
from workspace.products.form.rules.condition_parser import ConditionParser
from workspace.products.form.rules.field_dependencies import FieldOrdering
from workspace.products.form.rules.field_input import FieldInput, parse_field, parse_key
from workspace.products.form.rules.formula_parser import referenced_keys
from workspace.products.form.rules.key_assigner import KeyAssigner
from workspace.tools.object_parser import Issues, ObjectReader, line_parser, parse_array

MAX_FIELDS, MAX_PAGES, MAX_OPTIONS, MAX_JUMPS = 200, 50, 1000, 20
MAX_NAMED_FIELDS = 12  # fields listed in an error message
MAX_DEFINITION_LENGTH = 300_000  # characters of JSON
PAGE_SETTINGS = {"key": ("id", "name"), "title": ("label",), "fields": ("questions",), "next": ("jumps",)}
JUMP_SETTINGS = {"if": ("when", "show_if"), "go_to": ("goto", "then", "page")}
END = "end"


@dataclass(slots=True)
class PageInput:
    """A page while it is parsed, with its path."""

    key: str
    title: str
    path: str
    given_next: Any = None
    fields: list[FieldInput] = field(default_factory=list)


def parse_form(
    *, fields: Any = None, pages: Any = None, taken_keys: Mapping[str, str] | None = None, path: str = ""
) -> tuple[dict[str, Any], Issues]:
    """Parse `fields` or `pages`, whichever is given.

    `taken_keys` contains keys of earlier fields and their types. New fields must not use these keys. `path` is the
    prefix of the issues' paths.
    """
    issues = Issues()
    keys = KeyAssigner(taken_keys or {}, issues)
    if pages is not None:
        page_inputs = _parse_pages(pages, _join_path(path, "pages"), keys, issues)
    else:
        page_inputs = _split_into_pages(fields if fields is not None else [], _join_path(path, "fields"), keys, issues)
    definition = _build_definition(page_inputs, keys, issues)
    if not issues and len(json.dumps(definition, ensure_ascii=False)) > MAX_DEFINITION_LENGTH:
        issues.add(_join_path(path, "fields"), messages.FORM_TOO_LARGE)
    return definition, issues


def _parse_pages(value: Any, path: str, keys: KeyAssigner, issues: Issues) -> list[PageInput]:
    pages = []
    for place, item in enumerate(parse_array(value, path, MAX_PAGES, issues)):
        entry = ObjectReader(item, f"{path}.{place}", PAGE_SETTINGS, issues, "a page")
        page = _parse_page(entry, keys, place)
        if entry.has_key("fields"):
            key = entry.given_key("fields")
            for number, inner in enumerate(parse_array(entry.values[key], entry.key_path(key), MAX_FIELDS, issues)):
                page.fields.append(parse_field(inner, f"{entry.key_path(key)}.{number}", issues))
        entry.reject_unknown_keys()
        pages.append(page)
    _check_counts(pages, path, issues)
    return pages


def _split_into_pages(given: Any, path: str, keys: KeyAssigner, issues: Issues) -> list[PageInput]:
    """Split a list of fields into pages. Each field of the type `page` starts a page."""
    pages: list[PageInput] = []
    for place, item in enumerate(parse_array(given, path, MAX_FIELDS + MAX_PAGES, issues)):
        at = f"{path}.{place}"
        type_name = item.get("type") if isinstance(item, Mapping) else None
        if isinstance(type_name, str) and field_types.parse_type(type_name) == field_types.PAGE:
            entry = ObjectReader(
                {key: value for key, value in item.items() if key != "type"}, at, PAGE_SETTINGS, issues, "a page"
            )
            pages.append(_parse_page(entry, keys, len(pages)))
            if entry.has_key("fields"):
                entry.add_issue("fields", messages.FIELDS_FOLLOW_PAGE)
            entry.reject_unknown_keys()
            continue
        if not pages:
            pages.append(PageInput(keys.assign_page_key("", "", 0, at), "", at))
        pages[-1].fields.append(parse_field(item, at, issues))
    _check_counts(pages, path, issues)
    return pages


def _parse_page(entry: ObjectReader, keys: KeyAssigner, place: int) -> PageInput:
    title = entry.read_key("title", line_parser(200), "")
    key = keys.assign_page_key(
        entry.read_key("key", parse_key, ""), title, place, entry.key_path(entry.given_key("key"))
    )
    value = entry.values.get(entry.given_key("next")) if entry.has_key("next") else None
    return PageInput(key, title, entry.path, value)


def _check_counts(pages: list[PageInput], path: str, issues: Issues) -> None:
    if len(pages) > MAX_PAGES:
        issues.add(path, messages.PAGE_LIMIT(most=MAX_PAGES))
    if sum(len(page.fields) for page in pages) > MAX_FIELDS:
        issues.add(path, messages.FIELD_LIMIT(most=MAX_FIELDS))
    if sum(len(field.definition.get("options", ())) for page in pages for field in page.fields) > MAX_OPTIONS:
        issues.add(path, messages.OPTION_LIMIT(most=f"{MAX_OPTIONS:,}"))


def _build_definition(pages: list[PageInput], keys: KeyAssigner, issues: Issues) -> dict[str, Any]:
    """Resolve everything that depends on other fields: keys, conditions, formulas, jumps, and the order."""
    keys.assign_field_keys([field for page in pages for field in page.fields])
    ordering = FieldOrdering(pages, issues)
    reader = ConditionParser(
        {field.key: field.definition for page in pages for field in page.fields if field.key}, issues
    )
    fields = []
    for number, page in enumerate(pages):
        section = ""
        for form_field in page.fields:
            section = _resolve_field(form_field, section, reader, ordering, issues)
        leaps = _parse_jumps(page, number, pages, reader, ordering, issues)
        result: dict[str, Any] = {
            "key": page.key,
            "title": page.title,
            "fields": [field.definition for field in page.fields],
            "order": ordering.order_fields(page),
        }
        fields.append({**result, "next": leaps} if leaps else result)
    return {"pages": fields}


def _resolve_field(
    field_input: FieldInput, section: str, reader: ConditionParser, ordering: FieldOrdering, issues: Issues
) -> str:
    """Resolve the conditions, the formula and the section of a field. Return the section of the next field."""
    if field_input.definition["type"] == "heading":
        section = ""
    elif section:
        field_input.definition["section"] = section
        ordering.require_field(field_input, section, f"{field_input.path}.show_if")
    for name, (value, path) in field_input.conditions.items():
        if (condition := reader.parse_condition(value, path)) is not None:
            field_input.definition[name] = condition
            for key in ordering.list_required_keys(condition):
                ordering.require_field(field_input, key, path if "field" not in condition else f"{path}.field")
    if "tree" in field_input.definition:
        _resolve_formula(field_input, reader, ordering, issues)
    if field_input.definition["type"] == "heading" and field_input.begins_section:
        section = field_input.key
    return section


def _resolve_formula(field_input: FieldInput, reader: ConditionParser, ordering: FieldOrdering, issues: Issues) -> None:
    scores, missing = {}, []
    for key in sorted(referenced_keys(field_input.definition["tree"])):
        target = reader.fields.get(key)
        if target is None:
            missing.append(key)
            continue
        problem, result = _check_formula_field(target)
        if problem:
            issues.add(field_input.formula_path, problem(key=key))
        elif result:
            scores[key] = result
        ordering.require_field(field_input, key, field_input.formula_path)
    if missing:
        suggestion = _suggest_fields(field_input, reader, ordering)
        keys = ", ".join(missing[:MAX_NAMED_FIELDS])
        text = messages.FIELDS_NOT_FOUND(count=len(missing), keys=keys, suggestion=suggestion)
        issues.add(field_input.formula_path, text)
    if scores:
        field_input.definition["scores"] = scores


def _check_formula_field(target: Mapping[str, Any]) -> tuple[Message | None, dict[str, str]]:
    """Return why a field cannot be used in a formula, or None, and the scores of its options."""
    family = field_types.answer_family(target["type"])
    if family in (field_types.NUMBER, field_types.YES_NO, field_types.TICK):
        return None, {}
    if family in (field_types.CHOICE, field_types.MULTI):
        scores = {option["value"]: option["score"] for option in target.get("options", ()) if "score" in option}
        return (None, scores) if scores else (messages.FIELD_WITHOUT_SCORES, {})
    return messages.FIELD_NOT_NUMERIC, {}


def _suggest_fields(field_input: FieldInput, reader: ConditionParser, ordering: FieldOrdering) -> Message:
    """Return a message with fields that a formula could use instead, limited to a readable number."""
    here = ordering.place[field_input.key]
    keys = [
        f"{{{key}}}"
        for key, other in reader.fields.items()
        if key != field_input.key and ordering.place[key] <= here and not _check_formula_field(other)[0]
    ]
    if not keys:
        return messages.NO_FORMULA_FIELDS
    names, more = ", ".join(keys[:MAX_NAMED_FIELDS]), len(keys) - MAX_NAMED_FIELDS
    return messages.FORMULA_FIELDS_AND_MORE(keys=names, count=more) if more > 0 else messages.FORMULA_FIELDS(keys=names)


def _parse_jumps(
    page: PageInput,
    number: int,
    pages: list[PageInput],
    reader: ConditionParser,
    ordering: FieldOrdering,
    issues: Issues,
) -> list[dict[str, Any]]:
    if page.given_next is None:
        return []
    path = f"{page.path}.next"
    places = {other.key: place for place, other in enumerate(pages)}
    jumps = []
    items = page.given_next if isinstance(page.given_next, list) else [page.given_next]
    for place, item in enumerate(parse_array(items, path, MAX_JUMPS, issues)):
        if isinstance(item, str):
            item = {"go_to": item}
        entry = ObjectReader(item, f"{path}.{place}", JUMP_SETTINGS, issues, "a jump")
        to = entry.read_key("go_to", line_parser(60, 1), "")
        if not entry.has_key("go_to") and entry.is_object:
            entry.add_issue("go_to", messages.JUMP_TARGET_NEEDED)
        elif to and to != END and to not in places:
            entry.add_issue("go_to", messages.PAGE_NOT_FOUND(key=to))
        elif to and to != END and places[to] <= number:
            entry.add_issue("go_to", messages.JUMP_BACKWARD)
        condition = None
        if entry.has_key("if"):
            key = entry.given_key("if")
            condition = reader.parse_condition(entry.values[key], entry.key_path(key))
            if condition is not None:
                ordering.check_page_condition(
                    page, condition, f"{entry.key_path(key)}.field" if "field" in condition else entry.key_path(key)
                )
        entry.reject_unknown_keys()
        jumps.append({"if": condition, "go_to": to} if condition else {"go_to": to})
    return jumps


def _join_path(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name
