"""The product's line in the shell, and its first step."""

from __future__ import annotations

from workspace.accounts.models import Account
from workspace.dashboard import navigation
from workspace.dashboard.navigation import NavItem, Step


def _summary(account: Account) -> str:
    count = account.menus.count()
    return f"{count:,} menu{'' if count == 1 else 's'}" if count else ""


def _has_menus(account: Account) -> bool:
    return account.menus.exists()


def register() -> None:
    item = NavItem("Menus", "/app/menu", "menu_card", 50, product="menu", summary=_summary, short="Menus")
    navigation.register(item)
    navigation.register_step(Step("Put a menu on your tables", "/app/menu/new", 50, done=_has_menus))
