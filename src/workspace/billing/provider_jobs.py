"""Jobs for the provider, enqueued for the payment worker in the transaction that needs them."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from workspace.delivery import outbox
from workspace.payments.checkout import DELIVERY_KIND

JOB_NAME = "billing"


def enqueue_job(name: str, value: Any, *, dedupe_key: str | None = None, at: datetime | None = None) -> None:
    """Enqueue a job. With `dedupe_key`, the same job is enqueued only once."""
    dedupe = f"{JOB_NAME}:{name}:{value}:{dedupe_key}"[:200] if dedupe_key is not None else None
    outbox.put(DELIVERY_KIND, {JOB_NAME: {name: value}}, dedupe=dedupe, at=at)
