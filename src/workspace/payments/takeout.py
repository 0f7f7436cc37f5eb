"""Payments when an account moves: what was paid and what went back is told of; what was open has ended, and the
provider is connected anew."""

from __future__ import annotations

from typing import Any

from workspace.accounts.takeout import column_types
from workspace.accounts.takeout.tables import Arrival, Carried, leave
from workspace.payments.models import Payment, Refund
from workspace.payments.provider import EXPIRED, OPEN, OPENING, PAID, PROCESSING, REFUSED, WAITING

BEFORE = "It had not left when the account was taken along: look at your provider"


def _payment(arrival: Arrival, row: Any, told: dict[str, Any]) -> None:
    if row.state in (OPENING, OPEN, PROCESSING):
        row.state = EXPIRED
    if row.state == PAID:
        row.effect_at = row.effect_at or row.paid_at or row.created_at  # its product knows


def _refund(arrival: Arrival, row: Any, told: dict[str, Any]) -> None:
    if row.state == WAITING:
        row.state, row.problem = REFUSED, BEFORE


leave("is connected anew, since it is a secret", "payments.connection", "payments.providerevent")
CARRIED = (
    Carried(
        model=Payment,
        without=("session", "url"),
        arrive=_payment,
        reads={
            **dict.fromkeys(("provider", "at_provider", "intent"), column_types.Identifier),
            "purpose": column_types.EventName,
            "subject": column_types.Identifier,
            "back": column_types.Path,
            "dispute": column_types.one_of("open", "won", "lost"),
        },
    ),
    Carried(model=Refund, arrive=_refund),
)
