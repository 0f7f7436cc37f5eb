"""The demo's notice board, and what remains of it after the account is closed."""

from __future__ import annotations

import pytest

from workspace.accounts import account_deletion
from workspace.products.pinboard.hooks import demo
from workspace.products.pinboard.models import NoticeBoard
from workspace.testing.api import Api
from workspace.testing.guest_browser import Guest

pytestmark = pytest.mark.django_db


def test_the_demo_has_a_notice_board_with_views(api: Api) -> None:
    demo.fill_account(api.account)
    [row] = api.run("svc_pinboard_list")["items"]
    assert row["title"] == demo.TITLE
    assert row["views"] >= demo.DAILY_VIEWS[0] * (demo.DAYS - 1)
    assert Guest().get(f"/pinboard/{row['slug']}").status_code == 200


def test_closing_an_account_deletes_its_notice_boards(api: Api) -> None:
    demo.fill_account(api.account)
    slug = api.run("svc_pinboard_list")["items"][0]["slug"]
    account_deletion.purge_account(api.account)
    assert not NoticeBoard._base_manager.exists()
    assert Guest().get(f"/pinboard/{slug}").status_code == 410
