"""A friend who pays earns a free month for both sides, once and within the rules."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client

from workspace.accounts import invites as codes
from workspace.accounts.models import Account, InvitePair, Membership
from workspace.billing import invite_rewards, reconciliation, status_sync
from workspace.billing.models import InviteMonth
from workspace.billing.tests.billing_instance import House
from workspace.delivery import mail
from workspace.delivery.models import Delivery
from workspace.lib import clock
from workspace.lib.errors import InvalidInputError
from workspace.storage.database.transactions import write_transaction
from workspace.testing.api import make_api

pytestmark = pytest.mark.django_db


def friend_of(house: House, inviter: Account, **more: Any) -> Account:
    account = house.account(name="Bookshop", **more)
    with write_transaction():
        codes.redeem_code(account, inviter.invite_code.upper())
    return account


def states(account: Account) -> list[str]:
    return list(account.invite_months.values_list("state", flat=True))


def balance(house: House, account: Account) -> int:
    return -int(house.stripe.customers[Account.objects.get(pk=account.pk).customer.reference]["balance"])


def test_both_sides_get_a_month_of_the_friends_plan(house: House) -> None:
    inviter = house.account()
    friend = friend_of(house, inviter)
    house.stripe.card = "card_friend"
    house.buy(friend, "quote=pro")
    assert (states(friend), states(inviter)) == (["credited"], ["banked"])
    assert balance(house, friend) == 1500
    found = make_api(inviter).run("svc_invite_link")
    told = [found[name] for name in ("friends_joined", "friends_paid", "free_months_earned", "banked")]
    assert told == [1, 1, 1, 1]
    assert found["free_months_left_this_year"] == 11
    assert [(row["friend"], row["state"], row["month"]) for row in found["history"]] == [
        ("Bookshop", "earned", "banked")
    ]
    house.stripe.card = "card_inviter"
    house.buy(inviter, "qr=pro")  # the month waits until the account pays
    assert states(inviter) == ["credited"]
    assert balance(house, inviter) == 1500
    id = inviter.subscriptions.get().pk
    bill = house.stripe.bill(id, 900)
    assert bill["amount_paid"] == 0
    reconciliation.reconcile_nightly()
    assert balance(house, inviter) == 600  # and nothing is credited twice
    assert len(house.stripe.given) == 2


def test_later_invoices_and_second_plans_earn_no_second_month(house: House) -> None:
    inviter = house.account()
    friend = friend_of(house, inviter)
    id = house.buy(friend)
    house.stripe.bill(id, 1500)
    house.receive_all_events()
    house.stripe.become(id, "canceled")
    house.receive_all_events()
    house.buy(friend, "menu=pro")
    assert InviteMonth.objects.count() == 2


def test_a_refund_reported_before_the_payment_earns_no_month(house: House) -> None:
    inviter = house.account()
    friend = friend_of(house, inviter)
    purchase = house.start_checkout(friend)
    house.stripe.checkout(purchase.session)
    [invoice] = house.stripe.invoices
    house.stripe.give_back_invoice(invoice)
    house.stripe.events.reverse()  # charge.refunded arrives before invoice.paid
    house.receive_all_events()
    assert not InviteMonth.objects.exists()
    assert InvitePair.objects.get().state == "reversed"


def test_an_invoice_of_zero_earns_no_month_but_the_first_paid_one_does(house: House) -> None:
    inviter = house.account()
    friend = friend_of(house, inviter)
    purchase = house.start_checkout(friend)
    session = house.stripe.sessions[purchase.session]
    made = house.stripe.subscribe(session["customer"], session["price"], session["metadata"], trial=True)
    house.receive_all_events()
    assert Account.objects.get(pk=friend.pk).plan("quote") == "pro"
    assert not InviteMonth.objects.exists()
    house.stripe.pay_again(made["id"])
    house.receive_all_events()
    assert InviteMonth.objects.count() == 2


@pytest.mark.parametrize("how", ["refund", "dispute", "part"])
def test_refunds_and_lost_disputes_revoke_unused_months(house: House, how: str) -> None:
    inviter = house.account()
    friend = friend_of(house, inviter)
    house.buy(friend)
    [invoice] = house.stripe.invoices
    if how == "dispute":
        house.stripe.lose(invoice)
    else:
        house.stripe.give_back_invoice(invoice, 100 if how == "part" else None)
    house.receive_all_events()
    if how == "part":
        assert (states(friend), states(inviter), balance(house, friend)) == (["credited"], ["banked"], 1500)
        return
    assert (states(friend), states(inviter)) == (["gone"], ["gone"])
    assert balance(house, friend) == 0
    assert make_api(inviter).run("svc_invite_link")["free_months_left_this_year"] == 12


def test_a_used_month_is_not_revoked(house: House) -> None:
    inviter = house.account()
    friend = friend_of(house, inviter)
    id = house.buy(friend)
    [invoice] = house.stripe.invoices
    house.stripe.bill(id, 1500)  # which the month has paid
    house.stripe.give_back_invoice(invoice)
    house.receive_all_events()
    assert (states(friend), states(inviter)) == (["credited"], ["gone"])
    assert balance(house, friend) == 0


def test_the_yearly_limit_is_twelve_by_payment_time_in_utc(house: House) -> None:
    inviter = house.account()
    year = 2025
    for number in range(14):
        house.stripe.card = f"card_{number}"
        friend = friend_of(house, inviter)
        paid_at = datetime(year, 1 + number % 12, 1 + number, tzinfo=UTC)
        if number == 13:  # a second before the next year, whatever the local time is
            paid_at = datetime(year, 12, 31, 23, 59, 59, tzinfo=UTC)
        house.stripe.clock = int(paid_at.timestamp())
        house.buy(friend)
    assert invite_rewards.remaining_this_year(inviter, datetime(year, 6, 1, tzinfo=UTC)) == 0
    assert inviter.invite_months.count() == 12
    assert InviteMonth.objects.filter(side="friend").count() == 14
    house.stripe.clock, house.stripe.card = int(datetime(year + 1, 1, 1, tzinfo=UTC).timestamp()), "card_new"
    house.buy(friend_of(house, inviter))
    assert inviter.invite_months.count() == 13


def test_a_yearly_price_gives_a_twelfth_up_to_the_most_expensive_plan(house: House) -> None:
    inviter = house.account()
    friend = friend_of(house, inviter)
    purchase = house.start_checkout(friend)
    session = house.stripe.sessions[purchase.session]
    price = house.stripe.prices[session["price"]]
    price["recurring"], price["unit_amount"] = {"interval": "year", "interval_count": 1}, 18000
    house.stripe.subscribe(session["customer"], session["price"], session["metadata"])
    house.receive_all_events()
    assert set(InviteMonth.objects.values_list("amount", flat=True)) == {1500}
    price["unit_amount"] = 10**6
    other = friend_of(house, inviter)
    house.stripe.card = "another"
    begun = house.stripe.sessions[house.start_checkout(other).session]
    house.stripe.subscribe(begun["customer"], session["price"], begun["metadata"])
    house.receive_all_events()
    assert other.invite_months.get().amount == 2900


def test_the_same_card_is_held_for_the_administrator(house: House, settings: Any, mailoutbox: Any) -> None:
    settings.OPERATOR_EMAIL = "host@example.com"
    inviter = house.account()
    house.buy(inviter, "qr=pro")
    for answer in (True, False):
        friend = friend_of(house, inviter)
        house.buy(friend)
        pair = InvitePair.objects.get(friend=friend)
        assert (pair.state, states(friend)) == ("held", ["held"])
        assert "the same card" in mailoutbox[-1].body
        assert invite_rewards.decide_held_pair(pair.pk, release=answer)
        assert not invite_rewards.decide_held_pair(pair.pk, release=answer)
        house.work()
        assert states(friend) == ["credited" if answer else "denied"]
    assert sorted(states(inviter)) == ["credited", "denied"]


def test_a_code_that_cannot_be_redeemed_gives_a_reason(house: House) -> None:
    inviter = house.account()
    own = house.account()
    own.owner.__class__.objects.filter(pk=own.owner.pk).update(email=inviter.owner.email.replace("@", "+two@"))
    old = house.account()
    Account.objects.filter(pk=old.pk).update(created_at=clock.now() - timedelta(days=8))
    older = house.account()
    Account.objects.filter(pk=older.pk).update(created_at=inviter.created_at - timedelta(days=1))
    shared = house.account()
    Membership.objects.create(account=shared, person=inviter.owner, role=Membership.EDITOR)
    for account in (inviter, own, old, older, shared):
        with pytest.raises(InvalidInputError):
            codes.redeem_code(Account.objects.get(pk=account.pk), inviter.invite_code)
    assert not InvitePair.objects.exists()
    late = friend_of(house, inviter)
    with pytest.raises(InvalidInputError):
        codes.redeem_code(late, house.account().invite_code)  # the first invitation counts
    codes.redeem_code(late, inviter.invite_code)
    for address in ("o.w.n@gmail.com", "OWN+x@googlemail.com"):
        assert codes.normalize_email(address) == "own@gmail.com"


def test_the_friend_gets_their_month_if_the_inviter_is_closed(house: House) -> None:
    inviter = house.account()
    friend = friend_of(house, inviter)
    inviter.delete()
    house.buy(friend)
    assert states(friend) == ["credited"]


def test_the_first_link_counts_and_signing_up_creates_the_pair(house: House) -> None:
    first, second = house.account(name="Café Uno"), house.account()
    browser = Client()
    page = browser.get(f"/i/{first.invite_code.upper()}", headers={"accept-language": "de"})
    text = page.content.decode()
    assert "Café Uno lädt Sie ein" in text and "Olive" not in text
    browser.get(f"/i/{second.invite_code}")
    assert Client().get("/i/nobody").status_code == 404
    Account.objects.filter(pk=first.pk).update(invite_shows_name=True)
    assert "Olive de Café Uno" in Client().get(f"/i/{first.invite_code}?lang=es").content.decode().replace(",", "")
    told = {"person": "Ida", "name": "Ida's", "trade": "other", "email": "ida@example.org"}
    answer = browser.post("/sign-up", {**told, "password1": "many words in a row", "time_zone": "UTC"})
    assert answer.status_code == 302, answer.content
    pair = InvitePair.objects.get()
    assert (pair.inviter, pair.friend.name, pair.state) == (first, "Ida's", "came")
    assert make_api(first).run("svc_invite_link")["friends_joined"] == 0
    with write_transaction():
        codes.confirm_invites(pair.friend.owner)
    assert make_api(first).run("svc_invite_link")["friends_joined"] == 1


def test_invitation_emails_are_limited_and_deleted_later(house: House) -> None:
    account = house.account()
    api = make_api(account)
    ten = [f"friend{number}@example.org" for number in range(10)]
    assert api.run("svc_invite_send", emails=ten, message="View invitation")["left_today"] == 10
    assert "View invitation" in Delivery.objects.filter(kind="email")[0].payload["message"]  # type: ignore[index]
    again = api.run("svc_invite_send", emails=["Friend1+x@example.org", "new@example.org"])
    assert again["sent"] == ["new@example.org"]
    # The email is in the language of the account's guests.
    subjects = []
    for place, language in enumerate(("es", "de", "ja")):
        api.run("svc_brand_edit", languages=[language])
        api.run("svc_invite_send", emails=[f"amigo{place}@example.org"])
        subjects.append(mail.parse_message(Delivery.objects.order_by("id").last())["Subject"])  # type: ignore[arg-type]
    invited = "invites you to Workspace Tools"
    assert [one.partition(" ")[0] for one in subjects] == ["Corner"] * 3 and subjects[2].endswith(invited)
    assert "te invita a Workspace Tools" in subjects[0] and "lädt Sie zu Workspace Tools ein" in subjects[1]
    assert "already invited these people" in api.refuse("svc_invite_send", emails=ten)["message"]
    assert "left today" in api.refuse("svc_invite_send", emails=[f"more{n}@example.org" for n in range(10)])["message"]
    assert api.refuse("svc_invite_send", emails=["nobody"])["issues"][0]["path"] == "emails.0"
    account.invite_mails.update(sent_at=clock.now() - timedelta(days=31))
    reconciliation.delete_expired_mails()
    assert not account.invite_mails.exists()


def test_a_lost_response_credits_nothing_twice(house: House) -> None:
    inviter = house.account()
    friend = friend_of(house, inviter)
    house.buy(friend)
    month = friend.invite_months.get()
    InviteMonth.objects.update(state="banked", reference="")
    status_sync.run_sync_job({"month": month.pk})
    assert (states(friend), balance(house, friend)) == (["credited"], 1500)
    assert len(house.stripe.given) == 1
