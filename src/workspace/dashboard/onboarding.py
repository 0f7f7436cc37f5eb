"""The list of first steps on home: each is ticked when the thing has truly happened, and the list can be put away."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib import messages
from django.http import HttpResponse

from workspace.accounts.models import Account
from workspace.dashboard import navigation
from workspace.dashboard.models import FirstSteps
from workspace.dashboard.navigation import NavItem
from workspace.dashboard.product_usage import Usage
from workspace.dashboard.session import SignedInRequest, redirect_whole
from workspace.dashboard.tool_views import page
from workspace.publishing import items
from workspace.publishing.models import Tally
from workspace.tools.answer import File

EARLY = 50  # steps of an order below it come before something is printed
MOST_LEFT = 2  # kinds of what guests leave that are on the list


@dataclass(frozen=True, slots=True)
class Tick:
    label: str
    url: str
    done: bool


def ticks(account: Account, usage: Usage, remembered: FirstSteps) -> list[Tick]:
    """The steps of an account, in their order. A few queries."""
    begin = usage.bar[0] if usage.bar else None
    made = bool(usage.counts)
    early: list[Tick] = []
    late: list[Tick] = []
    for step in navigation.steps():
        (early if step.order < EARLY else late).append(Tick(step.label, step.url, step.done(account)))
    if begin is None:
        return [*early, *late]
    own = [
        Tick(begin.first, f"{begin.url}/new", made),
        Tick("Print its code, or save it to share", begin.url, remembered.saved_at is not None),
        Tick("Welcome your first visitor", begin.url, made and _is_visited(account)),
        *_left(account, usage.shown),
    ]
    return [*own[:1], *early, *own[1:], *late]


def next_product(usage: Usage) -> NavItem | None:
    """One that the account does not use yet, those that its trade uses first."""
    return next((item for item in [*usage.shown, *usage.more] if not usage.counts.get(item.product)), None)


def _is_visited(account: Account) -> bool:
    return Tally.objects.filter(publication__account=account, total__gt=0).exists()


def _left(account: Account, shown: list[NavItem]) -> list[Tick]:
    of_shown = {item.product: item for item in shown}
    kinds = [(of_shown[product.key], one) for product, one in items.arrivals() if product.key in of_shown]
    return [
        Tick(f"Receive your first {one.called}", item.url, one.rows(account).filter(one.came).exists())
        for item, one in kinds[:MOST_LEFT]
    ]


def note_saved(account: Account, file: File) -> None:
    """That the account has saved something to print or to share: the first picture or PDF."""
    if file.media_type == "application/pdf" or file.media_type.startswith("image/"):
        FirstSteps.of(account).note_saved()


@page("POST")
def put_away(request: SignedInRequest) -> HttpResponse:
    away = request.POST.get("away") == "yes"
    FirstSteps.of(request.account).put_away(away)
    messages.success(request, "Put away. You find the list again under All tools." if away else "The list is back.")
    return redirect_whole(request, "/app")
