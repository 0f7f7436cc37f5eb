"""The product's line in the shell, and its first step."""

from __future__ import annotations

from workspace.accounts.models import Account
from workspace.dashboard import navigation
from workspace.dashboard.navigation import NavItem, Step


def _summary(account: Account) -> str:
    count = account.cards.count()
    return f"{count:,} card{'' if count == 1 else 's'}" if count else ""


def _has_cards(account: Account) -> bool:
    return account.cards.exists()


def register() -> None:
    item = NavItem("Business cards", "/app/card", "card", 20, product="card", summary=_summary, short="Cards")
    navigation.register(item)
    navigation.register_step(Step("Make your business card", "/app/card/new", 20, done=_has_cards))
