"""Failures to send email: each is logged and stored until an email is sent, and no email is given up too early."""

from __future__ import annotations

import logging
from datetime import timedelta
from typing import Any

import pytest
import time_machine

from workspace.delivery.mail import health, smtp
from workspace.delivery.models import Delivery, DeliveryState
from workspace.delivery.outbox.worker import OutboxWorker
from workspace.lib import clock
from workspace.testing.smtp_sink import Peer, Start, write_mail

pytestmark = pytest.mark.django_db(transaction=True)


def send_one(to: str = "guest@example.com") -> Delivery:
    row = write_mail(to)
    OutboxWorker().drain_once()
    row.refresh_from_db()
    return row


def test_a_wrong_password_is_logged_and_stored_until_an_email_is_sent(
    start_server: Start, trusted: None, settings: Any, caplog: pytest.LogCaptureFixture
) -> None:
    start_server()
    settings.SMTP_PASSWORD = "hunter2-wrong"
    row = send_one()
    found = health.current_outage()
    assert found is not None and found.waiting == 1 and found.summary.endswith("Z, waiting 1")
    assert "rejected the username or password (535 " in found.reason and "WORKSPACE_SMTP_PASSWORD" in found.reason
    assert found.reason in row.last_error and f"Emails are not being sent: {found.reason}. Waiting: 1" in caplog.text
    assert "hunter2" not in caplog.text + found.reason and "guest@example.com" not in caplog.text

    settings.SMTP_PASSWORD = "right"
    with time_machine.travel(clock.now() + timedelta(minutes=1)):
        OutboxWorker().drain_once()
    row.refresh_from_db()
    assert (
        row.state == DeliveryState.SENT and health.current_outage() is None and "Emails are sent again" in caplog.text
    )


def test_only_the_first_of_a_batch_tries_a_server_that_rejects_the_login(
    start_server: Start, trusted: None, settings: Any
) -> None:
    peer = start_server()
    settings.SMTP_PASSWORD = "wrong"
    for number in range(30):
        write_mail(f"guest{number}@example.com")
    assert [OutboxWorker().drain_once(), OutboxWorker().drain_once()] == [20, 0]
    assert len(peer.logins) <= 2  # a client may try two authentication methods with the same password
    assert {row.attempts for row in Delivery.objects.all()} == {0}
    assert health.current_outage().waiting == 30  # type: ignore[union-attr]


def test_an_email_survives_days_without_a_mail_server_and_is_parked_after_three(peer: Peer, settings: Any) -> None:
    port, settings.SMTP_PORT = settings.SMTP_PORT, 1
    row = send_one()
    with time_machine.travel(clock.now(), tick=False) as travel:
        for _ in range(12):
            travel.shift(timedelta(hours=5))
            OutboxWorker().drain_once()
        row.refresh_from_db()
        assert (row.state, row.attempts) == (DeliveryState.WAITING, 0)
        travel.shift(timedelta(minutes=10))
        settings.SMTP_PORT = port
        OutboxWorker().drain_once()
        assert peer.recipients() == ["guest@example.com"] and health.current_outage() is None

        settings.SMTP_PORT = 1
        late = send_one("late@example.com")
        travel.shift(timedelta(days=3, minutes=10))
        OutboxWorker().drain_once()
        late.refresh_from_db()
    assert (
        late.state == DeliveryState.PARKED
        and "refused the connection" in late.last_error
        and health.count_parked() == 1
    )


def test_a_rejected_recipient_is_logged_without_the_address_and_is_no_outage(
    peer: Peer, caplog: pytest.LogCaptureFixture
) -> None:
    peer.answers["gone@example.com"] = "550 5.1.1 <gone@example.com> from 203.0.113.9: no such mailbox"
    row = send_one("gone@example.com")
    assert health.current_outage() is None
    assert f"Delivery {row.id} parked: refused by the receiver (550 5.1.1" in caplog.text
    assert "gone@example.com" not in caplog.text and "203.0.113.9" not in caplog.text


def test_a_rejected_sender_is_an_outage_and_loses_no_email(peer: Peer, settings: Any) -> None:
    async def refuse(server: Any, session: Any, envelope: Any, address: str, options: list[str]) -> str:
        return "550 5.7.1 Sender not yours"

    peer.handle_MAIL = refuse  # type: ignore[attr-defined]
    row = send_one()
    assert row.state == DeliveryState.WAITING and "WORKSPACE_MAIL_FROM" in row.last_error
    assert health.current_outage() is not None


def test_a_busy_recipient_is_logged_each_time(peer: Peer, caplog: pytest.LogCaptureFixture) -> None:
    peer.answers["busy@example.com"] = "451 4.7.1 Come back"
    row = send_one("busy@example.com")
    assert f"Delivery {row.id} did not leave (attempt 1): SMTPException: 451 4.7.1 Come back" in caplog.text


def test_a_recovered_server_is_detected_even_if_nothing_waits(peer: Peer, settings: Any) -> None:
    port, settings.SMTP_PORT = settings.SMTP_PORT, 1
    send_one()
    Delivery.objects.all().delete()
    smtp.recheck_server()
    assert health.current_outage() is not None
    settings.SMTP_PORT = port
    smtp.recheck_server()
    assert health.current_outage() is None and peer.taken == []


def test_without_a_mail_server_there_is_no_outage(peer: Peer, settings: Any) -> None:
    settings.SMTP_PORT = 1
    send_one()
    settings.SMTP_HOST = ""
    assert health.current_outage() is None


@pytest.mark.parametrize("implicit", [False, True])
def test_the_probe_signs_in_and_sends_nothing(start_server: Start, trusted: None, implicit: bool) -> None:
    peer = start_server(implicit=implicit)
    assert smtp.probe_server() == ""
    assert peer.taken == [] and len(peer.logins) == 1


def test_the_probe_reports_what_is_wrong(start_server: Start, settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    start_server()
    assert "certificate isn't valid for 127.0.0.1" in smtp.probe_server()
    settings.SMTP_SECURITY = "tls"
    assert "encryption with" in smtp.probe_server()
    start_server(encrypts=False)
    assert "doesn't support STARTTLS" in smtp.probe_server()
    settings.SMTP_SECURITY = "none"
    settings.SMTP_PASSWORD = "wrong"
    assert "rejected the username or password (535 " in smtp.probe_server()
    settings.SMTP_PASSWORD = "pässwort"
    assert "plain ASCII" in smtp.probe_server() and "ä" not in smtp.probe_server()
    settings.SMTP_PORT = 1
    assert "port 1 refused the connection" in smtp.probe_server()
    settings.SMTP_HOST = "mail.invalid"
    assert "the host mail.invalid doesn't exist" in smtp.probe_server()


def test_the_probe_does_not_wait_for_an_unresponsive_server(settings: Any) -> None:
    import socket

    with socket.create_server(("127.0.0.1", 0)) as silent:
        settings.SMTP_HOST, settings.SMTP_PORT = "127.0.0.1", silent.getsockname()[1]
        settings.SMTP_SECURITY = "starttls"
        assert "doesn't respond in time" in smtp.probe_server(timeout=0.5)


def test_a_password_that_a_server_echoes_is_masked(settings: Any) -> None:
    from workspace.delivery.smtp_reply_redaction import mask_server_reply

    settings.SMTP_PASSWORD = "hunter2"
    assert mask_server_reply("535 no: hunter2 of ann@example.com [2001:db8::7]") == "535 no: … of … […]"


def test_logs_of_failures_are_warnings_or_worse(peer: Peer, settings: Any, caplog: pytest.LogCaptureFixture) -> None:
    settings.SMTP_PORT = 1
    send_one()
    assert max(record.levelno for record in caplog.records) == logging.ERROR
