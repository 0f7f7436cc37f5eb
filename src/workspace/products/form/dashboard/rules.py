"""Conditions as rows of a form: a question, how it is compared, and with what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.http import QueryDict

from workspace.products.form.conditions import Condition
from workspace.products.form.dashboard.sentences import WORDS, Sentences
from workspace.products.form.kinds import ALONE, LISTED, NOTHING, family

OPS = list(WORDS.items())
MOST_ROWS, SPARE = 10, 2
Row = dict[str, Any]


def leaves_of(condition: Condition | None) -> tuple[str, list[Condition]] | None:
    """How they are joined, and its parts; None for one that holds others, which rows cannot say."""
    if condition is None:
        return "all", []
    if "field" in condition:
        return "all", [condition]
    for joint in ("all", "any"):
        if joint in condition and all("field" in part for part in condition[joint]):
            return joint, list(condition[joint])
    return None


def drawn(leaves: Sequence[Condition], words: Sentences, spare: int = SPARE) -> list[Row]:
    told = [
        {"field": one["field"], "op": one["op"], "value": "" if one["op"] in ALONE else words.value(one)}
        for one in leaves
    ]
    empty = [{"field": "", "op": "is", "value": ""} for _ in range(min(spare, max(0, MOST_ROWS - len(told))))]
    return [*told, *empty]


def typed(post: QueryDict, prefix: str = "") -> list[Row]:
    """The rows as they were typed, also those without a question, which say nothing."""
    fields, ops, values = (post.getlist(f"{prefix}{name}")[:MOST_ROWS] for name in ("field", "op", "value"))
    return [
        {"field": field, "op": op if op in WORDS else "is", "value": value.strip()}
        for field, op, value in zip(fields, ops, values, strict=False)
    ]


def condition_of(rows: Sequence[Row], joint: str, fields: Mapping[str, Mapping[str, Any]]) -> Condition | None:
    """What filled rows say, as the tools take it."""
    leaves = [_leaf(row, fields.get(row["field"], {})) for row in rows if row["field"]]
    if len(leaves) < 2:
        return leaves[0] if leaves else None
    return {"any" if joint == "any" else "all": leaves}


def _leaf(row: Row, field: Mapping[str, Any]) -> Condition:
    if row["op"] in ALONE:
        return {"field": row["field"], "op": row["op"]}
    value: Any = row["value"]
    if row["op"] in LISTED or field.get("type") == "multi_choice":
        whole = {option["label"] for option in field.get("options", ())}
        value = [value] if value in whole else [part.strip() for part in value.split(",") if part.strip()]
        if row["op"] in ("contains", "not_contains"):
            value = row["value"]
    return {"field": row["field"], "op": row["op"], "value": value}


def wrong_row(path: str, begin: str, rows: Sequence[Row]) -> int | None:
    """Which row a refusal's path is about; None for all of them."""
    if not path.startswith(begin):
        return None
    filled = [place for place, row in enumerate(rows) if row["field"]]
    parts = path.removeprefix(begin).strip(".").split(".")
    if parts[0] in ("all", "any") and len(parts) > 1 and parts[1].isdigit():
        return filled[int(parts[1])] if int(parts[1]) < len(filled) else None
    return filled[0] if len(filled) == 1 else None


def answerable(pages: Sequence[Mapping[str, Any]], until: int, but: str = "") -> list[Mapping[str, Any]]:
    """Questions that a condition on a page may ask about: those of that page and the ones before."""
    return [
        field
        for page in pages[: until + 1]
        for field in page["fields"]
        if family(field["type"]) != NOTHING and field["key"] != but
    ]
