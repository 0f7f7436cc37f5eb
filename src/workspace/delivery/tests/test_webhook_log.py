"""Retention of webhook messages, and which URLs are allowed."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from workspace.accounts.models import Account
from workspace.delivery import webhooks
from workspace.delivery.models import Endpoint, Message, MessageState
from workspace.delivery.models.webhook import MAX_LOGGED_MESSAGES
from workspace.lib import clock


@pytest.mark.parametrize(
    "url", ["http://example.com/", "https://example.com:22/", "ftp://example.com", "https://a@b.c"]
)
def test_an_address_without_tls_or_on_an_odd_port_is_rejected(url: str, settings: Any) -> None:
    settings.WEBHOOK_NETWORKS = []
    with pytest.raises(ValueError):
        webhooks.clean_url(url)


def test_the_log_keeps_the_newest_and_waiting_messages(account: Account) -> None:
    endpoint = Endpoint.open(account, "https://example.com")
    waiting = Message.objects.create(account=account, endpoint=endpoint, event="e", body="")
    many = [
        Message(account=endpoint.account, endpoint=endpoint, event="e", body="", state=MessageState.DELIVERED)
        for _ in range(MAX_LOGGED_MESSAGES)
    ]
    Message.objects.bulk_create(many)
    oldest = Message.objects.create(account=account, endpoint=endpoint, event="e", body="", state=MessageState.FAILED)
    Message.objects.filter(pk=oldest.pk).update(created_at=clock.now() - timedelta(days=31))
    Message.objects.bulk_create(
        [Message(account=endpoint.account, endpoint=endpoint, event="e", body="", state="delivered") for _ in range(5)]
    )
    assert Message.delete_old() == 6
    left = set(Message.objects.values_list("pk", flat=True))
    assert waiting.pk in left and oldest.pk not in left and len(left) == MAX_LOGGED_MESSAGES + 1
