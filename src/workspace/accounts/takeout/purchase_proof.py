"""Signed proof of payment in an export.

This instance signs the proof, because anyone can edit a ZIP. It is valid only for the item with that id, so importing a
ZIP twice does not unlock a second item. It is not valid on other instances, which did not receive the money.

    TakeoutTable(model=Event, excluded_columns=("paid_at",), serializers={"paid_at": payment_time_signer("paid_at")})
    row.paid_at = verify_payment_time(row, exported.get("paid_at"))  # in `import_row`
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from typing import Any

from django.core import signing

from workspace.lib import clock

_SALT = "carrying.paid"
_SEPARATOR = " "


def payment_time_signer(column: str) -> Callable[[Any], str]:
    """Return a serializer that signs the payment time in this column, or returns "" for an unpaid row."""

    def sign_payment_time(row: Any) -> str:
        moment = getattr(row, column)
        return (
            signing.Signer(salt=_SALT).sign(f"{row.pk}{_SEPARATOR}{clock.to_iso(moment)}") if moment is not None else ""
        )

    return sign_payment_time


def verify_payment_time(row: Any, proof: Any) -> datetime | None:
    """Return when this row was paid for on this instance.

    Return None if the proof is missing, invalid or belongs to another row.
    """
    with suppress(signing.BadSignature, ValueError):
        id, _, moment = signing.Signer(salt=_SALT).unsign(str(proof)).partition(_SEPARATOR)
        return datetime.fromisoformat(moment) if id == row.pk else None
    return None
