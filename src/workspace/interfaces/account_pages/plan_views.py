"""Plans: their prices and usage; buying, changing and ending one.

The owner pays on the provider's page, after a recent sign-in.
"""

from __future__ import annotations

import re
import secrets
from contextlib import suppress
from datetime import timedelta
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from workspace.accounts import change_log
from workspace.accounts import plans as known
from workspace.accounts.models import Account
from workspace.billing import checkout, invite_rewards, status_sync
from workspace.billing.checkout import PlanChange, PurchaseError
from workspace.billing.models import Purchase, Subscription
from workspace.billing.models.purchase import CREDITS, DONE, PENDING_STATES
from workspace.dashboard.item_presenters import redirect_with_message
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import build_page_decorator, parse_whole_number
from workspace.interfaces.account_pages import plan_limit_text
from workspace.interfaces.account_pages.owner_requirement import is_owner, require_owner
from workspace.lib import clock
from workspace.lib.text import format_count
from workspace.owner_translation import owner_gettext, owner_ngettext
from workspace.payment_clients.errors import ProviderError, ProviderUnreachableError
from workspace.publishing import items

PAGE = "/app/plans"
POLL_INTERVAL = timedelta(seconds=2)  # while the page waits for a payment
page = build_page_decorator(list_path=PAGE, id_arguments=(), find_parent_url=lambda request: PAGE)


@page()
def plans(request: SignedInRequest) -> HttpResponse:
    account = request.account
    running = checkout.list_running(account) if known.is_selling() else []
    months = account.invite_months.filter(state__in=("banked", "sending")).count()
    context = {
        "products": [
            _present_product(account, product, running) for product in known.PRODUCTS.values() if product.is_built
        ],
        "later": [product.title for product in known.PRODUCTS.values() if not product.is_built],
        "sells": known.is_selling(),
        "is_owner": is_owner(request),
        "running": running,
        "sum": sum(item["amount"] // item["months"] for one in running for item in one.items) // 100,
        "late": any(one.status == "past_due" for one in running),
        "has_paid": hasattr(account, "customer") and known.is_selling(),
        "banked": months,
        "credits": _present_credits(account),
        "who": known.operator_contact(),
        "larger": any(account.upgrade_hint(product.key) for product in known.PRODUCTS.values() if product.is_built),
    }
    return render(request, "account_pages/plans.html", context)


def _present_product(account: Account, product: known.Product, running: list[Subscription]) -> dict[str, Any]:
    plan = account.plan(product.key)
    mine = next((one for one in running if one.find_plan(product.key)), None)
    item = mine.find_plan(product.key) if mine else None
    granted = account.plan_grants.filter(product=product.key, is_over=False, ends_at__gt=clock.now()).first()
    manifest = items.get_manifest(product.key)
    limits = known.describe_limits(product.key, plan)
    return {
        "key": product.key,
        "title": product.title,
        "icon": manifest.icon,
        "plan": plan,
        "price": item["amount"] // item["months"] // 100 if item else 0,
        "ends_at": mine.ends_at if mine else None,
        "granted": granted if granted is not None and granted.plan == plan else None,
        "used": plan_limit_text.describe_usage(product.key, limits, manifest.compute_usage(account)),
        "limits": plan_limit_text.describe_plan(product.key, plan),
        "offers": _list_offers(product, plan, item),
    }


def _list_offers(product: known.Product, plan: str, item: dict[str, Any] | None) -> list[dict[str, Any]]:
    monthly = known.monthly_prices(product.key)
    rows = []
    for name in [known.FREE, *monthly]:
        is_mine = name == (item["plan"] if item else plan)
        larger = known.plan_rank(product.key, name) > known.plan_rank(product.key, plan)
        rows.append(
            {
                "plan": name,
                "price": monthly.get(name, 0),
                "limits": plan_limit_text.describe_plan(product.key, name),
                "is_mine": is_mine,
                "may": not is_mine and (larger or item is not None),
                "is_larger": larger,
            }
        )
    return rows


def _present_credits(account: Account) -> dict[str, Any] | None:
    product, plan = known.EVENT_CREDIT_PLAN
    if not known.is_built(product):
        return None
    return {"left": account.event_credits, "price": known.PRODUCTS[product].plans[plan].price}


@require_owner
def choose_plan(request: SignedInRequest, product: str, plan: str) -> HttpResponse:
    """Show the price of a plan and the next step. On POST, switch to the plan."""
    if product not in known.PRODUCTS or plan not in known.PRODUCTS[product].plans:
        raise Http404
    try:
        step = checkout.compute_change(request.account, product, plan)
    except PurchaseError as refusal:
        return redirect_with_message(request, f"{refusal}.", PAGE)
    if step.act == "none":
        return redirect_with_message(
            request, owner_gettext("%(title)s already has this plan.") % {"title": known.PRODUCTS[product].title}, PAGE
        )
    problem, is_unknown = "", False
    if request.method == "POST":
        try:
            return _apply_plan_step(request, step)
        except (ProviderError, PurchaseError) as trouble:
            problem = str(trouble).rstrip(".")
            is_unknown = step.act != "buy" and isinstance(trouble, ProviderUnreachableError)
    context = {
        "step": step,
        "title": known.PRODUCTS[product].title,
        "limits": plan_limit_text.describe_plan(product, plan),
        "problem": problem,
        "is_unknown": is_unknown,
        "once": secrets.token_urlsafe(16),
    }
    return render(request, "account_pages/plan_choose.html", context, status=422 if problem else 200)


def _apply_plan_step(request: SignedInRequest, step: PlanChange) -> HttpResponse:
    title = known.PRODUCTS[step.product].title
    plan = step.plan.capitalize()
    if step.act == "buy":
        address = checkout.start_checkout(request.account, step.product, step.plan)
        _log_change(request, f"Started the payment for {title}: {plan}")
        return redirect(address)
    once = re.sub(r"[^A-Za-z0-9_-]", "", request.POST.get("once", "")[:40]) or secrets.token_urlsafe(16)
    is_shown = checkout.apply_change(request.account, step, f"{request.account.pk}:{step.product}:{once}")
    _log_change(
        request, f"Canceled the plan of {title}" if step.act == "stop" else f"Changed the plan of {title} to {plan}"
    )
    if not is_shown:
        text = owner_gettext(
            "Your %(title)s plan was changed in Stripe. The change appears here within a few minutes."
        ) % {"title": title}
        return redirect_with_message(request, text, PAGE)
    message = {
        "stop": owner_gettext("%(title)s plan canceled. Your items are kept.") % {"title": title}
        if not step.is_last
        else owner_gettext(
            "%(title)s plan canceled. It stays active until the end of the paid period, then changes to Free."
        )
        % {"title": title},
        "resume": owner_gettext("%(title)s plan kept.") % {"title": title},
    }
    return redirect_with_message(
        request,
        message.get(step.act, owner_gettext("%(title)s plan changed to %(plan)s.") % {"title": title, "plan": plan}),
        PAGE,
    )


def _log_change(request: SignedInRequest, text: str) -> None:
    change_log.log_change(request.account, request.caller, "plans", text)


@require_POST
@require_owner
def buy_credits(request: SignedInRequest) -> HttpResponse:
    try:
        quantity = parse_whole_number(request.POST.get("quantity"), 1, 1, checkout.MAX_CREDITS)
        address = checkout.start_credit_checkout(request.account, quantity)
        _log_change(request, f"Started the payment for {format_count(quantity, 'event credit')}")
        return redirect(address)
    except (ProviderError, PurchaseError) as trouble:
        messages.error(request, f"{trouble}".rstrip(".") + ".")
        return redirect("plans")


@require_POST
@require_owner
def open_portal(request: SignedInRequest) -> HttpResponse:
    if not known.is_selling():
        raise Http404
    try:
        return redirect(checkout.open_portal(request.account))
    except ProviderError as trouble:
        messages.error(request, f"{trouble}".rstrip(".") + ".")
        return redirect("plans")


@page()
def wait_for_payment(request: SignedInRequest, id: str) -> HttpResponse:
    """Wait for a payment after the owner returns from the provider.

    The state is fetched from the provider; the URL alone grants nothing.
    """
    purchase = request.account.purchases.filter(pk=id).first()
    if purchase is None:
        raise Http404
    if purchase.state in PENDING_STATES and _is_due(purchase):
        with suppress(ProviderError):  # the page asks again later, and so does the worker
            status_sync.sync_purchase(purchase.pk, in_request=True)
        purchase.refresh_from_db()
    if purchase.state == DONE:
        return redirect_with_message(request, _purchase_message(request.account, purchase), PAGE)
    if purchase.state not in PENDING_STATES:
        messages.error(request, owner_gettext("The payment was not completed. You were not charged."))
        return redirect("plans")
    response = render(request, "account_pages/plan_wait.html", {"purchase": purchase})
    response["Refresh"] = "4"
    response["Cache-Control"] = "no-store"
    return response


def _is_due(purchase: Purchase) -> bool:
    return purchase.checked_at is None or purchase.checked_at < clock.now() - POLL_INTERVAL


def _purchase_message(account: Account, purchase: Purchase) -> str:
    if purchase.kind == CREDITS:
        text = owner_ngettext(
            "Payment received. %(count)s event credit added.",
            "Payment received. %(count)s event credits added.",
            purchase.quantity,
        )
        return text % {"count": purchase.quantity}
    title = known.PRODUCTS[purchase.product].title
    waits = invite_rewards.needs_first_invoice(account)
    more = owner_gettext("Your free month will be credited to your next invoice.") if waits else ""
    text = owner_gettext("Payment received. %(title)s plan changed to %(plan)s.")
    return " ".join(filter(None, (text % {"title": title, "plan": purchase.plan.capitalize()}, more)))
