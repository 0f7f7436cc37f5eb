"""Find an account's QR codes."""

from __future__ import annotations

from django.db.models import QuerySet

from workspace.accounts.models import Account
from workspace.analytics.queries import total_of
from workspace.products.qr.models import SCAN, Code
from workspace.publishing.serializers import shown
from workspace.storage.database.compiled_query import Statement, given

MISSING = "There is no such QR code: svc_qr_list shows yours with their ids"


def codes_of(account: Account) -> QuerySet[Code]:
    """The account's codes with what is published of them, by one query."""
    return shown(account.codes.all())


def code_of(account: Account, id: str) -> Code:
    """The code with its logo and its `scans`. Raises NotFound for one that there is not, or is another account's."""
    code: Code = _ONE.one(MISSING, account=account.pk, id=id)
    code.account = account
    return code


_ONE = Statement(
    lambda: (
        shown(Code.objects.filter(account_id=given("account"), pk=given("id")))
        .select_related("publication", "logo")
        .annotate(scans=total_of(SCAN))
    )
)
