"""Queries for an account's QR codes."""

from __future__ import annotations

from django.db.models import QuerySet

from workspace.accounts.models import Account
from workspace.analytics.queries import total_column
from workspace.products.qr import messages
from workspace.products.qr.models import SCAN_EVENT, Code
from workspace.publishing.serializers import with_public_state
from workspace.storage.database.compiled_query import CompiledQuery, parameter


def codes_for(account: Account) -> QuerySet[Code]:
    """Return the account's codes with their publications, with one query."""
    return with_public_state(account.codes.all())


def get_code(account: Account, id: str) -> Code:
    """Return the code with its logo and its `scans`. Raise NotFoundError if the account has no such code."""
    code: Code = _CODE_QUERY.get_one(messages.CODE_NOT_FOUND, account=account.pk, id=id)
    code.account = account
    return code


_CODE_QUERY = CompiledQuery(
    lambda: (
        with_public_state(Code.objects.filter(account_id=parameter("account"), pk=parameter("id")))
        .select_related("publication", "logo")
        .annotate(scans=total_column(SCAN_EVENT))
    )
)
