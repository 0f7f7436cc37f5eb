"""STARTTLS and AUTH with a real mail server: mail and password leave encrypted to whom the certificate names, or not
at all."""

from __future__ import annotations

import pytest

from workspace.delivery.models import DeliveryState
from workspace.delivery.outbox.worker import OutboxWorker
from workspace.testing.smtp_sink import Start, write_mail

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize("implicit", [False, True])
def test_mail_and_password_travel_encrypted(start: Start, trusted: None, implicit: bool) -> None:
    peer = start(implicit=implicit)
    row = write_mail(body="Grüße\n")
    OutboxWorker().drain_once()
    row.refresh_from_db()
    assert (row.state, row.last_error) == (DeliveryState.SENT, "")
    if not implicit:  # the peer says of neither which it was when the line is encrypted from the first byte
        assert peer.logins == [(b"robot", b"right", True)]
        assert peer.encrypted == [True]
    [(_, got)] = peer.taken
    assert got.get_content() == "Grüße\r\n"


def test_a_wrong_password_waits_and_stands_in_no_row_and_no_log(start: Start, trusted: None, settings, caplog) -> None:
    peer = start()
    settings.SMTP_PASSWORD = "hunter2-wrong"
    row = write_mail()
    OutboxWorker().drain_once()
    row.refresh_from_db()
    assert row.state == DeliveryState.WAITING and "535" in row.last_error
    assert peer.taken == [] and "hunter2" not in row.last_error + caplog.text


def test_a_server_that_cannot_show_who_it_is_gets_neither_mail_nor_password(start: Start) -> None:
    peer = start()
    row = write_mail()
    OutboxWorker().drain_once()
    row.refresh_from_db()
    assert row.state == DeliveryState.WAITING and "certificate" in row.last_error.lower()
    assert peer.taken == [] and peer.logins == []


def test_a_server_without_encryption_gets_nothing_where_it_was_asked_for(start: Start, trusted: None) -> None:
    peer = start(encrypts=False)
    row = write_mail()
    OutboxWorker().drain_once()
    row.refresh_from_db()
    assert row.state == DeliveryState.WAITING and "STARTTLS" in row.last_error
    assert peer.taken == [] and peer.logins == []
