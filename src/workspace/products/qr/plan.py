"""What each plan of QR codes allows. None is unlimited."""

from __future__ import annotations

from dataclasses import dataclass

from workspace.accounts.plans import register


@dataclass(frozen=True, slots=True)
class QrLimits:
    codes: int | None
    history_days: int
    bulk_rows: int


FREE = QrLimits(codes=10, history_days=30, bulk_rows=10)
PRO = QrLimits(codes=None, history_days=400, bulk_rows=500)

register("qr", {"free": FREE, "pro": PRO})
