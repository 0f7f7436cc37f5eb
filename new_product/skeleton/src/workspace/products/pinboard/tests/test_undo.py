"""Undoing changes of a notice board: edits, deletion and creation."""

from __future__ import annotations

import pytest

from workspace.products.pinboard.models import NoticeBoard
from workspace.testing.api import Api
from workspace.testing.guest_browser import Guest
from workspace.testing.samples.pinboard import make_notice_board

pytestmark = pytest.mark.django_db


def test_an_edit_is_undone_field_by_field(api: Api) -> None:
    id = make_notice_board(api, text="Open daily.")["id"]
    change = api.run("svc_pinboard_edit", id=id, text="Open on Mondays.")["change"]
    assert change["before"] == {id: {"text": "Open daily."}}
    api.run("svc_pinboard_edit", id=id, title="Corner")
    api.run("svc_undo", change_id=change["id"])
    found = api.run("svc_pinboard_get", id=id)
    assert (found["title"], found["text"]) == ("Corner", "Open daily.")


def test_a_deleted_notice_board_is_restored_at_its_address(api: Api) -> None:
    notice_board = make_notice_board(api)
    path = f"/pinboard/{notice_board['slug']}"
    api.run("svc_pinboard_delete", ids=[notice_board["id"]])
    assert Guest().get(path).status_code == 410
    api.run("svc_undo")
    assert Guest().get(path).status_code == 200


def test_undoing_the_creation_leaves_nothing(api: Api) -> None:
    make_notice_board(api)
    api.run("svc_undo")
    assert not NoticeBoard._base_manager.exists()
