"""The product's line in the shell, and its first step."""

from __future__ import annotations

from workspace.accounts.models import Account
from workspace.dashboard import navigation
from workspace.dashboard.navigation import NavItem, Step
from workspace.products.links.models import KIND


def _summary(account: Account) -> str:
    count = account.link_pages.count()
    return f"{count} page{'' if count == 1 else 's'}" if count else ""


def _has_pages(account: Account) -> bool:
    return account.link_pages.exists()


def register() -> None:
    navigation.register(NavItem("Link pages", "/app/links", "link", 30, product=KIND, summary=_summary, short="Links"))
    navigation.register_step(Step("Put your links on one page", "/app/links/new", 30, done=_has_pages))
