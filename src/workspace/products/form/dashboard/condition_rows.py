"""Conditions as rows of a form: a question, a comparison, and a value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.http import QueryDict

from workspace.products.form.dashboard.condition_text import (
    OPERATOR_TEXTS,
    ConditionWriter,
    list_comparisons,
    normalize_checkbox_condition,
)
from workspace.products.form.rules.condition_parser import Condition
from workspace.products.form.rules.field_types import (
    CHOICE,
    LIST_OPS,
    MULTI,
    NOTHING,
    TICK,
    UNARY_OPS,
    YES_NO,
    answer_family,
)

MAX_ROWS, SPARE_ROWS = 10, 2
Row = dict[str, Any]


def split_condition(condition: Condition | None) -> tuple[str, list[Condition]] | None:
    """Return how the parts of a condition are joined, and the parts themselves.

    Return None for a nested condition, which rows cannot represent.
    """
    if condition is None:
        return "all", []
    if "field" in condition:
        return "all", [condition]
    for joint in ("all", "any"):
        if joint in condition and all("field" in part for part in condition[joint]):
            return joint, list(condition[joint])
    return None


def build_rows(leaves: Sequence[Condition], writer: ConditionWriter, spare_rows: int = SPARE_ROWS) -> list[Row]:
    rows = [
        {
            "field": item["field"],
            "op": item["op"],
            "value": "" if item["op"] in UNARY_OPS else writer.format_value(item),
        }
        for item in (_normalize_leaf(leaf, writer) for leaf in leaves)
    ]
    empty = [{"field": "", "op": "is", "value": ""} for _ in range(min(spare_rows, max(0, MAX_ROWS - len(rows))))]
    return [*rows, *empty]


def _normalize_leaf(leaf: Condition, writer: ConditionWriter) -> Condition:
    field = writer.fields.get(leaf["field"], {})
    return normalize_checkbox_condition(leaf) if field and answer_family(field["type"]) == TICK else leaf


def add_choices(rows: Sequence[Row], writer: ConditionWriter) -> None:
    """Add the possible comparisons and values to each row.

    `ops` are the comparisons. `options` are the choices, if there are any. Otherwise, the row specifies how its value
    is typed.
    """
    for row in rows:
        field = writer.fields.get(row["field"], {})
        kind = answer_family(field["type"]) if field else ""
        row["kind"], row["ops"] = kind, list_comparisons(field.get("type", ""))
        if row["op"] not in dict(row["ops"]):
            row["op"] = row["ops"][0][0]
        options = ["yes", "no"] if kind == YES_NO else [option["label"] for option in field.get("options", ())]
        one_of = row["op"] in ("is", "is_not") or (kind == MULTI and row["op"] in ("contains", "not_contains"))
        row["options"] = options if kind in (YES_NO, CHOICE, MULTI) and one_of and not field.get("other") else []
        if row["options"] and row["value"] and row["value"] not in row["options"]:
            row["options"] = [row["value"], *row["options"]] if kind == MULTI else row["options"]


def parse_rows(post: QueryDict, prefix: str = "") -> list[Row]:
    """Return the rows as typed, including those without a question, which have no effect."""
    fields, ops, values = (post.getlist(f"{prefix}{name}")[:MAX_ROWS] for name in ("field", "op", "value"))
    return [
        {"field": field, "op": op if op in OPERATOR_TEXTS else "is", "value": value.strip()}
        for field, op, value in zip(fields, ops, values, strict=False)
    ]


def build_condition(rows: Sequence[Row], joint: str, fields: Mapping[str, Mapping[str, Any]]) -> Condition | None:
    """Build the condition from the rows that are filled in, in the format of the tools."""
    leaves = [_build_leaf(row, fields.get(row["field"], {})) for row in rows if row["field"]]
    if len(leaves) < 2:
        return leaves[0] if leaves else None
    return {"any" if joint == "any" else "all": leaves}


def _build_leaf(row: Row, field: Mapping[str, Any]) -> Condition:
    if row["op"] in UNARY_OPS:
        return {"field": row["field"], "op": row["op"]}
    value: Any = row["value"]
    if row["op"] in LIST_OPS or field.get("type") == "multi_choice":
        labels = {option["label"] for option in field.get("options", ())}
        value = [value] if value in labels else [part.strip() for part in value.split(",") if part.strip()]
        if row["op"] in ("contains", "not_contains"):
            value = row["value"]
    return {"field": row["field"], "op": row["op"], "value": value}


def find_problem_row(path: str, path_prefix: str, rows: Sequence[Row]) -> int | None:
    """Return the index of the row that the path of an error refers to, or None if the error concerns all rows."""
    if not path.startswith(path_prefix):
        return None
    filled = [place for place, row in enumerate(rows) if row["field"]]
    parts = path.removeprefix(path_prefix).strip(".").split(".")
    if parts[0] in ("all", "any") and len(parts) > 1 and parts[1].isdigit():
        return filled[int(parts[1])] if int(parts[1]) < len(filled) else None
    return filled[0] if len(filled) == 1 else None


def list_condition_fields(
    pages: Sequence[Mapping[str, Any]], page_index: int, excluded_key: str = ""
) -> list[Mapping[str, Any]]:
    """Return the questions that a condition on a page may use, which are on that page or on earlier pages."""
    return [
        field
        for page in pages[: page_index + 1]
        for field in page["fields"]
        if answer_family(field["type"]) != NOTHING and field["key"] != excluded_key
    ]
