"""Owners get a monthly email with the last hash of their audit trail if there were new records."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from workspace.audit_trail.verification import find_chain_end
from workspace.audit_trail.writer import record_event
from workspace.delivery import notifications
from workspace.delivery.audit_trail_emails import CHAIN_END_NOTIFICATION, send_chain_ends
from workspace.delivery.models import Delivery
from workspace.storage.database.transactions import write_transaction
from workspace.testing.api import make_account


@pytest.mark.django_db
def test_the_last_hash_is_emailed_in_the_month_after_new_records(time_machine: Any) -> None:
    time_machine.move_to(datetime(2026, 5, 20, tzinfo=UTC))
    account, quiet, _ = make_account(), make_account(), make_account(name="Nothing on record")
    with write_transaction():
        for one in (account, quiet):
            record_event(one, "test.signed")
        notifications.set_switches(quiet, {CHAIN_END_NOTIFICATION.name: False})
    assert send_chain_ends() == 0
    time_machine.move_to(datetime(2026, 6, 3, tzinfo=UTC))
    assert (send_chain_ends(), send_chain_ends()) == (1, 0)
    found = find_chain_end(account)
    mail = Delivery.objects.get()
    assert found is not None and mail.payload and mail.payload["to"] == account.owner.email
    assert found.head in mail.payload["message"].replace("=\r\n", "")
    time_machine.move_to(datetime(2026, 7, 3, tzinfo=UTC))
    assert send_chain_ends() == 0, "there was nothing new"
