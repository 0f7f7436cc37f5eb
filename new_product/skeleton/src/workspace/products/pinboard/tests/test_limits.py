"""The plan's number of notice boards."""

from __future__ import annotations

import pytest

from workspace.products.pinboard.manifest import PRODUCT
from workspace.testing.api import make_account, make_api
from workspace.testing.samples.pinboard import make_notice_board

pytestmark = pytest.mark.django_db
MOST = PRODUCT.plans["free"].limits.notice_boards


def test_the_free_plan_limits_notice_boards_and_a_deletion_makes_room() -> None:
    api = make_api(make_account(**{PRODUCT.key: "free"}))
    ids = [make_notice_board(api, number)["id"] for number in range(MOST)]
    assert f"Your plan includes {MOST}" in api.refuse("svc_pinboard_create", title="One more")["message"]
    change = api.run("svc_pinboard_delete", ids=ids[:1])["change"]
    make_notice_board(api, MOST)
    # restoring counts as well
    assert f"Your plan includes {MOST}" in api.refuse("svc_undo", change_id=change["id"])["message"]


def test_the_top_plan_has_no_limit() -> None:
    api = make_api(make_account(**{PRODUCT.key: "pro"}))
    for number in range(MOST + 1):
        make_notice_board(api, number)
    assert api.run("svc_pinboard_list")["total"] == MOST + 1
