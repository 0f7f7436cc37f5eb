"""The outbox: what must leave the service is written here, in the transaction that decided it.

    outbox.put("email", {...}, account=account, dedupe=f"booking-reminder:{booking.id}")

Nothing leaves when that transaction rolls back; when it commits, a worker in this process wakes at once, and
one elsewhere within its poll. What has its time is written ahead and taken back when it lapses:

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

from workspace.accounts.models import Account
from workspace.delivery.models import Delivery, DeliveryState
from workspace.storage.database.prefix_lookup import starts_with
from workspace.storage.database.transactions import write_transaction

MAX_DEDUPE_LENGTH = 200

# set after each commit of a delivery; the worker waits on it
wake_event = threading.Event()


class PermanentDeliveryError(Exception):
    """The receiver said no for good: trying again cannot help, so the delivery is parked with these words."""


class ChannelUnavailableError(Exception):
    """Nothing of this kind gets out at present, and has not for as long as it `duration`. That is no fault of the
    delivery: it waits `seconds`, the attempt does not count, and only after days is it given up."""

    def __init__(self, reason: str, *, seconds: float, duration: timedelta) -> None:
        super().__init__(reason)
        self.seconds, self.duration = seconds, duration


class Channel(Protocol):
    """How one kind of delivery leaves. The worker makes one for each batch and closes it after."""

    @property
    def delays(self) -> Sequence[float]:
        """Seconds to wait after the first failure, the second and so on; after one more failure the row is
        parked."""

    def send(self, delivery: Delivery) -> DeliveryState:
        """State.SENT, or State.KEPT when there is nowhere to send to. Raises Refused to park it at once,
        ChannelUnavailableError when the way out is closed for all; any other exception backs off. Never called inside a
        transaction, and perhaps twice for one delivery."""

    def close(self) -> None: ...


_channels: dict[str, Callable[[], Channel]] = {}
_external_wake_events: dict[str, threading.Event] = {}


def register_channel(kind: str, channel: Callable[[], Channel]) -> None:
    """Teach the worker a kind, in the `ready` of the app that owns it. A later registration replaces an
    earlier."""
    _channels[kind] = channel


def register_external(kind: str, to_wake: threading.Event) -> None:
    """A kind that a lane of its own sends, which waits on this event."""
    _external_wake_events[kind] = to_wake


def channel_kinds() -> list[str]:
    """Those that the worker sends."""
    return sorted(_channels)


def open_channel(kind: str) -> Channel:
    return _channels[kind]()


def join_transaction() -> AbstractContextManager[None]:
    """The caller's transaction, or one of its own where there is none. Inside a transaction SQLite's write
    lock is ours already: queueing for the process's lock there, as `writing` does, could deadlock with a
    thread that holds it."""
    return nullcontext() if connection.in_atomic_block else write_transaction()


def put_many(
    kind: str, payloads: Sequence[dict[str, Any]], *, account: Account | None = None, dedupes: Sequence[str | None] = ()
) -> list[Delivery]:
    """Write many deliveries by one query, in the caller's transaction, to leave at once. `dedupes` are their keys, in
    their order; what has one that was used before is not written. Raises ValueError for an unknown kind."""
    if kind not in _channels:
        raise ValueError(f"No channel for deliveries of kind {kind!r}")
    keys = dedupes or [None] * len(payloads)
    with join_transaction():
        rows = Delivery.objects.bulk_create(
            [
                Delivery(kind=kind, payload=one, account=account, dedupe_key=key)
                for one, key in zip(payloads, keys, strict=True)
            ],
            ignore_conflicts=bool(dedupes),
        )
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
    """Write a delivery in the caller's transaction, to leave at once or not before `at` (aware). With a `dedupe` key
    (at most 200 characters, unique over all kinds) that was used before and not withdrawn, nothing is written and the
    earlier delivery comes back. Raises ValueError for an unknown kind, a key that is too long, a time without zone."""
    if kind not in _channels and kind not in _external_wake_events:
        raise ValueError(f"No channel for deliveries of kind {kind!r}")
    if dedupe is not None and not 0 < len(dedupe) <= MAX_DEDUPE_LENGTH:
        raise ValueError(f"A dedupe key has 1 to {MAX_DEDUPE_LENGTH} characters")
    if at is not None and at.tzinfo is None:
        raise ValueError("Say in which zone the time is meant")
    row = Delivery(kind=kind, payload=payload, account=account, dedupe_key=dedupe)
    if at is not None:
        row.next_attempt_at = at
    with join_transaction():
        if dedupe is None:
            row.save(force_insert=True)
        else:
            # no exception on a clash, which on PostgreSQL would spoil the caller's transaction
            Delivery.objects.bulk_create([row], ignore_conflicts=True)
            row = Delivery.objects.get(dedupe_key=dedupe)
        transaction.on_commit(_external_wake_events.get(kind, wake_event).set)
    return row


@dataclass(frozen=True, slots=True)
class WithdrawalResult:
    """`stopped_count` will not leave. `in_flight_count` were in a worker's hands: each may have left a moment ago, or
    not at all, and is not tried again."""

    stopped_count: int
    in_flight_count: int


def withdraw(dedupe_prefix: str) -> WithdrawalResult:
    """Take back, in the caller's transaction, what has not left yet: the delivery with this dedupe key and those whose
    key goes on with a colon. Their content is emptied at once and their keys are free again. What a worker holds it
    looks at once more before sending, so that only what is on the wire at this moment still arrives; what was sent
    stays sent."""
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
