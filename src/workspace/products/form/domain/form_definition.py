"""Saving a form's definition, as a whole or by field. Each change creates a version."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from workspace.lib.errors import InvalidInputError, Issue
from workspace.products.form import messages
from workspace.products.form.models import Form, FormVersion
from workspace.products.form.rules.definition_as_input import pages_as_input
from workspace.products.form.rules.definition_fields import types_by_key
from workspace.products.form.rules.field_types import PAGE
from workspace.products.form.rules.form_input import parse_form
from workspace.tools.object_parser import Issues
from workspace.tools.validation import MAX_ISSUES

_EMPTY_VALUES: tuple[Any, ...] = ("", [], {})  # values that remove a setting
DEFAULT_FIELDS = [
    {"label": "Your name", "key": "name", "required": True},
    {"label": "Email", "key": "email", "type": "email", "required": True},
    {"label": "Your message", "key": "message", "type": "long_text", "required": True},
]


def parse_definition(
    *, fields: Any = None, pages: Any = None, taken_keys: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """Return the definition to store. Raise InvalidInputError with all errors found."""
    if fields is not None and pages is not None:
        raise InvalidInputError.at_path("pages", messages.FIELDS_AND_PAGES)
    definition, issues = parse_form(fields=fields, pages=pages, taken_keys=taken_keys)
    raise_issues(issues)
    return definition


def raise_issues(issues: Issues) -> None:
    """Raise InvalidInputError with the first issues and the number of remaining ones."""
    if issues:
        left = len(issues) - MAX_ISSUES
        more = [Issue("", messages.MORE_ERRORS(count=left))] if left > 0 else []
        raise InvalidInputError([*issues[:MAX_ISSUES], *more])


def save_definition(form: Form, *, fields: Any = None, pages: Any = None) -> bool:
    """Save a definition. Return whether it differs from the current one."""
    before = form.definition
    now = types_by_key(before)
    taken = {key: type for key, type in form.keys.items() if key not in now}
    definition = parse_definition(fields=fields, pages=pages, taken_keys=taken)
    if definition == before:
        return False
    version = FormVersion.create_next(form, definition)
    form.change(version=version.number, keys={**form.keys, **types_by_key(definition)})
    return True


def create_form(account: Any, *, definition: dict[str, Any], **fields: Any) -> Form:
    form = Form.open(account, keys=types_by_key(definition), **fields)
    FormVersion.objects.create(form=form, number=1, body=definition)
    return form


def save_fields(
    form: Form,
    items: Sequence[Any],
    *,
    pages: Sequence[Mapping[str, Any]] | None,
    remove: Sequence[str],
    order: Sequence[str] | None,
) -> bool:
    """Add, change, remove and order fields.

    In a field with an existing key, only the given settings change, and an empty string, list or object removes a
    setting. Other fields are added. `pages` contains keys, titles and jumps. Raise InvalidInputError with the caller's
    paths.
    """
    input_pages = pages_as_input(form.definition)
    places = {field["key"]: (page, field) for page in input_pages for field in page["fields"]}
    issues = Issues()
    _remove_fields(input_pages, remove, places, issues)
    if pages is not None:
        input_pages = _update_pages(input_pages, pages, issues)
    by_name = {page["key"]: page for page in input_pages}
    paths: dict[int, str] = {}
    for place, value in enumerate(items):
        path = f"items.{place}"
        item = _parse_item(value, path, by_name, issues)
        if item is None:
            continue
        to, key = item.pop("page", None), item.get("key")
        existing = places.get(key) if isinstance(key, str) and key not in remove else None
        if existing is not None:
            _update_field(existing, item, to, by_name, input_pages)
            paths[id(existing[1])] = path
        else:
            if not input_pages:
                input_pages = [{"key": "page_1", "title": "", "fields": []}]
                by_name["page_1"] = input_pages[0]
            target = by_name[to] if to is not None else input_pages[-1]
            target["fields"].append(item)
            paths[id(item)] = path
    if order is not None:
        _reorder_fields(input_pages, order, issues)
    raise_issues(issues)
    before = form.definition
    now = types_by_key(before)
    taken = {key: type for key, type in form.keys.items() if key not in now or key in remove}
    definition, issues = parse_form(pages=input_pages, taken_keys=taken)
    raise_issues(_relocate_issues(issues, input_pages, paths))
    if definition == before:
        return False
    version = FormVersion.create_next(form, definition)
    form.change(version=version.number, keys={**form.keys, **types_by_key(definition)})
    return True


def _remove_fields(
    pages: list[dict[str, Any]], remove: Sequence[str], known_keys: Mapping[str, Any], issues: Issues
) -> None:
    for place, removed in enumerate(remove):
        if removed not in known_keys:
            issues.add(f"remove.{place}", messages.FIELD_NOT_FOUND(key=removed[:60]))
    raise_issues(issues)
    for page in pages:
        page["fields"] = [field for field in page["fields"] if field["key"] not in set(remove)]


def _parse_item(value: Any, path: str, fields_by_key: Mapping[str, Any], issues: Issues) -> dict[str, Any] | None:
    """Parse a field as given, with its page. Return None if it is invalid."""
    if not isinstance(value, Mapping):
        issues.add(path, messages.OBJECT_EXPECTED)
    elif value.get("type") == PAGE:
        issues.add(f"{path}.type", messages.PAGES_BELONG_IN_PAGES)
    elif (page_key := value.get("page")) is not None and page_key not in fields_by_key:
        issues.add(f"{path}.page", messages.PAGE_NOT_FOUND(key=str(page_key)[:60]))
    else:
        return dict(value)
    return None


def _update_field(
    existing: tuple[dict[str, Any], dict[str, Any]],
    item: dict[str, Any],
    page_key: str | None,
    fields_by_key: Mapping[str, dict[str, Any]],
    pages: list[dict[str, Any]],
) -> None:
    """Update an existing field, and move it if another page is given."""
    page, known = existing
    known.update(item)
    for name in [name for name in item if item[name] in _EMPTY_VALUES and name != "label"]:
        del known[name]
    if page_key is not None and page is not fields_by_key[page_key]:
        for other in pages:
            other["fields"] = [field for field in other["fields"] if field is not known]
        fields_by_key[page_key]["fields"].append(known)


def _update_pages(
    current_pages: list[dict[str, Any]], pages: Sequence[Mapping[str, Any]], issues: Issues
) -> list[dict[str, Any]]:
    """Return the pages in the given order. Fields of omitted pages move to the page before."""
    known = {page["key"]: page for page in current_pages}
    results: list[dict[str, Any]] = []
    for number, fields in enumerate(pages):
        key = fields.get("key") or f"page_{len(known) + number + 1}"
        page = {
            **known.get(key, {"fields": []}),
            **{name: value for name, value in fields.items() if value is not None},
        }
        results.append({"title": "", **page, "key": key})
    if not results:
        issues.add("pages", messages.PAGES_EMPTY)
        return current_pages
    stored = {page["key"] for page in results}
    for place, page in enumerate(current_pages):
        if page["key"] in stored or not page["fields"]:
            continue
        before = next(
            (item["key"] for item in reversed(current_pages[:place]) if item["key"] in stored), results[0]["key"]
        )
        next(item for item in results if item["key"] == before)["fields"].extend(page["fields"])
    return results


def _reorder_fields(pages: list[dict[str, Any]], order: Sequence[str], issues: Issues) -> None:
    """Order the fields by the complete list of keys. Each field stays on its page."""
    keys = [field.get("key") for page in pages for field in page["fields"]]
    if sorted(order) != sorted(key for key in keys if key) or None in keys:
        issues.add("order", messages.ORDER_INCOMPLETE)
        return
    for page in pages:
        page["fields"].sort(key=lambda field: order.index(field["key"]))


def _relocate_issues(issues: Issues, pages: list[dict[str, Any]], paths: Mapping[int, str]) -> Issues:
    """Move issues about a field to the path of the item that caused them. Other issues keep their path in the form."""
    result = Issues()
    for issue in issues:
        parts = issue.path.split(".")
        path = issue.path
        if parts[0] == "pages" and len(parts) > 3 and parts[2] == "fields":
            field = pages[int(parts[1])]["fields"][int(parts[3])]
            if id(field) in paths:
                path = ".".join([paths[id(field)], *parts[4:]])
        result.add(path, issue.text)
    return result
