"""Notice boards through the API: creating, listing, editing and deleting."""

from __future__ import annotations

import pytest

from workspace.testing.api import Api
from workspace.testing.samples.pinboard import make_notice_board

pytestmark = pytest.mark.django_db


def test_a_new_notice_board_is_live_and_listed(api: Api) -> None:
    created = api.run("svc_pinboard_create", title="Corner", text="Open daily.")
    assert (created["state"], created["slugs"]) == ("live", [created["slug"]])
    [row] = api.run("svc_pinboard_list")["items"]
    assert (row["id"], row["title"], row["text"], row["views"]) == (created["id"], "Corner", "Open daily.", 0)


def test_the_list_starts_with_the_newest(api: Api) -> None:
    first, second = make_notice_board(api, 1), make_notice_board(api, 2)
    assert [row["id"] for row in api.run("svc_pinboard_list")["items"]] == [second["id"], first["id"]]


def test_an_edit_changes_only_the_given_fields(api: Api) -> None:
    id = make_notice_board(api, text="Open daily.")["id"]
    assert api.run("svc_pinboard_edit", id=id, title="Corner")["text"] == "Open daily."
    assert api.run("svc_pinboard_edit", id=id, text="")["text"] == ""
    found = api.run("svc_pinboard_get", id=id)
    assert (found["title"], found["text"]) == ("Corner", "")


@pytest.mark.parametrize(
    ("arguments", "path"),
    [
        ({"title": ""}, "title"),
        ({"title": "x" * 81}, "title"),
        ({"title": "two\nlines"}, "title"),
        ({"title": "x", "text": "x" * 5001}, "text"),
        ({"title": "x", "color": "red"}, "color"),
    ],
)
def test_an_invalid_argument_is_reported_and_nothing_is_created(arguments: dict[str, str], path: str, api: Api) -> None:
    assert [issue["path"] for issue in api.refuse("svc_pinboard_create", **arguments)["issues"]] == [path]
    assert api.run("svc_pinboard_list")["total"] == 0


def test_a_deleted_notice_board_is_not_listed(api: Api) -> None:
    id = make_notice_board(api)["id"]
    assert api.run("svc_pinboard_delete", ids=[id])["deleted"] == [{"id": id, "title": "Sample 0"}]
    assert api.run("svc_pinboard_list")["total"] == 0
    assert api.refuse("svc_pinboard_get", id=id)["error"] == "not_found"
