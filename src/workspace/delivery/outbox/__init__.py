"""The outbox: rows for everything that must leave the service, written in the transaction that decides it.

    outbox.put("email", {...}, account=account, dedupe=f"booking-reminder:{booking.id}")

A rollback removes the row. After the commit, a worker in this process wakes immediately, and a worker in another
process wakes within its poll interval. A delivery can be scheduled ahead, and withdrawn if it is no longer needed:

    mail.send("reminder", …, dedupe=f"booking:{booking.id}:day-before", at=booking.start - timedelta(days=1))
    outbox.withdraw(f"booking:{booking.id}")
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Protocol

from django.db import connection, transaction
from django.db.models import QuerySet

from workspace.accounts.models import Account
from workspace.delivery.models import Delivery, DeliveryState
from workspace.storage.database.bulk_insert import create_rows
from workspace.storage.database.compiled_function import compile_once
from workspace.storage.database.prefix_lookup import starts_with
from workspace.storage.database.transactions import write_transaction

MAX_DEDUPE_LENGTH = 200

# set after each commit of a delivery; the worker waits for it
wake_event = threading.Event()


class PermanentDeliveryError(Exception):
    """The receiver rejected the delivery permanently, so it is parked with this message."""


class ChannelUnavailableError(Exception):
    """No delivery of this kind can be sent at present, and none has been for `duration`.

    This does not count as an attempt. The delivery waits `seconds`, and it is parked only after days.
    """

    def __init__(self, reason: str, *, seconds: float, duration: timedelta) -> None:
        super().__init__(reason)
        self.seconds, self.duration = seconds, duration


class Channel(Protocol):
    """A way to send one kind of delivery. The worker opens a channel for each batch and closes it afterwards."""

    @property
    def delays(self) -> Sequence[float]:
        """The seconds to wait after each failure. A row that fails again after the last delay is parked."""

    def send(self, delivery: Delivery) -> DeliveryState:
        """Send a delivery and return SENT, or KEPT if there is nowhere to send it.

        Raise PermanentDeliveryError to park it immediately, and ChannelUnavailableError if the channel is unavailable
        for all deliveries. Any other exception leads to a retry. It is never called in a transaction, and may be called
        twice for a delivery.
        """

    def close(self) -> None: ...


_channels: dict[str, Callable[[], Channel]] = {}
_external_wake_events: dict[str, threading.Event] = {}


def register_channel(kind: str, channel: Callable[[], Channel]) -> None:
    """Register a kind of delivery. Call it in the `ready` method of the app that owns the kind.

    A later registration replaces an earlier one."""
    _channels[kind] = channel


def register_external(kind: str, to_wake: threading.Event) -> None:
    """Register a kind that is sent by another worker, which waits for this event."""
    _external_wake_events[kind] = to_wake


def channel_kinds() -> list[str]:
    """Return the kinds that the outbox worker sends."""
    return sorted(_channels)


def open_channel(kind: str) -> Channel:
    return _channels[kind]()


def join_transaction() -> AbstractContextManager[None]:
    """Return the caller's transaction, or a new one if there is none.

    In a transaction, this thread already has SQLite's write lock. If it then waited for the process's lock, as
    `write_transaction` does, it could deadlock with a thread that has that lock.
    """
    return nullcontext() if connection.in_atomic_block else write_transaction()


def put_many(
    kind: str, payloads: Sequence[dict[str, Any]], *, account: Account | None = None, dedupes: Sequence[str | None] = ()
) -> list[Delivery]:
    """Write many deliveries with one query, in the caller's transaction. They are sent immediately.

    `dedupes` are their keys, in the same order. A delivery whose key was used before is skipped. Raise ValueError for
    an unknown kind.
    """
    if kind not in _channels:
        raise ValueError(f"No channel delivers the kind {kind!r}")
    keys = dedupes or [None] * len(payloads)
    rows = [
        Delivery(kind=kind, payload=one, account=account, dedupe_key=key)
        for one, key in zip(payloads, keys, strict=True)
    ]
    with join_transaction():
        create_rows(rows, tail="ON CONFLICT DO NOTHING" if dedupes else "")
        transaction.on_commit(wake_event.set)
    return rows


def put(
    kind: str,
    payload: dict[str, Any],
    *,
    account: Account | None = None,
    dedupe: str | None = None,
    at: datetime | None = None,
) -> Delivery:
    """Write a delivery in the caller's transaction. It is sent immediately, or not before `at` (aware).

    A `dedupe` key has at most 200 characters and is unique across all kinds. If it was used before and not withdrawn,
    nothing is written and the earlier delivery is returned. Raise ValueError for an unknown kind, a key that is too
    long or a time without a zone.
    """
    if kind not in _channels and kind not in _external_wake_events:
        raise ValueError(f"No channel delivers the kind {kind!r}")
    if dedupe is not None and not 0 < len(dedupe) <= MAX_DEDUPE_LENGTH:
        raise ValueError(f"A dedupe key must have 1 to {MAX_DEDUPE_LENGTH} characters")
    if at is not None and at.tzinfo is None:
        raise ValueError("The time must have a time zone")
    row = Delivery(kind=kind, payload=payload, account=account, dedupe_key=dedupe)
    if at is not None:
        row.next_attempt_at = at
    with join_transaction():
        if dedupe is None:
            row.save(force_insert=True)
        else:
            # no exception on a conflict, which on PostgreSQL would abort the caller's transaction
            if not create_rows([row], tail="ON CONFLICT DO NOTHING RETURNING id"):
                [row] = _deliveries_of_key.fetch(dedupe)
        transaction.on_commit(_external_wake_events.get(kind, wake_event).set)
    return row


@compile_once
def _deliveries_of_key(dedupe: str) -> QuerySet[Delivery]:
    return Delivery.objects.filter(dedupe_key=dedupe)


@dataclass(frozen=True, slots=True)
class WithdrawalResult:
    """The result of a withdrawal.

    `stopped_count` deliveries will not be sent. `in_flight_count` were leased by a worker. Each of these may just have
    been sent, and is not tried again.
    """

    stopped_count: int
    in_flight_count: int


def withdraw(dedupe_prefix: str) -> WithdrawalResult:
    """Withdraw deliveries that are not sent yet, in the caller's transaction.

    These are the delivery with the key `dedupe_prefix`, and those whose key continues with a colon after it. Their
    content is deleted immediately, and their keys can be used again. A worker checks a leased row again before it sends
    it, so only a delivery that is being transmitted still arrives.
    """
    with join_transaction():
        rows = Delivery.objects.filter(
            starts_with("dedupe_key", dedupe_prefix),
            state__in=[DeliveryState.WAITING, DeliveryState.LEASED, DeliveryState.PARKED],
        )
        if connection.features.has_select_for_update:
            rows = rows.select_for_update()
        found = [
            (pk, state)
            for pk, key, state in rows.values_list("pk", "dedupe_key", "state")
            if key == dedupe_prefix or str(key).startswith(f"{dedupe_prefix}:")
        ]
        Delivery.objects.filter(pk__in=[pk for pk, _ in found]).update(
            state=DeliveryState.WITHDRAWN, lease_token=None, dedupe_key=None, payload=None
        )
    leaving = sum(state == DeliveryState.LEASED for _, state in found)
    return WithdrawalResult(len(found) - leaving, leaving)
