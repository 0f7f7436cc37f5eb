"""What is known of a person, as JSON."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from typing import Any

from django.db.models import Field

from workspace.accounts.models import Upload
from workspace.accounts.privacy.data_subjects import Found, Held
from workspace.accounts.privacy.text_mentions import columns_of
from workspace.lib.data_subject import Sought
from workspace.storage import journal


def told(found: Found) -> list[dict[str, Any]]:
    """What is known of the person, for JSON: of rows of their own every column, of others what names them."""
    lines: list[dict[str, Any]] = []
    for part in found.parts:
        own = [*part.whole, *part.offered]
        lines += [{"what": part.held.noun, **_all_of(part.held, row)} for row in own]
        others = [row for row in part.named if row not in part.offered]
        lines += [{"what": part.held.noun, **_named_in(row, found.trace.sought)} for row in others]
    for trail, keys in found.trails:
        if trail.tell is not None:
            lines += [{"what": trail.noun, **line} for line in trail.tell(keys, found.trace)]
    return lines


def _all_of(one: Held, row: Any) -> dict[str, Any]:
    hidden = {"account", "publication", "search", *getattr(one.model, "JOURNAL_SECRET", ())}
    columns: list[Field[Any, Any]] = [column for column in row._meta.concrete_fields if column.name not in hidden]
    values = {column.name: journal.value_of(row, column.name) for column in columns}
    return {**values, **dict(_pictures(one, row))}


def _pictures(one: Held, row: Any) -> Iterator[tuple[str, dict[str, str]]]:
    for name in one.pictures:
        upload: Upload | None = getattr(row, name)
        if upload is not None:
            try:
                content = upload.content
            except FileNotFoundError:
                continue
            yield name, {"media_type": upload.media_type, "base64": base64.b64encode(content).decode()}


def _named_in(row: Any, sought: Sought) -> dict[str, Any]:
    columns = [name for name in columns_of(type(row)) if name != "search" and sought.names(getattr(row, name))]
    return {"id": row.pk, "named_in": {name: getattr(row, name) for name in columns}}
