"""Starter content for an account's trade: created at the start, and again in another guest language."""

from __future__ import annotations

from typing import Any

from django.contrib import messages

from workspace.accounts.models import Account
from workspace.brand.models import Brand
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import call_tool
from workspace.lib.errors import ToolError
from workspace.publishing import items
from workspace.publishing.models.starter import list_startable_models, starter_context
from workspace.storage.database.transactions import write_transaction


def create_starters(request: SignedInRequest) -> None:
    """Create the starter content for the trade as the owner would, within the limits of the plan.

    Items that others link to are created first.
    """
    account = Account.objects.select_related("brand").get(pk=request.account.pk)  # with the brand that was just saved
    trade = Brand.for_account(account).trade
    for product in reversed(items.list_manifests()):
        if product.starter is None or (example := product.starter(account, trade)) is None:
            continue
        try:
            with starter_context():
                call_tool(request, example.tool, **example.arguments)
        except ToolError as refusal:
            messages.error(request, refusal.message)


def list_unused_starters(account: Account) -> list[Any]:
    """Return the starter content of all kinds that no owner has changed and no guest has used."""
    return [item for kind in list_startable_models() for item in kind.list_starters(account)]


def recreate_starters(request: SignedInRequest) -> None:
    """Replace unused starter content with new content in the guests' current language."""
    with write_transaction():
        account = request.account.lock()
        for kind in list_startable_models():
            kind.remove_many(kind.list_starters(account))
    create_starters(request)
