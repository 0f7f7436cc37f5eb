"""The lane in which webhooks leave: several at once, since most of each is waiting, and apart from the outbox's, so
that no mail waits for a receiver that hangs. Any number of lanes may run side by side."""

from __future__ import annotations

import base64
import hashlib
import hmac
import logging
import time
from collections import deque
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.utils import parsedate_to_datetime

from workspace.delivery import webhooks
from workspace.delivery.models import Delivery, Endpoint, Message, MessageState, State
from workspace.delivery.models.webhook import FAILING, GONE, LONGEST_PROBLEM
from workspace.delivery.outbox.worker import jittered
from workspace.delivery.outbox.worker_thread import Lane
from workspace.http_client.allowed_networks import guard
from workspace.http_client.client import NoReply, fetch
from workspace.lib import clock
from workspace.lib.errors import Refusal
from workspace.storage.database.prefix_lookup import begins
from workspace.storage.database.transactions import writing

logger = logging.getLogger(__name__)

MINUTE, HOUR = 60.0, 3600.0
# after the first failure, the second and so on; with the first try, at once, the ten of Standard Webhooks
DELAYS = (5.0, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR)
SECONDS = 15.0  # for a whole exchange
LONGEST_ASKED = 24 * HOUR  # that a receiver may ask us to wait
GIVEN_UP_AFTER = timedelta(days=5)  # of nothing but failures
STREAK_ENDS = timedelta(days=2)  # without a try: a failure after it begins to count anew
BUDGET = 20.0  # seconds of one batch in which further messages to the same endpoint are begun
STANDS_BACK = 30.0  # seconds that an endpoint waits which failed, or took all of a batch, so that others come first


@dataclass(frozen=True, slots=True)
class Ready:
    row: Delivery
    message: Message
    endpoint: Endpoint
    headers: dict[str, str]
    body: bytes


@dataclass(frozen=True, slots=True)
class Outcome:
    """`status` of an answer; else `problem` says why there was none. `wait`: seconds that the receiver asks for."""

    status: int | None = None
    problem: str = ""
    wait: float = 0.0

    @property
    def arrived(self) -> bool:
        return self.status is not None and 200 <= self.status < 300


class HookLane(Lane):
    """`at_once`: how many are called at the same time; `lease`: seconds until what a killed worker held is taken again,
    which must exceed what one batch takes."""

    def __init__(self, *, poll: float = 3.0, batch: int = 32, at_once: int = 8, lease: float = 180.0) -> None:
        super().__init__("webhooks", webhooks.wake, poll)
        self.batch, self.at_once, self.lease = batch, at_once, lease

    def turn(self) -> bool:
        """One batch of due messages: of each endpoint one after another, of different ones side by side. Only this
        thread speaks to the database."""
        rows = Delivery.lease([webhooks.KIND], limit=self.batch, seconds=self.lease)
        if not rows:
            return False
        queues: dict[str, deque[Ready]] = {}
        for row in rows:
            ready = self._prepared(row)
            if ready is not None:
                queues.setdefault(ready.endpoint.pk, deque()).append(ready)
        until = time.monotonic() + BUDGET
        with ThreadPoolExecutor(self.at_once, thread_name_prefix="webhook") as pool:
            while queues and not self._stopping.is_set() and time.monotonic() < until:
                begun = [queue.popleft() for queue in queues.values()]
                for one, outcome in zip(begun, pool.map(_send, begun), strict=True):
                    self.note(lambda one=one, outcome=outcome: _settle(one, outcome))  # type: ignore[misc]
                    if not outcome.arrived:  # it is not asked twenty times in a row
                        self._put_back(queues.pop(one.endpoint.pk))
                queues = {key: queue for key, queue in queues.items() if queue}
        for queue in queues.values():
            self._put_back(queue)
        return len(rows) == self.batch

    def _prepared(self, row: Delivery) -> Ready | None:
        """None where it does not leave, which is then noted."""
        key = (row.payload or {}).get("message")
        message = Message.objects.select_related("endpoint").filter(pk=key).first()
        if not row.is_held():  # withdrawn a moment ago
            return None
        if message is None or not message.endpoint.sends:
            self.note(lambda: row.park("Its webhook is off or gone"))
            return None
        body = message.body.encode()
        try:
            headers = signed(message.pk, clock.now(), body, message.endpoint.signs_with(clock.now()))
        except Refusal as refusal:
            words = refusal.message
            self.note(lambda: _given_up(row, message, words))
            return None
        return Ready(row, message, message.endpoint, headers, body)

    def _put_back(self, queue: Sequence[Ready]) -> None:
        """With all else that is due for the same endpoint."""
        for one in queue:
            row = one.row
            self.note(lambda row=row: row.release(STANDS_BACK))  # type: ignore[misc]
        if queue:
            self.note(lambda: _hold(queue[0].endpoint))


def signed(id: str, now: datetime, body: bytes, secrets: Sequence[str]) -> dict[str, str]:
    """The headers of one try (https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md):
    a signature for each secret, the newest first."""
    at = str(int(now.timestamp()))
    signatures = []
    for secret in secrets:
        key = base64.b64decode(secret.removeprefix("whsec_"))
        digest = hmac.new(key, f"{id}.{at}.".encode() + body, hashlib.sha256).digest()
        signatures.append("v1," + base64.b64encode(digest).decode())
    return {
        "Content-Type": "application/json",
        "webhook-id": id,
        "webhook-timestamp": at,
        "webhook-signature": " ".join(signatures),
    }


def _send(ready: Ready) -> Outcome:
    """In a thread of its own, without the database."""
    try:
        # the answer's head says all: its body is not read, however much there is of it
        reply = fetch("POST", ready.endpoint.url, ready.body, ready.headers, seconds=SECONDS, most=0, guard=guard())
    except NoReply as problem:
        return Outcome(problem=str(problem))
    except Exception as error:
        logger.exception("Webhook %s could not be sent", ready.message.pk)
        return Outcome(problem=type(error).__name__)
    return Outcome(reply.status, wait=_asked(reply.headers.get("retry-after", "")))


def _asked(header: str) -> float:
    """Seconds that a Retry-After asks for (RFC 9110, 10.2.3), as a number or a date; 0 for none."""
    try:
        if header.isascii() and header.isdigit():
            return min(float(header[:9]), LONGEST_ASKED)
        until = parsedate_to_datetime(header)
        return min(max((until - clock.now()).total_seconds(), 0.0), LONGEST_ASKED)
    except (ValueError, TypeError, OverflowError):  # no date, or one without a zone
        return 0.0


def _settle(ready: Ready, outcome: Outcome) -> bool:
    row, message = ready.row, ready.message
    now = clock.now()
    with writing():
        endpoint = Endpoint.objects.filter(pk=ready.endpoint.pk).first()
        if outcome.arrived:
            if endpoint is not None and endpoint.failing_since is not None:
                Endpoint.objects.filter(pk=endpoint.pk).update(failing_since=None, failed_at=None)
            _told(message, now, MessageState.DELIVERED, outcome)
            return row.finish(State.SENT)
        problem = outcome.problem or _in_words(outcome.status or 0)
        logger.warning("Webhook %s did not arrive (try %s, status %s)", message.pk, row.attempts, outcome.status)
        if row.attempts > len(DELAYS) or outcome.status == 410:
            settled = row.park(problem)
            _told(message, now, MessageState.FAILED, outcome, problem)
        else:
            seconds = max(jittered(DELAYS[row.attempts - 1]), outcome.wait)
            settled = row.back_off(seconds, problem)
            _told(message, now, MessageState.WAITING, outcome, problem, now + timedelta(seconds=seconds))
        if endpoint is not None:
            _failed(endpoint, outcome.status == 410, now)
        return settled


def _failed(endpoint: Endpoint, is_gone: bool, now: datetime) -> None:
    if endpoint.failed_at is None or endpoint.failing_since is None or endpoint.failed_at < now - STREAK_ENDS:
        endpoint.failing_since = now
    endpoint.failed_at = now
    endpoint.save(update_fields=["failing_since", "failed_at"])
    if is_gone:
        webhooks.disable(endpoint, GONE)
    elif endpoint.failing_since <= now - GIVEN_UP_AFTER:
        webhooks.disable(endpoint, FAILING)


def _told(
    message: Message,
    now: datetime,
    state: MessageState,
    outcome: Outcome,
    problem: str = "",
    next_at: datetime | None = None,
) -> None:
    Message.objects.filter(pk=message.pk).update(
        state=state,
        tries=message.tries + 1,
        status=outcome.status,
        problem=problem[:LONGEST_PROBLEM],
        tried_at=now,
        next_at=next_at,
    )


def _given_up(row: Delivery, message: Message, words: str) -> bool:
    with writing():
        _told(message, clock.now(), MessageState.FAILED, Outcome(), words)
        return row.park(words)


def _hold(endpoint: Endpoint) -> bool:
    """Let all that is due there stand back."""
    with writing():
        due = Delivery.objects.filter(begins("dedupe", f"{webhooks.keys_of(endpoint)}:"), state=State.WAITING)
        until = clock.now() + timedelta(seconds=STANDS_BACK)
        due.filter(next_attempt_at__lte=clock.now()).update(next_attempt_at=until)
    return True


def _in_words(status: int) -> str:
    if 300 <= status < 400:
        return f"It answered {status}, which leads elsewhere: give the address that it leads to"
    if status == 410:
        return "It answered 410: this address is gone"
    return f"It answered {status}"
