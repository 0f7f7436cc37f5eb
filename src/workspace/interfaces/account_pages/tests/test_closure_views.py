from __future__ import annotations

from datetime import timedelta

import pytest
import time_machine
from django.test import Client

from workspace.accounts import account_deletion
from workspace.accounts.models import Account, ApiKey, Membership, Person
from workspace.interfaces.account_pages.closure_views import process_closures
from workspace.lib import clock
from workspace.lib.errors import ConflictError
from workspace.publishing.account_lifecycle import closure_grace_period
from workspace.publishing.models import Publication
from workspace.rate_limits.models import CallQuota
from workspace.storage.models import SetAside
from workspace.testing.api import make_api
from workspace.testing.sign_in import PASSWORD, go_stale, make_person, sign_in, work_in

NAME = "Ada's Bakery"


@pytest.fixture
def closed(monkeypatch) -> list[str]:
    """Return a list that collects the ids of deleted accounts."""
    heard: list[str] = []
    monkeypatch.setattr(
        account_deletion,
        "_deletion_hooks",
        [*account_deletion._deletion_hooks, lambda account: heard.append(account.pk)],
    )
    return heard


def sweep_after(days: float) -> None:
    with time_machine.travel(clock.now() + timedelta(days=days), tick=False):
        process_closures()


def test_for_14_days_everything_is_offline_and_stored_and_can_be_restored_with_one_click(
    browser, person, closed, mailoutbox
):
    account = Account.for_person(person)
    api = make_api(account)
    slug = api.run("svc_card_create", full_name="Ada")["slug"]
    banned = Publication.open(account, "card", "bad-one")
    banned.ban("Spam")
    assert browser.post("/app/account/close", {"name": NAME})["Location"] == "/app/account/close"
    assert NAME in mailoutbox[0].subject and "/app/account/takeout" in mailoutbox[0].body
    answer = Client().get(f"/c/{slug}")
    assert answer.status_code == 404 and "This page is closed" in answer.content.decode()
    assert "not available" in Client().get("/c/bad-one").content.decode()
    assert api.run("svc_card_list")["total"] == 1  # existing data can still be read and exported
    assert "can cancel the closure" in api.refuse("svc_card_create", full_name="Bea")["message"]
    assert "job_id" in api.run("svc_account_export")
    assert "is scheduled for closure and will be deleted on" in browser.get("/app").content.decode()
    sweep_after(12.5)
    assert "in 2 days" in mailoutbox[1].subject
    sweep_after(13)
    assert len(mailoutbox) == 2 and closed == []
    browser.post("/app/account/close/cancel")
    assert Client().get(f"/c/{slug}").status_code == 200
    assert "not available" in Client().get("/c/bad-one").content.decode()
    api.run("svc_card_create", full_name="Bea")
    sweep_after(30)
    assert closed == [] and Account.objects.count() == 1


def test_then_the_account_is_deleted_with_all_its_data(browser, person, closed, mailoutbox):
    account = Account.for_person(person)
    _, secret = ApiKey.create(account, name="Key")
    Client(headers={"authorization": f"Bearer {secret}"}).get("/api/v1/me")
    assert CallQuota.objects.count() == 1
    browser.post("/app/account/close", {"name": NAME})
    mailoutbox.clear()
    sweep_after(14.1)
    assert [model.objects.count() for model in (Account, Person, ApiKey, Membership, CallQuota)] == [0] * 5
    assert closed == [account.pk]
    assert mailoutbox[0].to == ["ada@example.com"] and NAME in mailoutbox[0].subject
    assert browser.get("/app/account").status_code == 302
    assert "don’t match" in Client().post("/sign-in/", {"login": person.email, "password": PASSWORD}).content.decode()


def test_a_wrong_name_deletes_nothing(browser, closed):
    answer = browser.post("/app/account/close", {"name": "Ada"})
    assert answer.status_code == 422 and "does not match" in answer.content.decode()
    assert Account.objects.count() == 1 and closed == []


def test_closing_requires_a_recent_sign_in(browser, closed):
    go_stale(browser)
    assert browser.post("/app/account/close", {"name": NAME})["Location"].startswith("/account/confirm")
    assert Account.objects.count() == 1


def test_people_with_another_account_can_still_sign_in(browser, person, closed):
    bea = make_person("bea@example.com", "Bea's Bar")
    Membership.objects.create(account=Account.for_person(bea), person=person, role=Membership.EDITOR)
    Membership.objects.create(account=Account.for_person(person), person=bea, role=Membership.EDITOR)
    browser.post("/app/account/close", {"name": NAME})
    sweep_after(14.1)
    assert set(Person.objects.values_list("email", flat=True)) == {"ada@example.com", "bea@example.com"}
    assert "Bea&#x27;s Bar" in browser.get("/app/account").content.decode()


def test_if_a_deletion_fails_nothing_is_deleted(person, monkeypatch):
    def fail(account: Account) -> None:
        raise RuntimeError("the addresses would be lost")

    sign_in(person).post("/app/account/close", {"name": NAME})
    monkeypatch.setattr(account_deletion, "_deletion_hooks", [fail])
    sweep_after(14.1)
    assert Account.objects.count() == Person.objects.count() == 1
    assert "the addresses would be lost" in SetAside.objects.get().error


def test_an_account_that_cannot_be_erased_stops_no_other(person, closed, monkeypatch):
    bea = make_person("bea@example.com", "Bea's Bar")
    bad = Account.for_person(person)
    for one in (person, bea):
        closure_grace_period.start_closure(Account.for_person(one))

    def fail(account: Account) -> None:
        if account == bad:
            raise RuntimeError("the addresses would be lost")

    monkeypatch.setattr(account_deletion, "_deletion_hooks", [fail])
    sweep_after(14.1)
    assert list(Account.objects.all()) == [bad]
    assert SetAside.objects.get().row == bad.pk


def test_an_account_whose_grace_period_is_over_cannot_be_restored(person):
    account = closure_grace_period.start_closure(Account.for_person(person))
    with time_machine.travel(account.closes_at, tick=False), pytest.raises(ConflictError):
        closure_grace_period.cancel_closure(account)


def test_an_owner_who_cannot_be_notified_stops_no_other_notification(person, monkeypatch, mailoutbox):
    bea = make_person("bea@example.com", "Bea's Bar")
    for one in (person, bea):
        closure_grace_period.start_closure(Account.for_person(one))
    Account.objects.filter(pk=Account.for_person(person).pk).update(time_zone="Mars/Base")
    sweep_after(12.5)
    assert [mail.to for mail in mailoutbox] == [["bea@example.com"]]
    assert "Mars/Base" in SetAside.objects.get().error


def test_a_member_cannot_close_the_account(browser, person, closed):
    bea = make_person("bea@example.com", "Bea's Bar")
    Membership.objects.create(account=Account.for_person(person), person=bea, role=Membership.EDITOR)
    theirs = sign_in(bea)
    work_in(theirs, Account.for_person(person))
    assert theirs.post("/app/account/close", {"name": NAME}).status_code == 403
    assert theirs.get("/app/account/takeout").status_code == 403
    assert closed == []
