"""Codes when an account moves: what is printed in a static one goes along with its password."""

from __future__ import annotations

from typing import Any

from workspace.accounts.takeout import column_types
from workspace.accounts.takeout.tables import Arrival, Carried
from workspace.products.qr.models import PURPOSE, Code, Retarget
from workspace.products.qr.rules import static_content
from workspace.qr_symbols.style import Style
from workspace.storage import encryption
from workspace.storage.encryption import CannotUnseal


def _password(row: Any) -> str:
    try:
        return str(row.static.get(static_content.SECRET, ""))
    except CannotUnseal:
        return ""


def _seal(arrival: Arrival, row: Any, told: dict[str, Any]) -> None:
    password = told.get("secret")
    if isinstance(password, str) and 0 < len(password) <= 200 and row.is_static:
        row.secret = encryption.seal(password, row.account_id, PURPOSE)


CARRIED = (
    Carried(
        model=Code,
        without=("secret",),
        told={"secret": _password},
        arrive=_seal,
        reads={
            **dict.fromkeys(("target_url", "fallback_url"), column_types.WebAddress),
            "content": static_content.StaticContent,
            "folder": column_types.OneLine,
            "style": column_types.as_stored(Style),
        },
    ),
    Carried(model=Retarget, reads=dict.fromkeys(("from_url", "to_url"), column_types.WebAddress)),
)
