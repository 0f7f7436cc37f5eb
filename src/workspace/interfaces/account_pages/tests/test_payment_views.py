"""The payments page: the owner connects Stripe, sees payments, refunds them, and disconnects."""

from __future__ import annotations

from django.test import Client

from workspace.accounts.models import Account, Membership
from workspace.dashboard.session import ACCOUNT_KEY
from workspace.payments.models import Connection, Payment, Refund
from workspace.testing.api import make_api
from workspace.testing.fake_stripe import KEY, FakeStripe
from workspace.testing.samples.payments import create_samples
from workspace.testing.sign_in import go_stale, make_person, sign_in

PAGE = "/app/account/payments"


def main(browser: Client, path: str = "") -> str:
    answer = browser.get(PAGE + path)
    assert answer.status_code == 200
    return answer.content.decode().split("<main")[1]


def paid(account: Account) -> Payment:
    return Payment.objects.get(pk=create_samples(make_api(account))["payment"])


def test_stripe_is_connected_with_a_key_that_no_page_shows(browser: Client, stripe: FakeStripe) -> None:
    assert "Connect Stripe" in main(browser)
    wrong = browser.post(f"{PAGE}/connect", {"key": "sk_test_wrong"})
    assert wrong.status_code == 422 and "invalid or was revoked" in wrong.content.decode()
    assert "sk_test_wrong" not in wrong.content.decode()
    assert browser.post(f"{PAGE}/connect", {"key": f" {KEY}\n"}).status_code == 303
    page = main(browser)
    assert (
        "Test mode" in page and "Set up, no events received yet" in page and "Corner Café" in page and KEY not in page
    )
    stripe.deaf = True
    Connection.objects.update(webhook_id="", webhook_secret="")
    browser.post(f"{PAGE}/events")
    by_hand = main(browser, "/events")
    assert "publicly accessible" in by_hand and Connection.objects.get().webhook_url in by_hand
    assert browser.post(f"{PAGE}/events", {"secret": "nonsense"}).status_code == 422
    assert browser.post(f"{PAGE}/events", {"secret": "whsec_" + "h" * 30}).status_code == 303
    assert "let customers pay online" in main(browser, "/disconnect").lower()
    assert browser.post(f"{PAGE}/disconnect").status_code == 303
    assert Connection.objects.get().is_ending
    assert "Disconnecting" in main(browser)


def test_a_payment_is_listed_and_refunded(browser: Client) -> None:
    payment = paid(Account.objects.get())
    page = main(browser)
    assert "€50.00" in page and "payer@example.org" in page and "Refund<span" in page
    refused = browser.post(f"{PAGE}/{payment.pk}/refund", {"amount": "70"})
    assert refused.status_code == 422 and "more than the refundable amount" in refused.content.decode()
    assert not Refund.objects.exists()
    assert browser.post(f"{PAGE}/{payment.pk}/refund", {"amount": "12,50", "reason": "late"}).status_code == 303
    assert Refund.objects.get().amount == 1250
    assert "€12.50 Refund pending" in main(browser)


def test_only_an_owner_with_a_recent_sign_in_connects_and_payments_of_others_are_inaccessible(browser: Client) -> None:
    account = Account.objects.get()
    payment = paid(account)
    go_stale(browser)
    assert browser.get(f"{PAGE}/connect").status_code == 302
    member = make_person("member@example.com")
    Membership.objects.create(account=account, person=member, role=Membership.EDITOR)
    theirs = sign_in(member)
    session = theirs.session
    session[ACCOUNT_KEY] = account.pk
    session.save()
    for path in ("connect", "events", "disconnect"):
        assert theirs.post(f"{PAGE}/{path}").status_code in (403, 404), path
    other = sign_in(make_person("other@example.com"))
    assert other.post(f"{PAGE}/{payment.pk}/refund", {"amount": "1"}).status_code == 404
    assert "payer@example.org" not in main(other)
    assert not Refund.objects.exists()
