"""The fields of a stored form: all of them, those that can have answers, and their types."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from workspace.products.form.rules import field_types

Definition = Mapping[str, Any]


def list_fields(definition: Definition) -> list[dict[str, Any]]:
    """Return all fields in the order of display."""
    return [field for page in definition["pages"] for field in page["fields"]]


def answerable_fields(definition: Definition) -> list[dict[str, Any]]:
    """Return the fields that can have answers."""
    return [
        field for field in list_fields(definition) if field_types.answer_family(field["type"]) != field_types.NOTHING
    ]


def types_by_key(definition: Definition) -> dict[str, str]:
    return {field["key"]: field["type"] for field in list_fields(definition)}
