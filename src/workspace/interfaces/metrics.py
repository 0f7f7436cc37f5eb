"""`/metrics` for Prometheus: responses with their durations, and queues.

No label contains an address, a slug or an account: everything is counted per instance. Several server processes share
their counts in files, as the client library supports, so that any of them can answer.
"""

from __future__ import annotations

import hmac
import os
import shutil
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from django.db import Error
from django.db.models import Count
from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest, multiprocess
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4

from workspace.accounts.models import Account
from workspace.accounts.plans import PRODUCTS
from workspace.analytics import visit_writer
from workspace.delivery.models import Delivery, Job
from workspace.interfaces.server.asgi_types import Receive, Scope, Send
from workspace.interfaces.server.error_responses import RequestRejectedError
from workspace.interfaces.server.thread_pool import Pool
from workspace.lib.service_thread import thread_statuses
from workspace.storage.database.health_probe import database_probe
from workspace.storage.models import SetAside

MULTIPROCESS_VARIABLE = "PROMETHEUS_MULTIPROC_DIR"  # read by the library when it is imported
BUCKET_SECONDS = (0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
KNOWN_PLACES = frozenset({"api", "mcp", "app", "static", "files", "o", "hooks", "healthz", "readyz", "metrics", "help"})


def share_metrics_between_processes(folder: Path) -> None:
    """Set up a folder in which server processes started by this process share their metrics."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    os.environ[MULTIPROCESS_VARIABLE] = str(folder)


class PrometheusMetrics:
    """A counter of responses by place.

    Guest pages are counted by product, and other paths by their first part if it is known.
    """

    def __init__(self, pool: Pool, token: str) -> None:
        self._pool, self._token = pool, token.encode()
        self._registry = CollectorRegistry()
        labels = ["place", "method", "status"]
        self._answers = Counter("workspace_answers", "Answers.", labels, registry=self._registry)
        self._seconds = Histogram(
            "workspace_answer_seconds",
            "Seconds until answered.",
            ["place"],
            buckets=BUCKET_SECONDS,
            registry=self._registry,
        )
        self._place = lru_cache(512)(_path_label)

    def record_request(self, method: str, path: str, status: int, seconds: float) -> None:
        place = self._place(path)
        method_label = method if method in ("GET", "HEAD", "POST", "OPTIONS") else "other"
        self._answers.labels(place, method_label, str(status)).inc()
        self._seconds.labels(place).observe(seconds)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] != "GET":
            raise RequestRejectedError(405, "method_not_allowed", "Use GET for this URL", headers=[(b"allow", b"GET")])
        given = dict(scope["headers"]).get(b"authorization", b"")
        if not hmac.compare_digest(given, b"Bearer " + self._token):
            challenge = [(b"www-authenticate", b"Bearer")]
            raise RequestRejectedError(
                401, "unauthorized", "Send WORKSPACE_METRICS_TOKEN as a bearer token", headers=challenge
            )
        found = await database_probe.get_condition()
        body = await self._pool.run(self._render_metrics, found.reads is None, found.writes is None)
        headers = [
            (b"content-type", CONTENT_TYPE_PLAIN_0_0_4.encode()),
            (b"content-length", b"%d" % len(body)),
            (b"cache-control", b"no-store"),
        ]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    def _render_metrics(self, reads: bool, writes: bool) -> bytes:
        state = CollectorRegistry()
        state.register(_StateCollector(reads, writes))
        counted = self._registry
        if os.environ.get(MULTIPROCESS_VARIABLE):
            counted = CollectorRegistry()
            multiprocess.MultiProcessCollector(counted)  # type: ignore[no-untyped-call]  # it has no annotations
        return generate_latest(counted) + generate_latest(state)


def _path_label(path: str) -> str:
    first = path.split("/", 2)[1].lower() if path.startswith("/") else ""
    kinds = {product.path.strip("/"): product.key for product in PRODUCTS.values()}
    return kinds.get(first) or (first if first in KNOWN_PLACES else "other" if first else "landing")


class _StateCollector:
    """A collector of the current state in the database. It skips values that cannot be read."""

    def __init__(self, reads: bool, writes: bool) -> None:
        self.reads, self.writes = reads, writes

    def collect(self) -> Iterator[Any]:
        database = GaugeMetricFamily(
            "workspace_database_up", "Whether the database can be read, and written.", labels=["for"]
        )
        database.add_metric(["reads"], self.reads)
        database.add_metric(["writes"], self.writes)
        yield database
        yield GaugeMetricFamily("workspace_visits_waiting", "Visits not written yet.", visit_writer.count_waiting())
        yield GaugeMetricFamily(
            "workspace_visits_oldest_seconds",
            "How long the oldest visit has waited to be written.",
            visit_writer.oldest_wait_seconds(),
        )
        alive = GaugeMetricFamily("workspace_thread_alive", "Whether a thread works.", labels=["thread"])
        restarts = GaugeMetricFamily("workspace_thread_restarts", "How often it has restarted.", labels=["thread"])
        for name, one in thread_statuses().items():
            alive.add_metric([name], one.is_alive)
            restarts.add_metric([name], one.restarts)
        yield from (alive, restarts)
        if not self.reads:
            return
        try:
            yield from self._collect_counts()
        except Error:
            return

    def _collect_counts(self) -> Iterator[Any]:
        deliveries = GaugeMetricFamily(
            "workspace_deliveries", "Mail, webhooks and calendars by state.", labels=["kind", "state"]
        )
        waiting = Delivery.objects.filter(state__in=["waiting", "leased", "parked"]).order_by()
        for kind, state, number in waiting.values_list("kind", "state").annotate(Count("pk")):
            deliveries.add_metric([kind, state], number)
        jobs = GaugeMetricFamily("workspace_jobs", "Jobs by state.", labels=["state"])
        for state, number in Job.objects.order_by().values_list("state").annotate(Count("pk")):
            jobs.add_metric([state], number)
        aside = GaugeMetricFamily("workspace_set_aside", "Rows that a scheduled task set aside.", labels=["task"])
        for task, number in SetAside.objects.order_by().values_list("task").annotate(Count("pk")):
            aside.add_metric([task], number)
        yield aside
        accounts = GaugeMetricFamily("workspace_accounts", "Accounts.", Account.objects.count())
        yield from (deliveries, jobs, accounts)
