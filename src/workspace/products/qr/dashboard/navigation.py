"""The product's line in the shell, and its first step."""

from __future__ import annotations

from workspace.accounts.models import Account
from workspace.dashboard import navigation
from workspace.dashboard.navigation import NavItem, Step


def _summary(account: Account) -> str:
    count = account.codes.count()
    return f"{count:,} code{'' if count == 1 else 's'}" if count else ""


def _has_codes(account: Account) -> bool:
    return account.codes.exists()


def register() -> None:
    item = NavItem("QR codes", "/app/qr", "qr", 10, product="qr", summary=_summary, short="Codes")
    navigation.register(item)
    navigation.register_step(Step("Make your first QR code", "/app/qr/new", 10, done=_has_codes))
