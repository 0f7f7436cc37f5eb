"""Codes when an account moves: what is printed in a static one goes along with its password."""

from __future__ import annotations

from typing import Any

from workspace.accounts.carrying import readers
from workspace.accounts.carrying.tables import Arrival, Carried
from workspace.products.qr import static_content
from workspace.products.qr.models import PURPOSE, Code, Retarget
from workspace.storage import secrets
from workspace.storage.secrets import CannotUnseal
from workspace.symbols.style import Style


def _password(row: Any) -> str:
    try:
        return str(row.static.get(static_content.SECRET, ""))
    except CannotUnseal:
        return ""


def _seal(arrival: Arrival, row: Any, told: dict[str, Any]) -> None:
    password = told.get("secret")
    if isinstance(password, str) and 0 < len(password) <= 200 and row.is_static:
        row.secret = secrets.seal(password, row.account_id, PURPOSE)


CARRIED = (
    Carried(
        model=Code,
        without=("secret",),
        told={"secret": _password},
        arrive=_seal,
        reads={
            **dict.fromkeys(("target_url", "fallback_url"), readers.WebAddress),
            "content": static_content.StaticContent,
            "folder": readers.OneLine,
            "style": readers.as_stored(Style),
        },
    ),
    Carried(model=Retarget, reads=dict.fromkeys(("from_url", "to_url"), readers.WebAddress)),
)
