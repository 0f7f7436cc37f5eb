"""Converting submitted forms into arguments of a tool.

A field is named by its dotted path (`links.0.url`). In addition, a form has fields that start with an underscore.
`_has` names a field that the form shows although the browser may send nothing for it (an unchecked box, a list without
rows). `_once` is the token that turns a double submit into one call.

Numbers are parsed as people write them, by the same rules on all pages (`lib/number_fields.py`). These cover decimal
commas and points, thousands separators, and amounts with a currency. An ambiguous number remains text, and the form
shows a question.

When creating, an empty field leaves the argument out. When editing, it is sent as "" (or [] or {}), which clears it. An
optional argument equal to the current value is left out, so that a form never writes unchanged values.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.http import QueryDict

from workspace.dashboard.json_schema import Schema, item_schema, node_at, node_choices, node_kind
from workspace.lib import money, number_fields
from workspace.tools.validation import coerce_text

MARKER_FIELD = "_has"
TOKEN_FIELD = "_once"
MAX_DEPTH = 6
MAX_ROWS = 500

_TRUE, _FALSE = {"on", "true", "1", "yes"}, {"", "off", "false", "0", "no"}

Branch = dict[str, Any]  # part of a name → a Branch, or the list of texts submitted for it


class UnreadableNumber(str):
    """Text that is not a number although one is expected. `problem` is the reason, or a question."""

    problem: str

    def __new__(cls, text: str, problem: str) -> UnreadableNumber:
        made = super().__new__(cls, text)
        made.problem = problem
        return made


def parse_form(
    schema: Schema, post: QueryDict, number_kinds: Mapping[str, str] | None = None, country: str = ""
) -> dict[str, Any]:
    """Return all submitted arguments of the tool, with the types of the schema.

    A value of the wrong type remains text, which the tool rejects. Names that are not arguments belong to the page and
    are ignored. `number_kinds` maps paths without numbers (`variants.price`) to kinds of numbers
    (`lib/number_fields.py`). Amounts of a currency become plain decimal text, which tools accept. `country` is the
    country of the person who typed them.
    """
    known = schema.get("properties", {})
    tree: Branch = {}
    for name, texts in post.lists():
        if not name.startswith("_") and name.split(".")[0] in known:
            _set_at_path(tree, name, [str(text).replace("\r\n", "\n").replace("\r", "\n") for text in texts])
    for name in post.getlist(MARKER_FIELD):
        node = node_at(schema, name) if name.count(".") < MAX_DEPTH else None
        if node is not None and node_kind(node) in ("boolean", "array"):
            _set_at_path(tree, name, ["false"] if node_kind(node) == "boolean" else [])
    reading = _FormParser(schema, number_kinds or {}, country)
    return {name: reading.parse_value(node_at(schema, name) or {}, part, name) for name, part in tree.items()}


def find_unreadable_numbers(values: Any, path: str = "") -> dict[str, str]:
    """Return the problems of unreadable numbers, keyed by dotted path."""
    if isinstance(values, UnreadableNumber):
        return {path: values.problem}
    members = values.items() if isinstance(values, dict) else enumerate(values) if isinstance(values, list) else ()
    found: dict[str, str] = {}
    for name, value in members:
        found |= find_unreadable_numbers(value, f"{path}.{name}" if path else str(name))
    return found


def build_arguments(
    schema: Schema, values: dict[str, Any], *, editing: bool = False, initial: dict[str, Any] | None = None
) -> dict[str, Any]:
    """Build the tool's arguments from submitted values, as described above.

    `initial` is the current state when editing.
    """
    found: dict[str, Any] = {}
    required = schema.get("required", ())
    for name, value in values.items():
        if name in required:
            if not (value == "" and _needs_text(node_at(schema, name) or {})):
                found[name] = _without_blanks(value)
        elif editing:
            if not is_unchanged(value, (initial or {}).get(name)):
                found[name] = _without_blanks(value)
        elif not is_empty_value(value):
            found[name] = _without_blanks(value)
    return found


def is_empty_value(value: Any) -> bool:
    """Return whether nothing was filled in. An unchecked box counts as filled in."""
    if isinstance(value, dict):
        return all(is_empty_value(member) for member in value.values())
    return value is None or value in ("", [])


def is_unchanged(value: Any, present_value: Any) -> bool:
    """Return whether a submitted value equals the current one."""
    if is_empty_value(value) and (is_empty_value(present_value) or (value == "" and present_value is False)):
        return True
    if value is False and present_value is None:
        return True
    if isinstance(present_value, str) and isinstance(value, str):
        return value.strip() == present_value.replace("\r\n", "\n").strip()
    if isinstance(value, bool) != isinstance(present_value, bool):
        return False  # in Python, True equals 1
    return bool(_without_blanks(value) == _without_blanks(present_value))


def _set_at_path(tree: Branch, name: str, texts: list[str]) -> None:
    """Store values at a dotted name. Ignore a name that contradicts an earlier one (`links` beside `links.0`)."""
    *above, last = name.split(".")
    if len(above) >= MAX_DEPTH:
        return
    for part in above:
        tree = tree.setdefault(part, {})
        if not isinstance(tree, dict):
            return
    tree.setdefault(last, texts)


@dataclass(frozen=True, slots=True)
class _FormParser:
    """Parses submitted values according to the types of a schema."""

    root: Schema
    amounts: Mapping[str, str]
    country: str

    def parse_value(self, node: Schema, part: Any, path: str) -> Any:
        kind = node_kind(node)
        if isinstance(part, dict):
            return self._parse_rows(node, part, path) if kind == "array" else self._parse_members(node, part, path)
        if kind == "array":
            return self._parse_list(node, part, path)
        text = part[-1] if part else ""
        return _parse_object(text) if kind == "object" else self._parse_scalar(text, kind, path)

    def _parse_rows(self, node: Schema, part: Branch, path: str) -> list[Any]:
        """Return the non-empty rows in the order of their numbers. Removed rows may have left gaps."""
        item = item_schema(self.root, node)
        numbers = sorted((int(key), key) for key in part if key.isascii() and key.isdigit() and len(key) < 6)
        rows = [self.parse_value(item, part[key], path) for _, key in numbers[:MAX_ROWS]]
        return [row for row in rows if not self._is_empty_row(item, row)]

    def _parse_members(self, node: Schema, part: Branch, path: str) -> dict[str, Any]:
        return {
            name: self.parse_value(self._member_schema(node, name), member, f"{path}.{name}")
            for name, member in part.items()
        }

    def _member_schema(self, node: Schema, name: str) -> Schema:
        return node_at({**node, "$defs": self.root.get("$defs", {})}, name) or {}

    def _is_empty_row(self, item: Schema, row: Any) -> bool:
        """Return whether a row is empty.

        Checkboxes and choices do not count: they have a value even in a row that was not filled in.
        """
        if not isinstance(row, dict):
            return is_empty_value(row)
        for name, value in row.items():
            node = self._member_schema(item, name)
            if node_kind(node) != "boolean" and not node_choices(node) and not is_empty_value(value):
                return False
        return True

    def _parse_list(self, node: Schema, texts: list[str], path: str) -> Any:
        item = item_schema(self.root, node)
        if len(texts) == 1 and (texts[0].lstrip().startswith("[") or node_kind(item) in ("object", "array")):
            return coerce_text(texts[0], "array") if texts[0].strip() else []
        return [self._parse_scalar(text, node_kind(item), path) for text in texts[:MAX_ROWS] if text.strip()]

    def _parse_scalar(self, text: str, kind: str, path: str) -> Any:
        plain = text.strip()
        if kind == "boolean":
            word = plain.lower()
            return True if word in _TRUE else False if word in _FALSE else text
        if not plain:
            return ""
        what = self.amounts.get(path, "")
        if not what and kind not in ("integer", "number"):
            return text
        try:
            if what in money.CURRENCIES:
                return money.format_decimal(
                    money.parse_to_minor_units(plain, what, number_fields.thousands_mark(self.country)), what
                )
            number = number_fields.parse_field(
                plain, what or (number_fields.WHOLE if kind == "integer" else number_fields.NUMBER), self.country
            )
        except ValueError as problem:
            return UnreadableNumber(text, str(problem))
        return int(number) if number == number.to_integral_value() else float(number)


def _parse_object(text: str) -> Any:
    return coerce_text(text, "object") if text.strip() else {}


def _needs_text(node: Schema) -> bool:
    """Return whether a required argument rejects empty text, so that `Required` is the right error."""
    return node_kind(node) != "string" or bool(node.get("minLength") or node_choices(node) or node.get("format"))


def _without_blanks(value: Any) -> Any:
    """Remove empty members from rows and objects, which are replaced as a whole."""
    if isinstance(value, dict):
        return {name: _without_blanks(member) for name, member in value.items() if not is_empty_value(member)}
    if isinstance(value, list):
        return [_without_blanks(member) for member in value]
    return value
