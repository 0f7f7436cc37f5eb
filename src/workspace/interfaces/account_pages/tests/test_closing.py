from __future__ import annotations

import pytest
from django.test import Client

from workspace.accounts import closing
from workspace.accounts.models import Account, ApiKey, Membership, Meter, Person
from workspace.interfaces.sign_in.tests.steps import PASSWORD, go_stale, make_person, sign_in, work_in

NAME = "Ada's Bakery"


@pytest.fixture
def closed(monkeypatch) -> list[str]:
    """Ids of accounts, as something that keeps public addresses would hear of them."""
    heard: list[str] = []
    monkeypatch.setattr(closing, "_closers", [*closing._closers, lambda account: heard.append(account.pk)])
    return heard


def test_the_account_goes_with_everything_that_it_owns(browser, person, closed, mailoutbox):
    account = Account.of(person)
    _, secret = ApiKey.mint(account, name="Key")
    Client(headers={"authorization": f"Bearer {secret}"}).get("/api/v1/me")
    assert Meter.objects.count() == 1
    answer = browser.post("/app/account/close", {"name": NAME})
    assert answer["Location"] == "/account/closed"
    assert [model.objects.count() for model in (Account, Person, ApiKey, Membership, Meter)] == [0] * 5
    assert closed == [account.pk]
    assert mailoutbox[0].to == ["ada@example.com"] and NAME in mailoutbox[0].subject
    assert "deleted" in browser.get("/account/closed").content.decode()
    assert browser.get("/app/account").status_code == 302
    assert "do not match" in Client().post("/sign-in/", {"login": person.email, "password": PASSWORD}).content.decode()


def test_a_wrong_name_deletes_nothing(browser, closed):
    answer = browser.post("/app/account/close", {"name": "Ada"})
    assert answer.status_code == 422 and "not the name" in answer.content.decode()
    assert Account.objects.count() == 1 and closed == []


def test_a_stale_sign_in_deletes_nothing(browser, closed):
    go_stale(browser)
    assert browser.post("/app/account/close", {"name": NAME})["Location"].startswith("/account/confirm")
    assert Account.objects.count() == 1


def test_people_keep_their_sign_in_while_they_belong_somewhere(browser, person, closed):
    bea = make_person("bea@example.com", "Bea's Bar")
    Membership.objects.create(account=Account.of(bea), person=person, role=Membership.EDITOR)
    Membership.objects.create(account=Account.of(person), person=bea, role=Membership.EDITOR)
    assert browser.post("/app/account/close", {"name": NAME})["Location"] == "/app"
    assert set(Person.objects.values_list("email", flat=True)) == {"ada@example.com", "bea@example.com"}
    assert "Bea&#x27;s Bar" in browser.get("/app/account").content.decode()


def test_when_something_fails_everything_stays(person, monkeypatch):
    def fail(account: Account) -> None:
        raise RuntimeError("the addresses would be lost")

    monkeypatch.setattr(closing, "_closers", [fail])
    with pytest.raises(RuntimeError):
        sign_in(person).post("/app/account/close", {"name": NAME})
    assert Account.objects.count() == Person.objects.count() == 1


def test_a_member_does_not_delete(browser, person, closed):
    bea = make_person("bea@example.com", "Bea's Bar")
    Membership.objects.create(account=Account.of(person), person=bea, role=Membership.EDITOR)
    theirs = sign_in(bea)
    work_in(theirs, Account.of(person))
    assert theirs.post("/app/account/close", {"name": NAME}).status_code == 403
    assert closed == []
