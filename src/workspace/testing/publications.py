"""Publications and guests for tests."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from workspace.accounts.models import Account
from workspace.analytics import visit_writer
from workspace.analytics.visitor import Visitor
from workspace.public_site.fast_path import FastPath
from workspace.publishing.models import Publication
from workspace.storage.client_address import compute_digest
from workspace.testing.api import make_account

IPHONE = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
    "Version/18.0 Mobile/15E148 Safari/604.1"
)
ANDROID = (
    "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36"
)
WINDOWS = (
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36"
)


def publish(account: Account | None = None, kind: str = "qr", slug: str | None = None) -> Publication:
    return Publication.open(account or make_account(), kind, slug)


def build_guest(name: str = "Ann", **facts: Any) -> Visitor:
    """Return a visitor. Different names are different people."""
    told = {"bot": False, "device": "phone", "city": "Graz", "country": "Austria", "referrer_host": ""}
    return Visitor(**{**told, **facts}, address_key=compute_digest(name))


class _Here:
    """A pool that runs calls in the caller's own thread."""

    async def run(self, func: Callable[..., Any], /, *args: Any) -> Any:
        return func(*args)


def build_fast_path(patch: pytest.MonkeyPatch) -> FastPath:
    """Build a fast path for `run_without_waiting` that stays in this thread.

    It uses the transaction of the test, and therefore sees its uncommitted rows.
    """

    async def record(publication_id: str, event: str, visitor: Visitor, *, part: str = "") -> None:
        visit_writer.record_visit(publication_id, event, visitor, part=part)

    patch.setattr(visit_writer, "record_visit_async", record)
    front = FastPath(_Here())
    front.reader = None
    return front


def run_without_waiting(waits_for_nothing: Coroutine[Any, Any, Any]) -> Any:
    """Run a coroutine that never waits, and return its result.

    An event loop would have a separate database connection.
    """
    try:
        waits_for_nothing.send(None)
    except StopIteration as end:
        return end.value
    raise AssertionError("It waits for something")
