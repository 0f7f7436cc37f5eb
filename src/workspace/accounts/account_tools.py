"""Tools for the account itself. Keys, members, plans and sign-in require a signed-in person and are not tools."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any
from zoneinfo import available_timezones

from pydantic import AfterValidator, Field, StringConstraints
from typing_extensions import TypedDict

from workspace.accounts import connected_sources, messages, permissions, plans, product_scope
from workspace.accounts.dispatch import Caller
from workspace.accounts.models import Account
from workspace.accounts.permissions import SHARED
from workspace.lib.text import escape_markdown
from workspace.tools.answer import Answer, Page, build_listing, format_fact_list
from workspace.tools.tool import Toolbox

box = Toolbox("account", "Account")


def _check_time_zone(name: str) -> str:
    if name not in available_timezones():
        raise ValueError(messages.TIME_ZONE_INVALID)
    return name


TimeZone = Annotated[
    str,
    StringConstraints(max_length=64),
    AfterValidator(_check_time_zone),
    Field(description="IANA time zone, such as Europe/Berlin."),
]


class CurrentPlan(TypedDict):
    plan: str
    limits: dict[str, Any]


class AccountSummary(TypedDict):
    id: str
    name: str
    email: str
    time_zone: str
    is_admin: bool
    plans: dict[str, CurrentPlan]
    event_credits: int
    calendar_connected: bool
    contacts_connected: bool
    daily_calls: int


@box.tool(
    "svc_me",
    title="Get the connected account",
    about="Get the connected account: email address, time zone, plan and usage limits of each product, and event "
    "credits. Also returns calendar and contacts connections, and whether you can make changes. Call this "
    "first.",
    short="Get your account, plans, limits and permissions. Call this first.",
    synonyms="who am i, whoami, profile, subscription, quota, allowance, my plan, usage, konto, tarif, mein "
    "plan, limit, cuenta, mi plan, suscripción, límites, what plan, which plan, welcher plan, qué plan, "
    "current plan, how many left",
    reads=True,
    area=SHARED,
)
def get_account(caller: Caller) -> Answer[AccountSummary]:
    return account_answer(caller.account, _describe_access(caller))


def _describe_access(caller: Caller) -> dict[str, str]:
    """Return a description of the caller's permissions.

    It is only in the text of the answer, because the data describes the account.
    """
    may = "read and write" if caller.can_write else "read-only, so only tools that read are listed"
    if not caller.member_scope.has_all_products or caller.member_scope.role == permissions.VIEWER:
        may = f"{may}, limited by your role: {caller.member_scope.describe()}"
    if caller.products is None:
        return {"access": may}
    return {
        "access": may,
        "available tools": f"{product_scope.describe_scope(caller.products)}; the owner can add more at {caller.page}",
    }


def account_answer(account: Account, access_text: dict[str, str] | None = None) -> Answer[AccountSummary]:
    """Return the answer that describes an account, including the caller's access if it is given."""
    (email, is_operator), daily_calls = account.owner_details(), account.daily_calls
    chosen = account.plans
    limits = {key: plans.limits_for(key, plan) for key, plan in chosen.items()}
    joined = {what: connected_sources.is_connected(account, what) for what in ("calendar", "contacts")}
    data: AccountSummary = {
        "id": account.pk,
        "name": account.name,
        "email": email,
        "time_zone": account.time_zone,
        "is_admin": is_operator,
        "plans": {key: {"plan": plan, "limits": plans.limits_as_dict(limits[key])} for key, plan in chosen.items()},
        "event_credits": account.event_credits,
        "calendar_connected": joined["calendar"],
        "contacts_connected": joined["contacts"],
        "daily_calls": daily_calls,
    }
    pairs = {
        "id": account.pk,
        "email": escape_markdown(email) + (", administrator of this instance" if is_operator else ""),
        "time zone": account.time_zone,
        "calls per day": f"{daily_calls:,}",
        "unused event credits": account.event_credits,
        "connected": _format_connections(joined),
        **(access_text or {}),
    }
    lines = [f"- {key}: {plan}{_format_plan_limits(limits[key])}" for key, plan in chosen.items()]
    return Answer(
        data, "\n".join([format_fact_list(escape_markdown(account.name), pairs), "", "Plans and limits:", *lines])
    )


def _format_connections(is_connected_by_name: dict[str, bool]) -> str:
    if not any(is_connected_by_name.values()):
        return "no calendar and no contacts"
    return "; ".join(f"{what}: {'yes' if has else 'no'}" for what, has in is_connected_by_name.items())


@cache
def _format_plan_limits(limits: Any) -> str:
    return _format_limits(plans.limits_as_dict(limits))


def _format_limits(limits: dict[str, Any]) -> str:
    return f" ({', '.join(f'{name} {_format_limit(most)}' for name, most in limits.items())})" if limits else ""


def _format_limit(limit: Any) -> str:
    if isinstance(limit, bool):
        return "yes" if limit else "no"
    return "unlimited" if limit is None else f"{limit:,}"


class PlanOffer(TypedDict):
    plan: str
    price: int
    per: Annotated[str, Field(description="month, or event for a purchase per event.")]
    limits: dict[str, Any]
    checkout_url: Annotated[
        str,
        Field(
            description=(
                "Checkout URL for the owner. Empty if the product is not for sale or the owner already has it."
            )
        ),
    ]


class ProductData(TypedDict):
    product: str
    name: str
    description: str
    public_path: str
    available: bool
    pricing: list[PlanOffer]
    currency: str
    plan: str


class Products(Page):
    """A page of products. `products` has the same content as `items`.

    `plans_url` is the owner's page of plans, cards and invoices. It is empty if no plans are sold.
    """

    items: list[ProductData]
    products: list[ProductData]
    plans_url: str


@box.tool(
    "svc_list_products",
    title="List products and prices",
    about="List the twelve products with a description, the public path, and the prices and limits of every plan. "
    "Prices are monthly and in US dollars. A limit of null means unlimited. Also returns the account's current "
    "plan.",
    short="List products with the prices and limits of every plan.",
    synonyms="pricing, cost, free plan, upgrade, features, what can you do, preise, preisliste, produkte, tarife, "
    "precios, productos, planes, cuánto cuesta",
    reads=True,
    area=SHARED,
    columns="name product plan available public_path",
)
def list_products(account: Account) -> Answer[Products]:
    rows: list[ProductData] = [
        {
            "product": product.key,
            "name": product.title,
            "description": product.description,
            "public_path": product.path,
            "available": plans.is_built(product.key),
            "pricing": [
                {
                    "plan": name,
                    "price": plan.price,
                    "per": "event" if (product.key, name) == plans.EVENT_CREDIT_PLAN else "month",
                    "limits": plans.describe_limits(product.key, name),
                    "checkout_url": _checkout_url(account, product, name),
                }
                for name, plan in product.plans.items()
            ],
            "currency": plans.CURRENCY,
            "plan": account.plan(product.key),
        }
        for product in plans.PRODUCTS.values()
    ]
    lines = [
        "Products with plans and monthly prices in US dollars (USD):",
        "",
        *map(_format_product, rows),
    ]
    page = plans.plans_url() if plans.is_selling() else ""
    if page:
        lines += ["", f"The owner manages plans, payment cards and invoices at {page}"]
    return Answer({**build_listing(rows, total=len(rows)), "products": rows, "plans_url": page}, "\n".join(lines))


def _checkout_url(account: Account, product: plans.Product, plan: str) -> str:
    """Return the URL of the page where a plan is bought, or "".

    It is our own page and not the provider's, because only a signed-in person can pay.
    """
    if not plans.is_selling() or not product.is_built:
        return ""
    if (product.key, plan) == plans.EVENT_CREDIT_PLAN:
        return f"{plans.plans_url()}/credits"
    is_more = plans.plan_rank(product.key, plan) > plans.plan_rank(product.key, account.plan(product.key))
    return plans.plans_url(product.key, plan) if plan in plans.monthly_prices(product.key) and is_more else ""


def _format_offer(offer: PlanOffer) -> str:
    each = " per event" if offer["per"] == "event" else ""
    where = f", at {offer['checkout_url']}" if offer["checkout_url"] else ""
    return f"  - {offer['plan']}: {offer['price']} USD{each}{_format_limits(offer['limits'])}{where}"


def _format_product(row: ProductData) -> str:
    offers = [_format_offer(offer) for offer in row["pricing"]]
    about = f"- **{row['name']}** ({row['product']}), {row['public_path']}: {row['description']}."
    there = "" if row["available"] else " Not available yet."
    return "\n".join([f"{about} Your plan: {row['plan']}.{there}", *offers])
