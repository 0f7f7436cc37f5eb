from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import transaction

from workspace.delivery import outbox
from workspace.delivery.models import Delivery, DeliveryState
from workspace.delivery.outbox.worker import OutboxWorker
from workspace.lib import clock
from workspace.testing.smtp_sink import write_mail

pytestmark = pytest.mark.django_db


def test_a_dedupe_key_writes_once(account) -> None:
    first = outbox.put("email", {"to": "a"}, account=account, dedupe="reminder:1")
    with transaction.atomic():
        again = outbox.put("email", {"to": "b"}, dedupe="reminder:1")
        other = outbox.put("email", {"to": "c"}, dedupe="reminder:2")
    assert again.id == first.id != other.id
    assert again.payload == {"to": "a"} and again.account == account
    assert Delivery.objects.count() == 2


def test_an_unknown_kind_and_a_long_key_are_rejected_immediately() -> None:
    with pytest.raises(ValueError, match="pigeon"):
        outbox.put("pigeon", {})
    with pytest.raises(ValueError, match="200"):
        outbox.put("email", {}, dedupe="x" * 201)
    assert not Delivery.objects.exists()


def test_the_last_email_of_a_deleted_account_is_still_sent(account) -> None:
    row = outbox.put("email", {}, account=account)
    account.delete()
    row.refresh_from_db()
    assert row.account is None and row.state == DeliveryState.WAITING


def test_content_is_deleted_after_its_retention_but_not_while_waiting(settings) -> None:
    settings.SMTP_HOST = ""
    old, parked, waiting = write_mail(), write_mail(), write_mail()
    long_ago = clock.now() - timedelta(days=8)
    Delivery.objects.filter(pk=old.pk).update(state=DeliveryState.SENT, sent_at=long_ago)
    Delivery.objects.filter(pk=parked.pk).update(state=DeliveryState.PARKED, next_attempt_at=long_ago)
    Delivery.objects.filter(pk=waiting.pk).update(next_attempt_at=long_ago)
    assert Delivery.blank_old_content() == 1
    assert list(Delivery.objects.filter(payload__isnull=True).values_list("pk", flat=True)) == [old.pk]
    assert Delivery.blank_old_content(clock.now() + timedelta(days=30)) == 1
    assert not Delivery.retry(parked.pk), "there is nothing left to send"
    OutboxWorker().drain_once()
    assert Delivery.objects.get(pk=waiting.pk).state == DeliveryState.KEPT


def test_sent_emails_are_emptied_within_hours_and_unsent_local_ones_stay_for_a_week(settings) -> None:
    sent, kept = write_mail(), write_mail()
    Delivery.objects.filter(pk=sent.pk).update(state=DeliveryState.SENT, sent_at=clock.now() - timedelta(hours=2))
    Delivery.objects.filter(pk=kept.pk).update(state=DeliveryState.KEPT, sent_at=clock.now() - timedelta(days=6))
    assert Delivery.blank_old_content() == 1
    assert Delivery.objects.get(pk=sent.pk).payload is None
    assert Delivery.objects.get(pk=kept.pk).payload is not None
    assert Delivery.blank_old_content(clock.now() + timedelta(days=2)) == 1


def test_rows_are_deleted_after_400_days() -> None:
    done, waiting = write_mail(), write_mail()
    Delivery.objects.update(created_at=clock.now() - timedelta(days=401))
    Delivery.objects.filter(pk=done.pk).update(state=DeliveryState.SENT, sent_at=clock.now())
    Delivery.blank_old_content()
    assert [row.pk for row in Delivery.objects.all()] == [waiting.pk]
