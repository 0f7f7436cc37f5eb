"""Undo next to the message after a change."""

from __future__ import annotations

import re

import pytest
from django.conf import settings
from django.test import Client

from workspace.accounts.models import Account

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


def button(page: str) -> dict[str, str]:
    """Return the fields of a page's Undo form, or an empty dictionary if there is none."""
    form = re.search(r'<form class="note-undo".*?</form>', page, re.DOTALL)
    return dict(re.findall(r'name="(change_id|back)" value="([^"]*)"', form[0])) if form else {}


def send(owner: Client, path: str, fields: dict[str, str]) -> str:
    """Submit a form. Return the page that it redirects to."""
    answer = owner.post(path, fields)
    assert answer.status_code == 303, answer.content
    return owner.get(answer["Location"]).content.decode()


@pytest.fixture
def owner(account: Account) -> Client:
    client = Client()
    client.force_login(account.owner, backend=settings.AUTHENTICATION_BACKENDS[0])
    return client


@pytest.fixture
def code_id(owner: Client, account: Account) -> str:
    send(owner, "/app/card/new", {"full_name": "Ana Silva", "title": "Cook"})
    return account.cards.get().pk


def test_a_change_can_be_undone_from_its_message(owner: Client, account: Account, code_id: str) -> None:
    page = send(owner, f"/app/card/{code_id}", {"full_name": "Ana Silva", "title": "Chef"})
    sent = button(page)
    assert sent["back"] == f"/app/card/{code_id}"
    page = send(owner, "/app/undo", sent)
    told = page.partition('class="toasts"')[2].partition("</p>")[0]
    assert "Undone" in told and code_id not in told, "an id is no word for people"
    assert account.cards.get().title == "Cook"
    owner.post("/app/undo", button(page))
    assert account.cards.get().title == "Chef", "what was taken back can be done again"


def test_undoing_a_creation_redirects_to_the_list(owner: Client, account: Account) -> None:
    page = send(owner, "/app/card/new", {"full_name": "Ana Silva"})
    assert owner.post("/app/undo", button(page))["Location"] == "/app/card"
    assert not account.cards.exists()


def test_a_save_without_changes_offers_no_undo(owner: Client, code_id: str) -> None:
    owner.get("/app")  # shows pending messages
    page = send(owner, f"/app/card/{code_id}", {"full_name": "Ana Silva", "title": "Cook"})
    assert button(page) == {}


def test_a_change_followed_by_another_one_is_reported_and_not_undone(
    owner: Client, account: Account, code_id: str
) -> None:
    page = send(owner, f"/app/card/{code_id}", {"full_name": "Ana Silva", "title": "Chef"})
    older = button(page)
    owner.post(f"/app/card/{code_id}", {"full_name": "Ana Silva", "title": "Boss"})
    page = send(owner, "/app/undo", older)
    assert "has changed this again" in page
    assert account.cards.get().title == "Boss"


@pytest.mark.parametrize("back", ["https://evil.example/", "//evil.example/app", "/apple", ""])
def test_undo_redirects_only_within_the_dashboard(back: str, owner: Client, account: Account, code_id: str) -> None:
    page = send(owner, f"/app/card/{code_id}", {"full_name": "Ana Silva", "title": "Chef"})
    answer = owner.post("/app/undo", {**button(page), "back": back})
    assert answer.status_code == 303
    assert answer["Location"] == "/app"


def test_another_accounts_change_is_not_found(owner: Client, code_id: str, stranger) -> None:
    change = stranger.run("svc_account_edit", name="Mine")["change"]["id"]
    assert owner.post("/app/undo", {"change_id": change, "back": "/app"}).status_code == 404
