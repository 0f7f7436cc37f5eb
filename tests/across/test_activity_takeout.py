"""Activity that no tool wrote is exported and imported: sign-ins, keys, and calls of linked apps."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.across.sample_exports import Export, forget_everything, import_account
from workspace.accounts import change_log
from workspace.accounts.dispatch import Caller
from workspace.accounts.models import Change
from workspace.testing.api import Api, make_account

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


def test_sign_ins_and_calls_of_linked_apps_are_imported(api: Api, tmp_path: Path) -> None:
    account, owner = api.account, api.account.owner
    change_log.log_sign_in(owner, "Signed in by a link, Chrome on Android")
    for name in ("keys", "members", "closing", "shop_Create-Order.v2"):
        change_log.log_change(account, Caller(account, person=owner), name, f"Something was done: {name}")
    export = Export.create(account, tmp_path)
    forget_everything()
    new = make_account()
    import_account(new, export.zipped())
    arrived = set(Change.objects.filter(account=new).values_list("tool", flat=True))
    assert {"sign-in", "keys", "members", "closing", "shop_Create-Order.v2"} <= arrived
