from __future__ import annotations

from datetime import timedelta
from email.utils import parseaddr
from typing import Any

import pytest
import time_machine
from django.core.mail import EmailMessage, EmailMultiAlternatives
from django.db import transaction

from workspace.delivery import mail
from workspace.delivery.mail.from_address import sender_address
from workspace.delivery.models import Delivery, DeliveryState
from workspace.delivery.outbox.worker import OutboxWorker
from workspace.lib import clock
from workspace.testing.smtp_sink import Peer, write_mail

pytestmark = pytest.mark.django_db(transaction=True)


def test_an_email_is_sent_exactly_once(peer: Peer) -> None:
    row = write_mail()
    worker = OutboxWorker()
    assert worker.drain_once() == 1 and worker.drain_once() == 0
    assert peer.recipients() == ["guest@example.com"]
    row.refresh_from_db()
    assert (row.state, row.attempts, row.last_error, row.lease_token) == (DeliveryState.SENT, 1, "", None)
    assert row.sent_at is not None


def test_a_batch_uses_one_connection(peer: Peer) -> None:
    for number in range(5):
        write_mail(f"guest{number}@example.com")
    OutboxWorker().drain_once()
    assert len(peer.taken) == 5 and peer.connections == 1


def test_an_email_arrives_as_written(peer: Peer) -> None:
    message = EmailMultiAlternatives(
        "Ihr Café — 予約 ✅",
        "Grüße aus der Küche\n.\nund mehr\n",
        from_email="Café Müller <cafe@example.com>",
        to=["Jürgen Groß <guest@example.com>"],
        reply_to=["owner@example.com"],
        headers={"X-Kind": "booking"},
    )
    message.attach_alternative("<p>Grüße & Küsse</p>", "text/html")
    message.attach("Übersicht.pdf", b"%PDF-1.7\x00\xff\r\n.\r\n", "application/pdf")
    mail.queue_message(message)
    OutboxWorker().drain_once()
    [(recipient, got)] = peer.taken
    assert recipient == "guest@example.com"
    assert got["Subject"] == "Ihr Café — 予約 ✅"
    assert got["From"] == "Café Müller <cafe@example.com>" and got["Reply-To"] == "owner@example.com"
    assert got["To"].addresses[0].display_name == "Jürgen Groß"
    assert got["X-Kind"] == "booking" and got["Auto-Submitted"] == "auto-generated"
    assert got["Message-ID"].endswith("@example.com>")
    assert got.get_body(("plain",)).get_content().splitlines() == ["Grüße aus der Küche", ".", "und mehr"]
    assert got.get_body(("html",)).get_content().strip() == "<p>Grüße & Küsse</p>"
    [attached] = got.iter_attachments()
    assert attached.get_filename() == "Übersicht.pdf" and attached.get_content() == b"%PDF-1.7\x00\xff\r\n.\r\n"


def test_a_blind_copy_is_sent_and_not_in_the_headers(peer: Peer) -> None:
    mail.queue_message(EmailMessage("Hi", "Hi", to=["a@example.com"], cc=["b@example.com"], bcc=["c@example.com"]))
    OutboxWorker().drain_once()
    assert sorted(peer.recipients()) == ["a@example.com", "b@example.com", "c@example.com"]
    assert all("c@example.com" not in message.as_string() for _, message in peer.taken)
    assert len({message["Message-ID"] for _, message in peer.taken}) == 1


def test_a_rejected_recipient_is_parked_with_the_reason_and_delays_no_others(peer: Peer) -> None:
    peer.answers["gone@example.com"] = "550 5.1.1 No such mailbox"
    gone, fine = write_mail("gone@example.com"), write_mail("fine@example.com")
    OutboxWorker().drain_once()
    gone.refresh_from_db()
    fine.refresh_from_db()
    assert (gone.state, gone.attempts, gone.last_error) == (DeliveryState.PARKED, 1, "550 5.1.1 No such mailbox")
    assert fine.state == DeliveryState.SENT and peer.recipients() == ["fine@example.com"]


def test_a_parked_email_can_be_sent_again(peer: Peer) -> None:
    peer.answers["late@example.com"] = "550 Not yet"
    row = write_mail("late@example.com")
    OutboxWorker().drain_once()
    peer.answers.clear()
    assert Delivery.retry(row.id) and not Delivery.retry(row.id)
    OutboxWorker().drain_once()
    assert peer.recipients() == ["late@example.com"]
    row.refresh_from_db()
    assert row.state == DeliveryState.SENT


def test_a_busy_server_is_retried_later_and_finally_parked(peer: Peer) -> None:
    peer.answers["busy@example.com"] = "451 4.7.1 Greylisted, come back"
    row = write_mail("busy@example.com")
    with time_machine.travel(clock.now() + timedelta(seconds=1), tick=False) as travel:
        for attempt, delay in enumerate((30, 120, 600, 3600, 21600), start=1):
            assert OutboxWorker().drain_once() == 1
            row.refresh_from_db()
            assert (row.state, row.attempts) == (DeliveryState.WAITING, attempt)
            assert "451 4.7.1 Greylisted" in row.last_error
            assert 0.8 * delay < (row.next_attempt_at - clock.now()).total_seconds() < 1.2 * delay
            travel.shift(0.8 * delay)
            assert OutboxWorker().drain_once() == 0
            travel.shift(0.4 * delay)
        OutboxWorker().drain_once()
    row.refresh_from_db()
    assert (row.state, row.attempts) == (DeliveryState.PARKED, 6) and "451" in row.last_error


def test_emails_wait_for_a_server_that_is_down(peer: Peer, settings) -> None:
    settings.SMTP_PORT = 1
    row = write_mail()
    OutboxWorker().drain_once()
    row.refresh_from_db()
    assert row.state == DeliveryState.WAITING and "refused the connection" in row.last_error


def test_without_a_mail_server_emails_are_stored(settings) -> None:
    settings.SMTP_HOST = ""
    row = write_mail()
    OutboxWorker().drain_once()
    row.refresh_from_db()
    assert row.state == DeliveryState.KEPT and row.sent_at is not None


def test_a_rolled_back_email_is_never_sent(peer: Peer) -> None:
    with transaction.atomic():
        write_mail()
        transaction.set_rollback(True)
    assert not Delivery.objects.exists()
    assert OutboxWorker().drain_once() == 0 and peer.taken == []


def test_the_mail_server_password_is_in_no_row_or_log(peer: Peer, settings, caplog) -> None:
    settings.SMTP_USER, settings.SMTP_PASSWORD = "robot", "hunter2-secret"
    row = write_mail()  # the test server offers no authentication
    OutboxWorker().drain_once()
    row.refresh_from_db()
    assert row.state == DeliveryState.WAITING and row.last_error
    assert "hunter2" not in row.last_error + caplog.text


def test_a_guest_sees_the_business_as_sender(settings: Any) -> None:
    ours = settings.DEFAULT_FROM_EMAIL = "Workspace Tools <no-reply@example.com>"
    assert sender_address("Café “Müller”") == '"Café “Müller” via Workspace Tools" <no-reply@example.com>'
    assert parseaddr(sender_address('Lena "L." \\ Co')) == (
        'Lena "L." \\ Co via Workspace Tools',
        "no-reply@example.com",
    )
    assert [sender_address(name) for name in ("", "help@bank.com", "Workspace Tools")] == [ours] * 3
    settings.DEFAULT_FROM_EMAIL = "no-reply@example.com"
    assert sender_address("Lena") == '"Lena" <no-reply@example.com>'
