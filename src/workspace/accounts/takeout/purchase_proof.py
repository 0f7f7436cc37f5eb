"""What was bought here for one thing, as it goes along: signed by this installation, since a ZIP may say anything. It
holds for the thing of that id alone, so a ZIP that is brought twice was paid for once; and nowhere else, where nobody
had the money.

    Carried(model=Event, without=("paid_at",), told={"paid_at": paid.signed("paid_at")}, arrive=…)
    row.paid_at = paid.at(row, told.get("paid_at"))
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
    """How a row tells when it was paid for: nothing where it was not."""

    def told(row: Any) -> str:
        moment = getattr(row, column)
        return (
            signing.Signer(salt=_SALT).sign(f"{row.pk}{_SEPARATOR}{clock.to_iso(moment)}") if moment is not None else ""
        )

    return told


def verify_payment_time(row: Any, told: Any) -> datetime | None:
    """When this row was paid for on this installation; None where that is not so, or not to be seen."""
    with suppress(signing.BadSignature, ValueError):
        id, _, moment = signing.Signer(salt=_SALT).unsign(str(told)).partition(_SEPARATOR)
        return datetime.fromisoformat(moment) if id == row.pk else None
    return None
