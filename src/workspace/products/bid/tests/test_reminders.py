"""Reminders are sent automatically, at most twice, and end with a decision, an unsubscribe or a bounce."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from workspace.delivery.mail import parse_message
from workspace.delivery.models import Delivery
from workspace.delivery.models.delivery import DeliveryState
from workspace.products.bid.domain import read_receipts, reminders
from workspace.products.bid.domain.reminders import DELIVERY_KIND, ReminderChannel, process_bounce
from workspace.products.bid.tests.clients import approve, get_opened
from workspace.public_site.guest_page import guest_transaction
from workspace.testing.api import Api
from workspace.testing.samples.bid import make_bid

pytestmark = pytest.mark.django_db
START = datetime(2026, 6, 1, 8, tzinfo=UTC)
LATE = timedelta(days=3, minutes=1)


@pytest.fixture
def bid(api: Api, time_machine: Any) -> str:
    time_machine.move_to(START)
    made = make_bid(api, valid_until="2026-06-20")
    api.run("svc_bid_send", id=made["id"], message="As we said.")
    return str(made["id"])


def pass_time(time_machine: Any, at: datetime) -> list[str]:
    """Move the clock to this time. Return the subjects of the emails that the client gets until then."""
    before = set(Delivery.objects.filter(kind="email").values_list("pk", flat=True))
    time_machine.move_to(at)
    due = Delivery.objects.filter(kind=DELIVERY_KIND, state=DeliveryState.WAITING, next_attempt_at__lte=at)
    for delivery in list(due):
        Delivery.objects.filter(pk=delivery.pk).update(state=ReminderChannel().send(delivery))
    fresh = Delivery.objects.filter(kind="email").exclude(pk__in=before)
    return [
        delivery.payload["subject"]
        for delivery in fresh
        if delivery.payload and delivery.payload["to"] == "ada@example.com"
    ]


def test_an_unopened_proposal_gets_a_reminder_another_before_its_end_and_a_notice_of_expiry(
    bid: str, time_machine: Any
) -> None:
    assert pass_time(time_machine, START + timedelta(days=2)) == []
    assert pass_time(time_machine, START + LATE) == ["Reminder: Garden party 0"]
    assert pass_time(time_machine, datetime(2026, 6, 17, 9, tzinfo=UTC)) == [
        "Reminder: Garden party 0 is valid until 20 June 2026"
    ]
    assert pass_time(time_machine, datetime(2026, 6, 21, 9, tzinfo=UTC)) == ["Proposal expired: Garden party 0"]
    mails = [parse_message(delivery) for delivery in Delivery.objects.filter(kind="email")]
    reminder = next(mail for mail in mails if str(mail["Subject"]).startswith("Reminder"))
    assert str(reminder["List-Unsubscribe"]) == f"<{get_opened(bid).public_url}/quiet>"
    assert str(reminder["List-Unsubscribe-Post"]) == "List-Unsubscribe=One-Click"
    assert str(reminder["Reply-To"]) == get_opened(bid).account.owner.email


def test_an_opened_proposal_only_gets_a_reminder_before_its_end(bid: str, time_machine: Any) -> None:
    with guest_transaction(get_opened(bid).publication_id):
        read_receipts.record_revision_view(get_opened(bid), get_opened(bid).revision_hash, "mobile")
    assert pass_time(time_machine, START + timedelta(days=4)) == []
    assert len(pass_time(time_machine, datetime(2026, 6, 17, 9, tzinfo=UTC))) == 1


def test_a_decision_or_an_unsubscribe_stops_reminders(api: Api, bid: str, time_machine: Any) -> None:
    other = make_bid(api, 1, valid_until="2026-06-20")["id"]
    api.run("svc_bid_send", id=other)
    approve(get_opened(bid))
    with guest_transaction(get_opened(other).publication_id):
        reminders.mute_reminders(get_opened(other))
    assert pass_time(time_machine, datetime(2026, 6, 21, 9, tzinfo=UTC)) == []


def test_there_are_at_most_two_reminders_and_one_a_day_by_hand(api: Api, bid: str, time_machine: Any) -> None:
    api.run("svc_bid_send", id=bid, kind="reminder")
    assert "within the last day" in api.refuse("svc_bid_send", id=bid, kind="reminder")["message"]
    assert len(pass_time(time_machine, START + LATE)) == 1
    assert pass_time(time_machine, datetime(2026, 6, 17, 9, tzinfo=UTC)) == []


def test_a_new_last_day_moves_the_reminder(api: Api, bid: str, time_machine: Any) -> None:
    api.run("svc_bid_edit", id=bid, valid_until="2026-07-20")
    assert pass_time(time_machine, datetime(2026, 6, 17, 9, tzinfo=UTC)) == ["Reminder: Garden party 0"]
    assert pass_time(time_machine, datetime(2026, 7, 17, 9, tzinfo=UTC)) == [
        "Reminder: Garden party 0 is valid until 20 July 2026"
    ]


def test_a_bounce_stops_reminders_and_the_owner_is_notified_once(api: Api, bid: str, time_machine: Any) -> None:
    Delivery.objects.filter(dedupe_key__startswith="bid-offer:").update(
        state=DeliveryState.PARKED, last_error="No such user"
    )
    assert (process_bounce(), process_bounce()) == (1, 0)
    delivery = Delivery.objects.filter(kind="email").order_by("-created_at").first()
    assert delivery is not None and delivery.payload and delivery.payload["subject"] == "Not delivered: Garden party 0"
    assert pass_time(time_machine, datetime(2026, 6, 21, 9, tzinfo=UTC)) == []


def test_a_changed_proposal_sent_again_lists_the_changes(api: Api, bid: str) -> None:
    api.run("svc_bid_edit", id=bid, deposit={"percent": 20})
    api.run("svc_bid_send", id=bid)
    mail = Delivery.objects.filter(dedupe_key__startswith="bid-offer:").order_by("-created_at", "-id").first()
    assert mail is not None
    message = parse_message(mail)
    assert str(message["Subject"]) == "Proposal updated: Garden party 0"
    assert "- The deposit changed" in message.get_body(("plain",)).get_content()
