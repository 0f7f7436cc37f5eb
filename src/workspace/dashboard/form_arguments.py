"""From what a browser submits to what a tool takes.

A field is named by its dotted path (`links.0.url`). Beside the fields a form carries names that begin with an
underscore: `_has` names a field that the form shows though the browser sends nothing for it (an unchecked box, a list
without rows), `_once` is the token that makes a double submit one.

Numbers are read as people write them, in one rule for all pages (`lib/number_fields.py`): commas and points, thousands,
amounts with their currency. What could be two numbers stays text, with the question that the form asks back.

What an empty text means: on creating, the argument is left out; on editing, it is sent as "" (or [] or {}), which
clears it. On editing, an optional argument equal to the present value is left out, so that a form never writes back
what nobody touched.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.http import QueryDict

from workspace.dashboard.json_schema import Schema, choices_of, items_of, kind_of, node_at
from workspace.lib import money, number_fields
from workspace.tools.validation import coerce

MARKER = "_has"
TOKEN = "_once"
MAX_DEPTH = 6
MAX_ROWS = 500

_TRUE, _FALSE = {"on", "true", "1", "yes"}, {"", "off", "false", "0", "no"}

Branch = dict[str, Any]  # a name's part → a Branch, or the list of texts submitted under it


class Unread(str):
    """What was written where a number is asked for, and is none; `problem` says why, or asks which one it is."""

    problem: str

    def __new__(cls, text: str, problem: str) -> Unread:
        made = super().__new__(cls, text)
        made.problem = problem
        return made


def read(
    schema: Schema, post: QueryDict, amounts: Mapping[str, str] | None = None, country: str = ""
) -> dict[str, Any]:
    """Everything that the form submitted of the tool's arguments, typed by the schema; what has the wrong type stays
    text, for the tool to refuse. Names that are no arguments are the page's own and are passed over. `amounts`: kind of
    number (`lib/number_fields.py`) by path without numbers (`variants.price`). Amounts of a currency become plain
    decimal text, which tools take. `country`: where the person lives who typed them."""
    known = schema.get("properties", {})
    tree: Branch = {}
    for name, texts in post.lists():
        if not name.startswith("_") and name.split(".")[0] in known:
            _plant(tree, name, [str(text).replace("\r\n", "\n").replace("\r", "\n") for text in texts])
    for name in post.getlist(MARKER):
        node = node_at(schema, name) if name.count(".") < MAX_DEPTH else None
        if node is not None and kind_of(node) in ("boolean", "array"):
            _plant(tree, name, ["false"] if kind_of(node) == "boolean" else [])
    reading = _Reading(schema, amounts or {}, country)
    return {name: reading.value(node_at(schema, name) or {}, part, name) for name, part in tree.items()}


def unread(values: Any, path: str = "") -> dict[str, str]:
    """The problem of each number that could not be read, by its dotted path."""
    if isinstance(values, Unread):
        return {path: values.problem}
    members = values.items() if isinstance(values, dict) else enumerate(values) if isinstance(values, list) else ()
    found: dict[str, str] = {}
    for name, value in members:
        found |= unread(value, f"{path}.{name}" if path else str(name))
    return found


def arguments_of(
    schema: Schema, values: dict[str, Any], *, editing: bool = False, initial: dict[str, Any] | None = None
) -> dict[str, Any]:
    """The submitted values as arguments, by the rules above. `initial` is the present state, when editing."""
    found: dict[str, Any] = {}
    required = schema.get("required", ())
    for name, value in values.items():
        if name in required:
            if not (value == "" and _needs_text(node_at(schema, name) or {})):
                found[name] = _without_blanks(value)
        elif editing:
            if not same(value, (initial or {}).get(name)):
                found[name] = _without_blanks(value)
        elif not is_blank(value):
            found[name] = _without_blanks(value)
    return found


def is_blank(value: Any) -> bool:
    """Whether nothing was filled in. A box that is off says something."""
    if isinstance(value, dict):
        return all(is_blank(member) for member in value.values())
    return value is None or value in ("", [])


def same(value: Any, present: Any) -> bool:
    """Whether a submitted value says what already stands."""
    if is_blank(value) and (is_blank(present) or (value == "" and present is False)):
        return True
    if value is False and present is None:
        return True
    if isinstance(present, str) and isinstance(value, str):
        return value.strip() == present.replace("\r\n", "\n").strip()
    if isinstance(value, bool) != isinstance(present, bool):
        return False  # in Python, True equals 1
    return bool(_without_blanks(value) == _without_blanks(present))


def _plant(tree: Branch, name: str, texts: list[str]) -> None:
    """Put texts at a dotted name. One that contradicts an earlier one (`links` beside `links.0`) is passed over."""
    *above, last = name.split(".")
    if len(above) >= MAX_DEPTH:
        return
    for part in above:
        tree = tree.setdefault(part, {})
        if not isinstance(tree, dict):
            return
    tree.setdefault(last, texts)


@dataclass(frozen=True, slots=True)
class _Reading:
    """Submitted texts by the schema's types."""

    root: Schema
    amounts: Mapping[str, str]
    country: str

    def value(self, node: Schema, part: Any, path: str) -> Any:
        kind = kind_of(node)
        if isinstance(part, dict):
            return self._rows(node, part, path) if kind == "array" else self._members(node, part, path)
        if kind == "array":
            return self._list(node, part, path)
        text = part[-1] if part else ""
        return _object(text) if kind == "object" else self._scalar(text, kind, path)

    def _rows(self, node: Schema, part: Branch, path: str) -> list[Any]:
        """Rows in the order of their numbers, whatever gaps a removed row left; rows left empty are spare ones."""
        item = items_of(self.root, node)
        numbers = sorted((int(key), key) for key in part if key.isascii() and key.isdigit() and len(key) < 6)
        rows = [self.value(item, part[key], path) for _, key in numbers[:MAX_ROWS]]
        return [row for row in rows if not self._is_spare(item, row)]

    def _members(self, node: Schema, part: Branch, path: str) -> dict[str, Any]:
        return {name: self.value(self._member(node, name), member, f"{path}.{name}") for name, member in part.items()}

    def _member(self, node: Schema, name: str) -> Schema:
        return node_at({**node, "$defs": self.root.get("$defs", {})}, name) or {}

    def _is_spare(self, item: Schema, row: Any) -> bool:
        """Boxes and choices have a value even where nobody filled the row in, so they do not count."""
        if not isinstance(row, dict):
            return is_blank(row)
        for name, value in row.items():
            node = self._member(item, name)
            if kind_of(node) != "boolean" and not choices_of(node) and not is_blank(value):
                return False
        return True

    def _list(self, node: Schema, texts: list[str], path: str) -> Any:
        item = items_of(self.root, node)
        if len(texts) == 1 and (texts[0].lstrip().startswith("[") or kind_of(item) in ("object", "array")):
            return coerce(texts[0], "array") if texts[0].strip() else []
        return [self._scalar(text, kind_of(item), path) for text in texts[:MAX_ROWS] if text.strip()]

    def _scalar(self, text: str, kind: str, path: str) -> Any:
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
                return money.plain(money.read(plain, what, number_fields.thousands_mark(self.country)), what)
            number = number_fields.read(
                plain, what or (number_fields.WHOLE if kind == "integer" else number_fields.NUMBER), self.country
            )
        except ValueError as problem:
            return Unread(text, str(problem))
        return int(number) if number == number.to_integral_value() else float(number)


def _object(text: str) -> Any:
    return coerce(text, "object") if text.strip() else {}


def _needs_text(node: Schema) -> bool:
    """Whether an empty text cannot be what a required argument means, so that `Required` is the honest answer."""
    return kind_of(node) != "string" or bool(node.get("minLength") or choices_of(node) or node.get("format"))


def _without_blanks(value: Any) -> Any:
    """Inside rows and objects, which are replaced as a whole, what is empty is left out."""
    if isinstance(value, dict):
        return {name: _without_blanks(member) for name, member in value.items() if not is_blank(member)}
    if isinstance(value, list):
        return [_without_blanks(member) for member in value]
    return value
