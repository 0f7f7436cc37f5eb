"""Plans: what an account has, what it costs and how much of it is used; buying, changing and ending one. What is paid
is paid at the provider's page, by the owner, after a fresh sign-in."""

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
from workspace.billing.checkout import CannotBuy, Step
from workspace.billing.models import Purchase, Subscription
from workspace.billing.models.purchase import CREDITS, DONE, UNSETTLED
from workspace.dashboard.item_presenters import done
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import pages, whole_number
from workspace.interfaces.account_pages import limit_text
from workspace.interfaces.account_pages.owner_only import by_owner, owns
from workspace.lib import clock
from workspace.lib.text import counted
from workspace.payments.provider import ProviderTrouble
from workspace.publishing import items

PAGE = "/app/plans"
ASKED_EVERY = timedelta(seconds=2)  # for who waits on the page
page = pages(home=PAGE, ids=(), above=lambda request: PAGE)


@page()
def plans(request: SignedInRequest) -> HttpResponse:
    account = request.account
    running = checkout.running_of(account) if known.sells() else []
    months = account.invite_months.filter(state__in=("banked", "sending")).count()
    context = {
        "products": [_product(account, product, running) for product in known.PRODUCTS.values() if product.is_built],
        "later": [product.title for product in known.PRODUCTS.values() if not product.is_built],
        "sells": known.sells(),
        "is_owner": owns(request),
        "running": running,
        "sum": sum(item["amount"] // item["months"] for one in running for item in one.items) // 100,
        "late": any(one.status == "past_due" for one in running),
        "has_paid": hasattr(account, "customer") and known.sells(),
        "banked": months,
        "credits": _credits(account),
        "who": known.who_runs_it(),
        "larger": any(account.larger(product.key) for product in known.PRODUCTS.values() if product.is_built),
    }
    return render(request, "account_pages/plans.html", context)


def _product(account: Account, product: known.Product, running: list[Subscription]) -> dict[str, Any]:
    plan = account.plan(product.key)
    mine = next((one for one in running if one.plan(product.key)), None)
    item = mine.plan(product.key) if mine else None
    granted = account.grants.filter(product=product.key, is_over=False, until__gt=clock.now()).first()
    manifest = items.manifest(product.key)
    limits = known.describe_limits(product.key, plan)
    return {
        "key": product.key,
        "title": product.title,
        "icon": manifest.icon,
        "plan": plan,
        "price": item["amount"] // item["months"] // 100 if item else 0,
        "ends_at": mine.ends_at if mine else None,
        "granted": granted if granted is not None and granted.plan == plan else None,
        "used": limit_text.used(product.key, limits, manifest.uses(account)),
        "limits": limit_text.of_plan(product.key, plan),
        "offers": _offers(product, plan, item),
    }


def _offers(product: known.Product, plan: str, item: dict[str, Any] | None) -> list[dict[str, Any]]:
    monthly = known.monthly(product.key)
    rows = []
    for name in [known.FREE, *monthly]:
        is_mine = name == (item["plan"] if item else plan)
        larger = known.rank(product.key, name) > known.rank(product.key, plan)
        rows.append(
            {
                "plan": name,
                "price": monthly.get(name, 0),
                "limits": limit_text.of_plan(product.key, name),
                "is_mine": is_mine,
                "may": not is_mine and (larger or item is not None),
                "is_larger": larger,
            }
        )
    return rows


def _credits(account: Account) -> dict[str, Any] | None:
    product, plan = known.CREDIT
    if not known.is_built(product):
        return None
    return {"left": account.event_credits, "price": known.PRODUCTS[product].plans[plan].price}


@by_owner
def choose(request: SignedInRequest, product: str, plan: str) -> HttpResponse:
    """What a plan costs and what follows, and then doing it."""
    if product not in known.PRODUCTS or plan not in known.PRODUCTS[product].plans:
        raise Http404
    try:
        step = checkout.step(request.account, product, plan)
    except CannotBuy as refusal:
        return done(request, f"{refusal}.", PAGE)
    if step.act == "none":
        return done(request, f"{known.PRODUCTS[product].title} is on this plan already.", PAGE)
    problem = ""
    if request.method == "POST":
        try:
            return _take(request, step)
        except (ProviderTrouble, CannotBuy) as trouble:
            problem = str(trouble).rstrip(".")
    context = {
        "step": step,
        "title": known.PRODUCTS[product].title,
        "limits": limit_text.of_plan(product, plan),
        "problem": problem,
        "once": secrets.token_urlsafe(16),
    }
    return render(request, "account_pages/plan_choose.html", context, status=422 if problem else 200)


def _take(request: SignedInRequest, step: Step) -> HttpResponse:
    title = known.PRODUCTS[step.product].title
    plan = step.plan.capitalize()
    if step.act == "buy":
        address = checkout.checkout(request.account, step.product, step.plan)
        _note(request, f"Went to pay for {title}: {plan}")
        return redirect(address)
    once = re.sub(r"[^A-Za-z0-9_-]", "", request.POST.get("once", "")[:40]) or secrets.token_urlsafe(16)
    checkout.change(request.account, step, f"{request.account.pk}:{step.product}:{once}")
    _note(request, f"Ended the plan of {title}" if step.act == "stop" else f"Chose a plan of {title}: {plan}")
    told = {
        "stop": f"{title}: ended. What you made stays."
        if not step.is_last
        else f"{title} goes on until the end of what is paid for, and then to Free.",
        "resume": f"{title} goes on.",
    }
    return done(request, told.get(step.act, f"{title} is on {plan}."), PAGE)


def _note(request: SignedInRequest, text: str) -> None:
    change_log.note(request.account, request.caller, "plans", text)


@require_POST
@by_owner
def credits(request: SignedInRequest) -> HttpResponse:
    try:
        quantity = whole_number(request.POST.get("quantity"), 1, 1, checkout.MOST_CREDITS)
        address = checkout.checkout_credits(request.account, quantity)
        _note(request, f"Went to pay for {counted(quantity, 'event credit')}")
        return redirect(address)
    except (ProviderTrouble, CannotBuy) as trouble:
        messages.error(request, f"{trouble}".rstrip(".") + ".")
        return redirect("plans")


@require_POST
@by_owner
def portal(request: SignedInRequest) -> HttpResponse:
    if not known.sells():
        raise Http404
    try:
        return redirect(checkout.portal(request.account))
    except ProviderTrouble as trouble:
        messages.error(request, f"{trouble}".rstrip(".") + ".")
        return redirect("plans")


@page()
def wait(request: SignedInRequest, id: str) -> HttpResponse:
    """Back from the provider: how it stands is asked for, and this address gives nothing by itself."""
    purchase = request.account.purchases.filter(pk=id).first()
    if purchase is None:
        raise Http404
    if purchase.state in UNSETTLED and _is_due(purchase):
        with suppress(ProviderTrouble):  # the page asks again, and so does the worker
            status_sync.purchase(purchase.pk, in_request=True)
        purchase.refresh_from_db()
    if purchase.state == DONE:
        return done(request, _told(request.account, purchase), PAGE)
    if purchase.state not in UNSETTLED:
        messages.error(request, "Nothing was paid.")
        return redirect("plans")
    response = render(request, "account_pages/plan_wait.html", {"purchase": purchase})
    response["Refresh"] = "4"
    response["Cache-Control"] = "no-store"
    return response


def _is_due(purchase: Purchase) -> bool:
    return purchase.asked_at is None or purchase.asked_at < clock.now() - ASKED_EVERY


def _told(account: Account, purchase: Purchase) -> str:
    if purchase.kind == CREDITS:
        return f"Paid: {counted(purchase.quantity, 'event credit')} more."
    title = known.PRODUCTS[purchase.product].title
    waits = invite_rewards.waits(account)
    more = " Your free month comes off your next invoice." if waits else ""
    return f"Paid: {title} is on {purchase.plan.capitalize()}.{more}"
