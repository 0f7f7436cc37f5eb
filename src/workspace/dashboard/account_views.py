"""The list of all tools, and switching accounts."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_safe

from workspace.accounts import permissions, plans
from workspace.accounts.models import Account
from workspace.brand.models import Brand
from workspace.dashboard import device_storage, navigation
from workspace.dashboard.item_presenters import redirect_with_message
from workspace.dashboard.mobile_bar import BAR_SIZE
from workspace.dashboard.models import Onboarding
from workspace.dashboard.navigation import NavItem
from workspace.dashboard.product_usage import get_usage
from workspace.dashboard.session import SignedInRequest, require_sign_in, select_account
from workspace.dashboard.tool_views import build_page_decorator, call_tool
from workspace.delivery import account_settings_tools
from workspace.lib import money, number_fields
from workspace.lib.errors import NotFoundError

MAX_ACCOUNTS = 100  # listed for the choice
_tools_page = build_page_decorator(
    list_path="/app/tools", id_arguments=(), find_parent_url=lambda request: "/app/tools"
)


def title_in_sentence(title: str) -> str:
    """Return the title as it is written inside a sentence, for example "booking pages" but "QR codes"."""
    return title if title[:2].isupper() else title[:1].lower() + title[1:]


@_tools_page("GET", "HEAD", "POST")
def tools(request: SignedInRequest) -> HttpResponse:
    """Show all products and their purposes, grouped by use, and planned products. On POST, save the tabs for phones."""
    if request.method == "POST":
        chosen = [key for key in request.POST.getlist("tab_bar") if key]
        call_tool(request, account_settings_tools.edit, tab_bar=chosen)
        return redirect_with_message(request, gettext("Tab bar saved."), "/app/tools")
    account = request.account
    groups: dict[str, list[tuple[NavItem, Any, str]]] = {}
    products = navigation.list_products()
    for item in products:
        summary = item.summary(account) if item.summary else ""
        groups.setdefault(str(item.group), []).append((item, plans.PRODUCTS.get(item.product), summary))
    listed = navigation.all_product_keys()
    later = [title_in_sentence(product.title) for key, product in plans.PRODUCTS.items() if key not in listed]
    tabs = [item.product for item in get_usage(request).bar_items]
    may_choose_tabs = request.caller.permission_scope.can_access(permissions.OWNERS, writes=True)
    context = {
        "groups": list(groups.items()),
        "later": later,
        "is_put_away": Onboarding.for_account(account).dismissed_at is not None,
        "products": products,
        "tabs": [*tabs, *[""] * (BAR_SIZE - len(tabs))] if may_choose_tabs else [],
    }
    return render(request, "dashboard/tools.html", context)


@require_safe
@require_sign_in
def interpret_number(request: SignedInRequest, noun: str) -> HttpResponse:
    """Show how a number is interpreted while it is typed. `noun` is its kind (`lib/number_fields.py`).

    The number is parsed in the same way as when it is saved.
    """
    if not number_fields.is_field_kind(noun):
        raise Http404
    text = str(next(iter(request.GET.values()), "")).strip()
    try:
        number = number_fields.parse_field(text, noun, Brand.for_account(request.account).country) if text else None
        if number is not None and noun in money.CURRENCIES:
            money.to_minor_units(number, noun)  # reject what saving would reject
        words = "" if number is None else number_fields.format_field(number, noun)
    except ValueError as problem:
        return render(request, "dashboard/parts/understood.html", {"problem": str(problem)})
    return render(request, "dashboard/parts/understood.html", {"words": words})


@require_http_methods(["GET", "HEAD", "POST"])
@require_sign_in
def switch_account(request: SignedInRequest) -> HttpResponse:
    """List the person's accounts, and switch to another one."""
    if request.method == "POST":
        try:
            account = select_account(request, request.user, request.POST.get("account", ""))
        except NotFoundError:
            messages.error(request, gettext("You are not a member of this account."))
            return redirect("/app/switch")
        messages.success(request, gettext("Switched to %(name)s.") % {"name": account.name})
        response = redirect("/app")
        device_storage.clear_stored_pages(response)
        return response
    mine = Account.objects.filter(memberships__person=request.user, banned_at=None).order_by("memberships__id")
    return render(request, "dashboard/switch.html", {"accounts": mine[:MAX_ACCOUNTS]})
