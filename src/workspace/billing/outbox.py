"""Requests to Stripe that the payment worker sends later. They are enqueued in the transaction that needs them."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from workspace.delivery import outbox
from workspace.payments.checkout import DELIVERY_KIND

JOB_NAME = "billing"


def enqueue_request(name: str, value: Any, *, dedupe_key: str | None = None, at: datetime | None = None) -> None:
    """Enqueue a request, which `status_sync.run_sync_job` sends.

    `name` is the kind of request, such as `subscription`. `value` is its subject, usually a row's id. With
    `dedupe_key`, the same request is enqueued only once. `at` is the earliest time.
    """
    dedupe = f"{JOB_NAME}:{name}:{value}:{dedupe_key}"[:200] if dedupe_key is not None else None
    outbox.put(DELIVERY_KIND, {JOB_NAME: {name: value}}, dedupe=dedupe, at=at)
