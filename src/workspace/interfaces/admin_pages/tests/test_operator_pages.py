"""The administrator's pages: accessible to administrators only, and their actions take effect."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import get_resolver

from workspace.accounts.models import Account, Person
from workspace.delivery import mail
from workspace.delivery.models import Delivery, DeliveryState
from workspace.interfaces.admin_pages.urls import urlpatterns
from workspace.lib import clock
from workspace.publishing.models import Publication, Report
from workspace.storage.models import SetAside
from workspace.testing.api import Api, make_account

pytestmark = pytest.mark.django_db
HOME = "/app/operator"


def browser(person: Person) -> Client:
    client = Client()
    client.force_login(person)
    return client


@pytest.fixture
def operator(db: None) -> Client:
    person = make_account(name="The House").owner
    person.is_operator = True
    person.save()
    return browser(person)


@pytest.fixture
def code(api: Api) -> Publication:
    made = api.run("svc_qr_create", name="Menu", target_url="https://example.com")
    return Publication.objects.get(slug=made["slug"])


def report(code: Publication, note: str = "It asks for my bank’s <b>code</b>") -> Report:
    return Report.objects.create(publication=code, reason="phishing", note=note, email="anna@example.com")


def test_for_everyone_else_the_pages_do_not_exist(account: Account, operator: Client) -> None:
    owner = browser(account.owner)
    for pattern in urlpatterns:
        path = "/" + str(pattern.pattern).replace("<str:id>", account.pk).replace("<int:id>", "1")
        assert owner.get(path).status_code in (404, 405), path
        assert owner.post(path).status_code in (404, 405), path
        assert Client().get(path).status_code in (302, 405), path
    assert get_resolver().resolve(HOME)
    assert operator.get(HOME).status_code == 200


def test_a_report_is_reviewed_and_its_page_banned_and_restored(operator: Client, code: Publication) -> None:
    first, second = report(code), report(code, "again")
    listed = operator.get(f"{HOME}/reports").content.decode()
    assert "&lt;b&gt;code" in listed and f"/q/{code.slug}" in listed and "anna@example.com" in listed
    assert "2</strong> reports are waiting" in operator.get(HOME).content.decode()

    operator.post(f"{HOME}/reports/{first.pk}", {"reason": " "})
    assert Client().get(f"/q/{code.slug}").status_code == 302
    operator.post(f"{HOME}/reports/{first.pk}", {"reason": "Phishing of a bank"})
    assert Client().get(f"/q/{code.slug}").status_code == 404
    assert not Report.objects.filter(resolved_at=None).exists(), "both were about it"
    assert "Phishing of a bank" in operator.get(f"{HOME}/reports?show=banned").content.decode()
    assert operator.post(f"{HOME}/banned/{code.pk}").status_code == 303
    assert Client().get(f"/q/{code.slug}").status_code == 302
    assert second.pk


def test_an_unfounded_report_is_dismissed(operator: Client, code: Publication) -> None:
    made = report(code)
    assert operator.post(f"{HOME}/reports/{made.pk}", {"aside": "yes"}).status_code == 303
    assert "No open reports" in operator.get(f"{HOME}/reports").content.decode()
    assert Client().get(f"/q/{code.slug}").status_code == 302


def test_an_account_is_found_suspended_and_resumed(operator: Client, api: Api, code: Publication) -> None:
    page = operator.get(f"{HOME}/accounts?q=CAFÉ").content.decode()
    others = Account.objects.exclude(pk=api.account.pk)
    assert f"{HOME}/accounts/{api.account.pk}" in page
    assert others and not [one for one in others if f"{HOME}/accounts/{one.pk}" in page]
    here = f"{HOME}/accounts/{api.account.pk}"
    assert operator.post(here, {"reason": ""}).status_code == 422
    assert operator.post(here, {"reason": "Spam"}).status_code == 303
    assert api.post("call", {"name": "svc_me", "arguments": {}})[0] == 401
    assert Client().get(f"/q/{code.slug}").status_code != 302
    shown = operator.get(here).content.decode()
    assert "Resume account" in shown and "Reason: <bdi>Spam</bdi>" in shown
    assert operator.post(here, {"resume": "yes"}).status_code == 303
    assert api.run("svc_me")
    assert Client().get(f"/q/{code.slug}").status_code == 302
    assert operator.get(f"{HOME}/accounts/acc_none").status_code == 404


def test_failed_deliveries_are_sent_again(operator: Client, account: Account) -> None:
    for number in range(3):
        told = {"from": "a@example.com", "to": "b@example.com", "subject": "x", "message": "Subject: x\r\n\r\nx"}
        Delivery.objects.create(
            kind=mail.KIND,
            payload=told,
            account=account,
            state=DeliveryState.PARKED,
            last_error=f"Mailbox {number} is full",
        )
    assert "Mailbox 2 is full" in operator.get(f"{HOME}/deliveries").content.decode()
    one = Delivery.objects.filter(state=DeliveryState.PARKED).first()
    assert one is not None
    operator.post(f"{HOME}/deliveries/retry", {"id": one.pk})
    assert Delivery.objects.filter(state=DeliveryState.PARKED).count() == 2
    operator.post(f"{HOME}/deliveries/retry", {"all": "yes"})
    assert not Delivery.objects.filter(state=DeliveryState.PARKED).exists()
    assert "No deliveries" in operator.get(f"{HOME}/deliveries").content.decode()
    assert operator.get(f"{HOME}/deliveries?state=waiting").content.decode().count("Mailbox") == 3


def test_lists_take_the_same_queries_for_one_and_three_rows(operator: Client, code: Publication) -> None:
    counts = []
    for more in (1, 2):
        for _ in range(more):
            report(code)
            other = make_account(name="Another")
            Delivery.objects.create(kind=mail.KIND, account=other, state=DeliveryState.PARKED, last_error="x")
        operator.get(HOME)  # warm the caches
        with CaptureQueriesContext(connection) as queries:
            for path in ("", "/accounts", "/reports", "/deliveries", "/jobs", "/mails"):
                assert operator.get(f"{HOME}{path}").status_code == 200
        counts.append(len(queries))
    assert counts[0] == counts[1]
    assert Report.objects.filter(created_at__gte=clock.now() - timedelta(hours=1)).count() == 3


def test_rows_set_aside_by_tasks_are_listed_with_their_error_and_retried(operator: Client) -> None:
    SetAside.record_failure("booking.later.remind", "bok_1", "KeyError: '<b>Mars/Base'")
    assert "1</strong> task row failed" in operator.get(HOME).content.decode()
    listed = operator.get(f"{HOME}/set-aside").content.decode()
    assert "bok_1" in listed and "&lt;b&gt;Mars/Base" in listed and "booking.later.remind" in listed
    for wrong in ("", "x", "9" * 30):
        assert operator.post(f"{HOME}/set-aside/retry", {"id": wrong}).status_code == 303
    assert SetAside.objects.get().next_at > clock.now()
    operator.post(f"{HOME}/set-aside/retry", {"id": SetAside.objects.get().pk})
    assert SetAside.objects.get().next_at <= clock.now()
    SetAside.objects.all().delete()
    assert "No failed tasks" in operator.get(f"{HOME}/set-aside").content.decode()
