"""STARTTLS and AUTH with a real mail server: emails and the password are sent encrypted, and only to the right host."""

from __future__ import annotations

import pytest

from workspace.delivery.models import DeliveryState
from workspace.delivery.outbox.worker import OutboxWorker
from workspace.testing.smtp_sink import Start, write_mail

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize("implicit", [False, True])
def test_email_and_password_are_sent_encrypted(start_server: Start, trusted: None, implicit: bool) -> None:
    peer = start_server(implicit=implicit)
    row = write_mail(body="Grüße\n")
    OutboxWorker().drain_once()
    row.refresh_from_db()
    assert (row.state, row.last_error) == (DeliveryState.SENT, "")
    if not implicit:  # with implicit TLS the test server does not report whether the connection is encrypted
        assert peer.logins == [(b"robot", b"right", True)]
        assert peer.encrypted == [True]
    [(_, got)] = peer.taken
    assert got.get_content() == "Grüße\r\n"


def test_after_a_wrong_password_the_email_waits_and_the_password_is_in_no_row_or_log(
    start_server: Start, trusted: None, settings, caplog
) -> None:
    peer = start_server()
    settings.SMTP_PASSWORD = "hunter2-wrong"
    row = write_mail()
    OutboxWorker().drain_once()
    row.refresh_from_db()
    assert row.state == DeliveryState.WAITING and "535" in row.last_error
    assert peer.taken == [] and "hunter2" not in row.last_error + caplog.text


def test_a_server_with_an_untrusted_certificate_gets_neither_email_nor_password(start_server: Start) -> None:
    peer = start_server()
    row = write_mail()
    OutboxWorker().drain_once()
    row.refresh_from_db()
    assert row.state == DeliveryState.WAITING and "certificate" in row.last_error.lower()
    assert peer.taken == [] and peer.logins == []


def test_a_server_without_required_encryption_gets_nothing(start_server: Start, trusted: None) -> None:
    peer = start_server(encrypts=False)
    row = write_mail()
    OutboxWorker().drain_once()
    row.refresh_from_db()
    assert row.state == DeliveryState.WAITING and "STARTTLS" in row.last_error
    assert peer.taken == [] and peer.logins == []
