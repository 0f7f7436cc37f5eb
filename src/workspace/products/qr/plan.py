"""What each plan of QR codes allows. None is unlimited."""

from __future__ import annotations

from dataclasses import dataclass

from workspace.accounts.plans import register


@dataclass(frozen=True, slots=True)
class QrLimits:
    codes: int | None
    history_days: int


FREE = QrLimits(codes=10, history_days=30)
PRO = QrLimits(codes=None, history_days=400)

register("qr", {"free": FREE, "pro": PRO})
