"""The owner's pages of notice boards: their forms call the tools."""

from __future__ import annotations

import pytest
from django.test import Client

from workspace.products.pinboard.models import NoticeBoard
from workspace.testing.api import Api
from workspace.testing.samples.pinboard import make_notice_board

pytestmark = pytest.mark.django_db
TOO_LONG = "x" * 81


@pytest.fixture
def owner(api: Api) -> Client:
    client = Client()
    client.force_login(api.account.owner)
    return client


def test_an_account_without_notice_boards_sees_what_to_do(owner: Client) -> None:
    html = owner.get("/app/pinboard").content.decode()
    assert "No notice boards yet" in html and "/app/pinboard/new" in html


def test_a_notice_board_is_created_by_the_form(owner: Client) -> None:
    response = owner.post("/app/pinboard/new", {"title": "Corner", "text": "Open daily."})
    notice_board = NoticeBoard.objects.get()
    assert (response.status_code, response["Location"]) == (303, f"/app/pinboard/{notice_board.pk}?made")
    assert (notice_board.title, notice_board.text) == ("Corner", "Open daily.")


def test_the_list_shows_the_notice_boards(owner: Client, api: Api) -> None:
    id = make_notice_board(api)["id"]
    html = owner.get("/app/pinboard").content.decode()
    assert "Sample 0" in html and f"/app/pinboard/{id}" in html


def test_an_edit_is_saved_by_the_form(owner: Client, api: Api) -> None:
    id = make_notice_board(api, text="Open daily.")["id"]
    form = owner.get(f"/app/pinboard/{id}").content.decode()
    assert 'value="Sample 0"' in form and "Open daily.</textarea>" in form
    response = owner.post(f"/app/pinboard/{id}", {"title": "Corner", "text": ""})
    assert (response.status_code, response["Location"]) == (303, f"/app/pinboard/{id}")
    found = api.run("svc_pinboard_get", id=id)
    assert (found["title"], found["text"]) == ("Corner", "")


def test_an_error_is_shown_at_its_field_and_nothing_is_saved(owner: Client, api: Api) -> None:
    id = make_notice_board(api)["id"]
    response = owner.post(f"/app/pinboard/{id}", {"title": TOO_LONG, "text": ""})
    assert response.status_code == 422
    assert '<a href="#f-title">Title</a>: Use at most 80 characters' in response.content.decode()
    assert api.run("svc_pinboard_get", id=id)["title"] == "Sample 0"
