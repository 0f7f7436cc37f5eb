"""Products and their plans. What is built says so in its manifest, from which it is registered here; what a limit means
is the product's own."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.conf import settings
from django.urls import reverse

from workspace.lib.errors import InvalidInputError

FREE = "free"
CURRENCY = "USD"
EVENT_CREDIT_PLAN = (
    "program",
    "event",
)  # the one plan that is not of a month: it is bought for one event after another
FREE_DAILY_CALLS = 100
PAID_DAILY_CALLS = 5000
# the contract's names, in its order
PRODUCT_KEYS = ("form", "book", "qr", "link", "card", "review", "quote", "waiver", "menu", "cert", "program", "seat")


@dataclass(frozen=True, slots=True)
class Plan:
    """`price` in US dollars a month; `limits` a frozen dataclass of the product's own, in which None is unlimited. None
    as a whole while the product is not built."""

    price: int
    limits: Any = None


@dataclass(frozen=True, slots=True)
class Product:
    """`key` is the contract's name for it, `path` its public path, `plans` from the free one up."""

    key: str
    title: str
    description: str
    path: str
    plans: dict[str, Plan]

    @property
    def top_plan(self) -> str:
        return next(reversed(self.plans))

    @property
    def is_built(self) -> bool:
        return self.plans[FREE].limits is not None


PRODUCTS: dict[str, Product] = {}  # filled by `register_product`, in the order of KEYS


def register_product(product: Product) -> None:
    """Called for each product that is built, with its plans and limits."""
    PRODUCTS[product.key] = product
    places = {key: place for place, key in enumerate(PRODUCT_KEYS)}
    in_order = sorted(PRODUCTS.values(), key=lambda one: places.get(one.key, len(PRODUCT_KEYS)))
    PRODUCTS.clear()
    PRODUCTS.update({one.key: one for one in in_order})
    _default_plans.cache_clear()


def effective_plans(chosen: Mapping[str, str]) -> dict[str, str]:
    """The plan's name on each product: what was chosen, else the installation's default. Without payments that is the
    top plan: a self-hosted installation sells nothing."""
    return {key: chosen.get(key) or plan for key, plan in _default_plans(settings.PAYMENTS).items()}


@cache
def _default_plans(sells: bool) -> dict[str, str]:
    return {key: FREE if sells else product.top_plan for key, product in PRODUCTS.items()}


def plan_rank(product: str, plan: str) -> int:
    """Of two plans the larger one has the higher rank; a plan that there is not any more the lowest."""
    names = list(PRODUCTS[product].plans) if product in PRODUCTS else []
    return names.index(plan) if plan in names else -1


def monthly_prices(product: str) -> dict[str, int]:
    """The plans that are paid by the month, with their prices, from the smallest up."""
    every = PRODUCTS[product].plans.items()
    return {name: plan.price for name, plan in every if plan.price and (product, name) != EVENT_CREDIT_PLAN}


def highest_price() -> int:
    """The price of the dearest plan of all."""
    return max(price for key in PRODUCTS for price in monthly_prices(key).values())


def is_selling() -> bool:
    """Whether plans are bought here: they are paid for, and the operator's key is there."""
    return bool(settings.PAYMENTS and settings.STRIPE_KEY)


def plans_url(product: str = "", plan: str = "") -> str:
    """Where a signed-in person sees their plans, or buys one."""
    end = f"/{product}/{plan}" if product else ""
    return f"{settings.BASE_URL}{reverse('plans')}{end}"


def upgrade_hint() -> str:
    """How an account gets a larger plan, as the end of a sentence. Where nothing is paid for there is none to buy, so
    it is asked of whoever runs the installation."""
    return (
        f"choose a larger plan at {plans_url()}" if settings.PAYMENTS else f"ask {operator_contact()} for a larger plan"
    )


def operator_contact() -> str:
    name, email = settings.OPERATOR_NAME, settings.OPERATOR_EMAIL
    if not name and not email:
        return "whoever runs this installation"
    return f"{name} ({email})" if name and email else name or email


def limits_for(product: str, plan: str) -> Any:
    return PRODUCTS[product].plans[plan].limits


def describe_limits(product: str, plan: str) -> dict[str, Any]:
    """Limits as JSON-ready data; empty for a product that is not built yet. None means unlimited."""
    return dict(limits_as_dict(limits_for(product, plan)))


@cache
def limits_as_dict(limits: Any) -> dict[str, Any]:
    """Shared: for reading only."""
    return dataclasses.asdict(limits) if limits is not None else {}


def is_built(product: str) -> bool:
    return PRODUCTS[product].is_built


def check_plan(product: str, plan: str) -> None:
    """Raises InvalidInputError for a product or plan that there is not."""
    if product not in PRODUCTS:
        raise InvalidInputError.at_path("product", f"Must be one of {', '.join(PRODUCTS)}")
    if plan not in PRODUCTS[product].plans:
        raise InvalidInputError.at_path("plan", f"Must be one of {', '.join(PRODUCTS[product].plans)}")
