"""Forms when an account moves: what guests sent is looked at again."""

from __future__ import annotations

from typing import Any

from workspace.accounts.carrying.tables import Carried
from workspace.products.form.models import GuestFile
from workspace.storage import files
from workspace.storage.media import media_type


def _receive(row: Any, key: str, content: bytes) -> dict[str, Any]:
    found = media_type(content, row.name)
    files.put(key, content)
    return {"media_type": found, "size": len(content)}


CARRIED = (Carried(model=GuestFile, files=("id",), receive=_receive),)
