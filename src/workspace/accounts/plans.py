"""Products and their plans. A product's `plan.py` registers its limits here; what a limit means is the product's own.

All twelve products are named before they are built, so that plans can be given and shown from the first day.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

from django.conf import settings

from workspace.toolkit.errors import InvalidInput

FREE = "free"
FREE_CALLS = 100
PAID_CALLS = 5000


@dataclass(frozen=True, slots=True)
class Product:
    """`key` is the contract's name for it, `path` its public path, `plans` plan → price in US dollars a month, from
    the free one up."""

    key: str
    title: str
    description: str
    path: str
    plans: dict[str, int]

    @property
    def top(self) -> str:
        return list(self.plans)[-1]


PRODUCTS: dict[str, Product] = {
    product.key: product
    for product in [
        Product("form", "Forms", "Forms with logic, whose answers arrive in one place", "/f/", {"free": 0, "pro": 12}),
        Product("book", "Booking pages", "Clients book a free slot by themselves", "/b/", {"free": 0, "pro": 12}),
        Product("qr", "QR codes", "Printed codes whose target can change", "/q/", {"free": 0, "pro": 9}),
        Product("link", "Link pages", "One page for all your links", "/l/", {"free": 0, "pro": 6}),
        Product(
            "card",
            "Business cards",
            "A card that guests save to their contacts",
            "/c/",
            {"free": 0, "pro": 6, "team": 19},
        ),
        Product("review", "Reviews", "Collect testimonials and show them", "/r/", {"free": 0, "pro": 9}),
        Product("quote", "Proposals", "Proposals that clients approve online", "/p/", {"free": 0, "pro": 15}),
        Product("waiver", "Waivers", "Waivers signed before people arrive", "/w/", {"free": 0, "pro": 12}),
        Product("menu", "QR menus", "A menu on the guest's phone", "/m/", {"free": 0, "pro": 9}),
        Product("cert", "Certificates", "Certificates that anyone can verify", "/v/", {"free": 0, "pro": 12}),
        Product(
            "program", "Event programs", "The program in every guest's hand", "/e/", {"free": 0, "event": 19, "pro": 29}
        ),
        Product(
            "seat", "Seating charts", "Who sits where, and find-my-table", "/s/", {"free": 0, "pro": 12, "business": 29}
        ),
    ]
}

_limits: dict[str, dict[str, Any]] = {}


def register(product: str, limits: dict[str, Any]) -> None:
    """Called by a product's `plan.py`: plan name → frozen dataclass of limits, for every plan of the product."""
    if set(limits) != set(PRODUCTS[product].plans):
        raise ValueError(f"{product}: limits are needed for exactly {list(PRODUCTS[product].plans)}")
    _limits[product] = limits


def default_plan(product: str) -> str:
    """Without payments every account stands on the top plan: a self-hosted installation sells nothing."""
    return FREE if settings.PAYMENTS else PRODUCTS[product].top


def limits_of(product: str, plan: str) -> Any:
    return _limits[product][plan]


def describe_limits(product: str, plan: str) -> dict[str, Any]:
    """Limits as JSON-ready data; empty for a product that is not built yet. None means unlimited."""
    return dataclasses.asdict(_limits[product][plan]) if product in _limits else {}


def is_built(product: str) -> bool:
    return product in _limits


def check_plan(product: str, plan: str) -> None:
    """Raises InvalidInput for a product or plan that there is not."""
    if product not in PRODUCTS:
        raise InvalidInput.at("product", f"Must be one of {', '.join(PRODUCTS)}")
    if plan not in PRODUCTS[product].plans:
        raise InvalidInput.at("plan", f"Must be one of {', '.join(PRODUCTS[product].plans)}")
