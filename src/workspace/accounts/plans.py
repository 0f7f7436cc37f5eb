"""Products and their plans.

The manifest of each product declares its plans. The product itself defines the meaning of their limits.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, get_args

from django.conf import settings
from django.urls import reverse

from workspace.accounts import messages
from workspace.lib.errors import InvalidInputError

FREE = "free"
CURRENCY = "USD"
# The only plan that is not monthly: it is bought for each event.
EVENT_CREDIT_PLAN = (
    "program",
    "event",
)
# Names and order of the contract.
ProductKey = Literal[
    "form", "book", "qr", "link", "card", "review", "quote", "waiver", "menu", "cert", "program", "seat"
]
PRODUCT_KEYS: tuple[str, ...] = get_args(ProductKey)


@dataclass(frozen=True, slots=True)
class Plan:
    """A plan of a product.

    `price` is in US dollars per month. `limits` is a frozen dataclass of the product, in which None means unlimited.
    `limits` itself is None while the product is not available.
    """

    price: int
    limits: Any = None


@dataclass(frozen=True, slots=True)
class Product:
    """A product. `key` is its name in the contract, and `path` its public path.

    `plans` starts with the free plan.
    """

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


PRODUCTS: dict[str, Product] = {}  # filled by `register_product`, in the order of PRODUCT_KEYS


def register_product(product: Product) -> None:
    """Register a product with its plans and limits."""
    PRODUCTS[product.key] = product
    places = {key: place for place, key in enumerate(PRODUCT_KEYS)}
    in_order = sorted(PRODUCTS.values(), key=lambda one: places.get(one.key, len(PRODUCT_KEYS)))
    PRODUCTS.clear()
    PRODUCTS.update({one.key: one for one in in_order})
    _default_plans.cache_clear()


def effective_plans(chosen: Mapping[str, str]) -> dict[str, str]:
    """Return the name of the plan in effect for each product: the chosen plan, or the instance's default.

    If payments are off, the default is the top plan, because a self-hosted instance sells nothing.
    """
    return {key: chosen.get(key) or plan for key, plan in _default_plans(settings.PAYMENTS).items()}


@cache
def _default_plans(sells: bool) -> dict[str, str]:
    return {key: FREE if sells else product.top_plan for key, product in PRODUCTS.items()}


def plan_rank(product: str, plan: str) -> int:
    """Return a plan's rank within its product, higher for larger plans, or -1 if the plan is unknown."""
    names = list(PRODUCTS[product].plans) if product in PRODUCTS else []
    return names.index(plan) if plan in names else -1


def monthly_prices(product: str) -> dict[str, int]:
    """Return the prices of monthly plans by name, smallest plan first."""
    every = PRODUCTS[product].plans.items()
    return {name: plan.price for name, plan in every if plan.price and (product, name) != EVENT_CREDIT_PLAN}


def highest_price() -> int:
    """Return the price of the most expensive plan."""
    return max(price for key in PRODUCTS for price in monthly_prices(key).values())


def is_selling() -> bool:
    """Return whether plans are sold here, that is, payments are on and a Stripe key is set."""
    return bool(settings.PAYMENTS and settings.STRIPE_KEY)


def plans_url(product: str = "", plan: str = "") -> str:
    """Return the URL of the plans page, or of the page to buy one plan."""
    end = f"/{product}/{plan}" if product else ""
    return f"{settings.BASE_URL}{reverse('plans')}{end}"


def upgrade_hint() -> str:
    """Return the end of a sentence that says how to get a larger plan.

    If payments are off, there is nothing to buy, so the reader is asked to contact the administrator.
    """
    return (
        f"choose a larger plan at {plans_url()}" if settings.PAYMENTS else f"ask {operator_contact()} for a larger plan"
    )


def operator_contact() -> str:
    name, email = settings.OPERATOR_NAME, settings.OPERATOR_EMAIL
    if not name and not email:
        return "the administrator of this service"
    return f"{name} ({email})" if name and email else name or email


def limits_for(product: str, plan: str) -> Any:
    return PRODUCTS[product].plans[plan].limits


def describe_limits(product: str, plan: str) -> dict[str, Any]:
    """Return limits as JSON-ready data, where None means unlimited, or an empty dict for an unavailable product."""
    return dict(limits_as_dict(limits_for(product, plan)))


@cache
def limits_as_dict(limits: Any) -> dict[str, Any]:
    """Return limits by name. The result is cached, so do not change it."""
    return dataclasses.asdict(limits) if limits is not None else {}


def is_built(product: str) -> bool:
    return PRODUCTS[product].is_built


def check_plan(product: str, plan: str) -> None:
    """Raise InvalidInputError if the product or plan does not exist."""
    if product not in PRODUCTS:
        raise InvalidInputError.at_path("product", messages.NOT_ONE_OF(values=", ".join(PRODUCTS)))
    if plan not in PRODUCTS[product].plans:
        raise InvalidInputError.at_path("plan", messages.NOT_ONE_OF(values=", ".join(PRODUCTS[product].plans)))
