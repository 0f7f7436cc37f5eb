"""The product's line in the shell, and its first step."""

from __future__ import annotations

from workspace.accounts.models import Account
from workspace.dashboard import navigation
from workspace.dashboard.navigation import NavItem, Step
from workspace.products.reviews.models import KIND, Status


def _summary(account: Account) -> str:
    waiting = account.testimonials.filter(status=Status.PENDING).count()
    return f"{waiting:,} waiting for you" if waiting else ""


def _has_pages(account: Account) -> bool:
    return account.review_pages.exists()


def register() -> None:
    navigation.register(NavItem("Reviews", "/app/reviews", "review", 40, product=KIND, summary=_summary))
    navigation.register_step(Step("Collect your first review", "/app/reviews/new", 40, done=_has_pages))
