"""Opens all of an account: the pages of owners and guests, all tools that read, and all scheduled tasks."""

from __future__ import annotations

import time
import traceback
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from importlib import import_module
from typing import Any
from unittest import mock

import time_machine
from django.test import Client
from django.urls import get_resolver

from tests.across.product_urls import guests, owners
from tests.across.samples import SAMPLES
from workspace.accounts.models import Account
from workspace.delivery.jobs.worker import JobWorker
from workspace.delivery.outbox import worker
from workspace.interfaces.tool_catalog import CATALOG
from workspace.lib import clock
from workspace.products import PRODUCT_NAMES
from workspace.publishing.models import Address
from workspace.testing.api import make_api

# these pages do not show the account
NOT_OPENED = ("sign-", "account/", "oauth", "authorize", "token", "register", "pair", "hooks/", "app/operator", "^")
NOT_CALLED = {"svc_invite_link"}
LATER = (timedelta(), timedelta(days=3), timedelta(days=40))


@dataclass
class Opened:
    """Failures by name, and `slowest` durations in processor seconds."""

    failed: dict[str, str] = field(default_factory=dict)
    slowest: dict[str, float] = field(default_factory=dict)

    def run(self, name: str, act: Any) -> None:
        began = time.process_time()
        try:
            found = act()
        except Exception:
            self.failed[name] = traceback.format_exc(limit=-4)
        else:
            if getattr(found, "streaming", False):
                b"".join(found.streaming_content)
            if getattr(found, "status_code", 200) >= 500:
                self.failed[name] = str(found.status_code)
        self.slowest[name] = time.process_time() - began


def open_everything(account: Account, made: dict[str, str], only: set[str] | None = None) -> Opened:
    """Open everything. `made`: the items of the samples by name. `only`: restrict it to these."""
    opened, api = Opened(), make_api(account)
    owner = Client()
    owner.force_login(account.owner)
    for path in _pages(account, made):
        if only is None or path in only:
            opened.run(path, lambda path=path: (owner if path.startswith("/app") else Client()).get(path))
    for tool in CATALOG:
        if tool.reads and tool.name not in NOT_CALLED and (only is None or tool.name in only):
            body = {"name": tool.name, "arguments": SAMPLES[tool.name](made)}
            opened.run(tool.name, lambda body=body: _call_tool(api, body))
    for delay in LATER:
        with time_machine.travel(clock.now() + delay, tick=True), mock.patch("time.sleep"):
            for duty in worker._periodic_tasks:
                if only is None or duty.name in only:
                    opened.run(duty.name, duty.func)
    if only is None or "jobs" in only:
        opened.run("jobs", lambda: any(iter(JobWorker().run_once, False)))
    return opened


def _call_tool(api: Any, body: dict[str, Any]) -> None:
    status, told = api.post("call", body)
    assert status < 500, told


def _pages(account: Account, made: dict[str, str]) -> Iterator[str]:
    paths = {path: None for path in _list_patterns(get_resolver()) if not path.startswith(NOT_OPENED)}
    yield from (f"/{path}" for path in paths)
    yield "/app/search?q=a"
    for name in PRODUCT_NAMES:
        yield from owners(name, made)
        kind = import_module(f"workspace.products.{name}.manifest").PRODUCT.key
        for slug in Address.objects.filter(kind=kind, publication__account=account).values_list("slug", flat=True)[:4]:
            yield from guests(name, slug, made)


def _list_patterns(resolver: Any, before: str = "") -> Iterator[str]:
    for one in resolver.url_patterns:
        path = before + str(one.pattern)
        if hasattr(one, "url_patterns"):
            yield from _list_patterns(one, path)
        elif "<" not in path and "(" not in path:
            yield path
