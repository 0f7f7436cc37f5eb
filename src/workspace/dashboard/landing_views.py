"""The landing page for visitors who are not signed in."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from django.conf import settings
from django.contrib.staticfiles import finders
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from workspace.accounts import demo, plans
from workspace.publishing import items
from workspace.publishing.models import State

DEMO_EXAMPLES = {
    "menu": gettext_lazy("Menu"),
    "card": gettext_lazy("Business card"),
    "link": gettext_lazy("Link page"),
    "review": gettext_lazy("Reviews"),
}  # kinds of the demo's items


@dataclass(frozen=True, slots=True)
class ProductTeaser:
    """A product with a picture of its guest page, created by `bin/pictures`.

    The picture is empty if there is none yet.
    """

    title: str
    about: str
    prices: tuple[tuple[str, int], ...]
    picture: str
    dark_picture: str


@require_safe
def landing(request: HttpRequest) -> HttpResponse:
    if request.user.is_authenticated:
        return redirect("/app")
    products = [product for product in plans.PRODUCTS.values() if plans.is_built(product.key)]
    context = {
        "tools": [_present_product(product) for product in products],
        "example": _demo_links(),
        "payments": settings.PAYMENTS,
    }
    return render(request, "dashboard/landing.html", context)


def _present_product(product: plans.Product) -> ProductTeaser:
    picture = _picture_path(f"{product.key}-light")
    prices = tuple((name, plan.price) for name, plan in product.plans.items())
    return ProductTeaser(
        product.title, product.description, prices, picture, _picture_path(f"{product.key}-dark") or picture
    )


@cache
def _picture_path(name: str) -> str:
    path = f"dashboard/landing/{name}.webp"
    return path if finders.find(path) else ""


def _demo_links() -> list[tuple[str, str]]:
    """Return the names and URLs of the demo's guest pages, the menu first.

    Return an empty list if there is no demo or the database does not answer. The landing page is shown anyway.
    """
    try:
        account = demo.find_account()
        found = items.items_for(account) if account else []
    except DatabaseError:
        return []
    live = {one.kind: one.public_url for one in reversed(found) if one.state is State.LIVE}
    return [(str(name), live[kind]) for kind, name in DEMO_EXAMPLES.items() if kind in live]
