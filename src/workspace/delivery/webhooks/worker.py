"""The worker that sends webhooks, several in parallel, because most of the time is spent waiting.

It is separate from the outbox worker, so that no email waits for a slow receiver. Any number of these workers may run
side by side.
"""

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

from workspace.delivery import messages, webhooks
from workspace.delivery.models import Delivery, DeliveryState, Endpoint, Message, MessageState
from workspace.delivery.models.webhook import FAILING, GONE, MAX_PROBLEM_LENGTH
from workspace.delivery.outbox.worker import add_jitter
from workspace.delivery.outbox.worker_thread import WorkerThread
from workspace.http_client.allowed_networks import webhook_guard
from workspace.http_client.client import HttpError, fetch
from workspace.lib import clock
from workspace.lib.errors import ToolError
from workspace.storage.database.prefix_lookup import starts_with
from workspace.storage.database.transactions import write_transaction

logger = logging.getLogger(__name__)

MINUTE, HOUR = 60.0, 3600.0
# delays after the first failure, the second and so on; with the immediate first attempt, the ten of Standard Webhooks
RETRY_DELAYS = (5.0, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR)
TIMEOUT_SECONDS = 15.0  # for a whole request
MAX_RETRY_AFTER_SECONDS = 24 * HOUR  # the longest wait that a receiver may request
DISABLE_AFTER = timedelta(days=5)  # of failures only
FAILURE_STREAK_GAP = timedelta(days=2)  # time without an attempt after which a failure starts a new streak
BATCH_SECONDS = 20.0  # within which a batch starts further messages to the same endpoint
ENDPOINT_PAUSE_SECONDS = 30.0  # for an endpoint that failed or used up its batch, so that others come first


@dataclass(frozen=True, slots=True)
class PreparedDelivery:
    row: Delivery
    message: Message
    endpoint: Endpoint
    headers: dict[str, str]
    body: bytes


@dataclass(frozen=True, slots=True)
class DeliveryAttempt:
    """The result of one attempt.

    `status` is the status of the response. Without a response, `problem` is the reason. `wait` is the number of seconds
    that the receiver asked to wait."""

    status: int | None = None
    problem: str = ""
    wait: float = 0.0

    @property
    def is_delivered(self) -> bool:
        return self.status is not None and 200 <= self.status < 300


class WebhookWorker(WorkerThread):
    """The worker for webhooks.

    `at_once` is the number of parallel requests. `lease` is the number of seconds until messages of a killed worker are
    leased again. It must be longer than a batch takes.
    """

    def __init__(self, *, poll: float = 3.0, batch: int = 32, at_once: int = 8, lease: float = 180.0) -> None:
        super().__init__("webhooks", webhooks.wake_event, poll)
        self.batch, self.at_once, self.lease = batch, at_once, lease

    def run_once(self) -> bool:
        """Send one batch of due messages. Return whether there may be more.

        Messages to one endpoint are sent in sequence, and those to different endpoints in parallel. Only this thread
        uses the database.
        """
        rows = Delivery.lease_due([webhooks.KIND], limit=self.batch, seconds=self.lease)
        if not rows:
            return False
        queues: dict[str, deque[PreparedDelivery]] = {}
        for row in rows:
            ready = self._prepare_delivery(row)
            if ready is not None:
                queues.setdefault(ready.endpoint.pk, deque()).append(ready)
        until = time.monotonic() + BATCH_SECONDS
        with ThreadPoolExecutor(self.at_once, thread_name_prefix="webhook") as pool:
            while queues and not self._stopping.is_set() and time.monotonic() < until:
                begun = [queue.popleft() for queue in queues.values()]
                for one, outcome in zip(begun, pool.map(_send_request, begun), strict=True):
                    self.save_with_retry(lambda one=one, outcome=outcome: _save_attempt(one, outcome))  # type: ignore[misc]
                    if not outcome.is_delivered:  # not tried again for each message
                        self._release_queue(queues.pop(one.endpoint.pk))
                queues = {key: queue for key, queue in queues.items() if queue}
        for queue in queues.values():
            self._release_queue(queue)
        return len(rows) == self.batch

    def _prepare_delivery(self, row: Delivery) -> PreparedDelivery | None:
        """Return a delivery with its headers. If it should not be sent, save the reason and return None."""
        key = (row.payload or {}).get("message")
        message = Message.objects.select_related("endpoint").filter(pk=key).first()
        if not row.has_lease():  # withdrawn just before
            return None
        if message is None or not message.endpoint.is_active:
            self.save_with_retry(lambda: row.park("The webhook is turned off or was deleted"))
            return None
        body = message.body.encode()
        try:
            headers = sign_headers(message.pk, clock.now(), body, message.endpoint.signing_secrets(clock.now()))
        except ToolError as refusal:
            words = refusal.message
            self.save_with_retry(lambda: _give_up(row, message, words))
            return None
        return PreparedDelivery(row, message, message.endpoint, headers, body)

    def _release_queue(self, queue: Sequence[PreparedDelivery]) -> None:
        """Release the queued messages, and postpone all others that are due for the same endpoint."""
        for one in queue:
            row = one.row
            self.save_with_retry(lambda row=row: row.release(ENDPOINT_PAUSE_SECONDS))  # type: ignore[misc]
        if queue:
            self.save_with_retry(lambda: _postpone_endpoint(queue[0].endpoint))


def sign_headers(id: str, now: datetime, body: bytes, secrets: Sequence[str]) -> dict[str, str]:
    """Return the headers of one attempt, with a signature for each secret, newest first.

    Source: https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md"""
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


def _send_request(delivery: PreparedDelivery) -> DeliveryAttempt:
    """Send a message in a worker thread, without the database."""
    try:
        # only the status and headers matter, so the response body is not read
        reply = fetch(
            "POST",
            delivery.endpoint.url,
            delivery.body,
            delivery.headers,
            seconds=TIMEOUT_SECONDS,
            max_bytes=0,
            guard=webhook_guard(),
        )
    except HttpError as problem:
        return DeliveryAttempt(problem=str(problem))
    except Exception as error:
        logger.exception("Webhook %s could not be sent", delivery.message.pk)
        return DeliveryAttempt(problem=type(error).__name__)
    return DeliveryAttempt(reply.status, wait=_parse_retry_after(reply.headers.get("retry-after", "")))


def _parse_retry_after(header: str) -> float:
    """Return the seconds of a Retry-After header (RFC 9110, section 10.2.3), which is a number or a date, or 0.

    Return 0 if there is no header.
    """
    try:
        if header.isascii() and header.isdigit():
            return min(float(header[:9]), MAX_RETRY_AFTER_SECONDS)
        until = parsedate_to_datetime(header)
        return min(max((until - clock.now()).total_seconds(), 0.0), MAX_RETRY_AFTER_SECONDS)
    except (ValueError, TypeError, OverflowError):  # not a date, or one without a zone
        return 0.0


def _save_attempt(delivery: PreparedDelivery, outcome: DeliveryAttempt) -> bool:
    row, message = delivery.row, delivery.message
    now = clock.now()
    with write_transaction():
        endpoint = Endpoint.objects.filter(pk=delivery.endpoint.pk).first()
        if outcome.is_delivered:
            if endpoint is not None and endpoint.failing_since is not None:
                Endpoint.objects.filter(pk=endpoint.pk).update(failing_since=None, failed_at=None)
            _update_message(message, now, MessageState.DELIVERED, outcome)
            return row.finish(DeliveryState.SENT)
        problem = outcome.problem or _describe_status(outcome.status or 0)
        logger.warning("Webhook %s did not arrive (try %s, status %s)", message.pk, row.attempts, outcome.status)
        if row.attempts > len(RETRY_DELAYS) or outcome.status == 410:
            settled = row.park(problem)
            _update_message(message, now, MessageState.FAILED, outcome, problem)
        else:
            seconds = max(add_jitter(RETRY_DELAYS[row.attempts - 1]), outcome.wait)
            settled = row.back_off(seconds, problem)
            _update_message(message, now, MessageState.WAITING, outcome, problem, now + timedelta(seconds=seconds))
        if endpoint is not None:
            _record_failure(endpoint, outcome.status == 410, now)
        return settled


def _record_failure(endpoint: Endpoint, is_gone: bool, now: datetime) -> None:
    if endpoint.failed_at is None or endpoint.failing_since is None or endpoint.failed_at < now - FAILURE_STREAK_GAP:
        endpoint.failing_since = now
    endpoint.failed_at = now
    endpoint.save(update_fields=["failing_since", "failed_at"])
    if is_gone:
        webhooks.disable_endpoint(endpoint, GONE)
    elif endpoint.failing_since <= now - DISABLE_AFTER:
        webhooks.disable_endpoint(endpoint, FAILING)


def _update_message(
    message: Message,
    now: datetime,
    state: MessageState,
    outcome: DeliveryAttempt,
    problem: str = "",
    next_at: datetime | None = None,
) -> None:
    Message.objects.filter(pk=message.pk).update(
        state=state,
        attempts=message.attempts + 1,
        status=outcome.status,
        problem=problem[:MAX_PROBLEM_LENGTH],
        tried_at=now,
        next_at=next_at,
    )


def _give_up(row: Delivery, message: Message, words: str) -> bool:
    with write_transaction():
        _update_message(message, clock.now(), MessageState.FAILED, DeliveryAttempt(), words)
        return row.park(words)


def _postpone_endpoint(endpoint: Endpoint) -> bool:
    """Postpone all due messages for an endpoint."""
    with write_transaction():
        due = Delivery.objects.filter(
            starts_with("dedupe_key", f"{webhooks.dedupe_prefix(endpoint)}:"), state=DeliveryState.WAITING
        )
        until = clock.now() + timedelta(seconds=ENDPOINT_PAUSE_SECONDS)
        due.filter(next_attempt_at__lte=clock.now()).update(next_attempt_at=until)
    return True


def _describe_status(status: int) -> str:
    if 300 <= status < 400:
        return str(messages.WEBHOOK_REDIRECTED(status=status))
    if status == 410:
        return str(messages.WEBHOOK_ADDRESS_IS_GONE)
    return str(messages.WEBHOOK_STATUS(status=status))
