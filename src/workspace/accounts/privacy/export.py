"""Export of a person's data as JSON."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from typing import Any

from django.db.models import Field

from workspace.accounts.models import Upload
from workspace.accounts.privacy.data_subjects import PersonalTable, SubjectData
from workspace.accounts.privacy.text_mentions import text_columns
from workspace.lib.data_subject import DataSubject
from workspace.storage import journal


def export_subject(data: SubjectData) -> list[dict[str, Any]]:
    """Return a person's data: all columns of rows about them, and mentions of them in other rows."""
    lines: list[dict[str, Any]] = []
    for part in data.parts:
        own = [*part.own_rows, *part.deletable_rows]
        lines += [{"what": part.table.noun, **_serialize_row(part.table, row)} for row in own]
        others = [row for row in part.mentioning_rows if row not in part.deletable_rows]
        lines += [{"what": part.table.noun, **_serialize_mentions(row, data.trace.subject)} for row in others]
    for trail, keys in data.texts:
        if trail.export is not None:
            lines += [{"what": trail.noun, **line} for line in trail.export(keys, data.trace)]
    return lines


def _serialize_row(table: PersonalTable, row: Any) -> dict[str, Any]:
    hidden = {"account", "publication", "search", *journal.list_secret_fields(table.model)}
    columns: list[Field[Any, Any]] = [column for column in row._meta.concrete_fields if column.name not in hidden]
    values = {column.name: journal.json_value(row, column.name) for column in columns}
    return {**values, **dict(_serialize_images(table, row))}


def _serialize_images(table: PersonalTable, row: Any) -> Iterator[tuple[str, dict[str, str]]]:
    for name in table.image_columns:
        upload: Upload | None = getattr(row, name)
        if upload is not None:
            try:
                content = upload.content
            except FileNotFoundError:
                continue
            yield name, {"media_type": upload.media_type, "base64": base64.b64encode(content).decode()}


def _serialize_mentions(row: Any, subject: DataSubject) -> dict[str, Any]:
    columns = [name for name in text_columns(type(row)) if name != "search" and subject.is_named_in(getattr(row, name))]
    return {"id": row.pk, "named_in": {name: getattr(row, name) for name in columns}}
