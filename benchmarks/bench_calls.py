"""Calls, pages and posts of all products, beside their own SQL run raw: processor time, statements and commits.

The demo account is measured within one process. The floor of a read runs the same SELECT statements with `sqlite3`.
The floor of a write inserts, updates and deletes the same rows in one transaction, with the same durability, and reads
nothing. Notes show the statements and commits of a call, and how long it holds the write lock. It runs on SQLite only,
which reports its statements.

    python benchmarks/bench_calls.py [NAME…] [--short] [--json]
"""

from __future__ import annotations

import io
import itertools
import json
import logging
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from html.parser import HTMLParser
from types import SimpleNamespace
from typing import Any, cast
from unittest import mock
from urllib.parse import urlencode, urlsplit

from read_growth import database  # sets up Django

# isort: split
from django.conf import settings
from django.core.handlers.wsgi import WSGIHandler
from django.db import connection
from django.db.models import F
from django.test import Client
from statement_floor import newest_id, time_reads, time_writes, trace
from table import Row, markdown

from workspace.accounts import demo
from workspace.accounts.models import Account, ApiKey
from workspace.interfaces.rest.direct_routing import CALL_PATH, find_direct_handler
from workspace.interfaces.warmup import warm_up
from workspace.lib import clock
from workspace.products.booking.models import Service
from workspace.publishing.models import Address, Publication
from workspace.publishing.public_urls import public_url
from workspace.storage.database.transactions import write_transaction
from workspace.testing.api import make_account

IS_SHORT = "--short" in sys.argv
TIMES, WARMINGS, TRACES = (1, 1, 1) if IS_SHORT else (25, 2, 3)
HOST = "127.0.0.1:8000"
logging.disable(logging.INFO)
Work = Callable[[Any], object]


@dataclass(frozen=True, slots=True)
class Case:
    """A case to measure.

    `prepare` runs before each `work` and is not measured. Its result is the argument of `work`.
    """

    name: str
    work: Work
    prepare: Callable[[], object] = lambda: None
    goal: float | None = None  # of the ratio
    milliseconds: float | None = None  # at most


def measure_case(case: Case) -> Row:
    """Measure one case beside its floor."""
    for _ in range(WARMINGS):
        case.work(case.prepare())
    hold = 1e9
    for _ in range(TRACES):
        argument, marker = case.prepare(), newest_id()
        statements = trace(partial(case.work, argument))
        hold = min(hold, statements.hold_milliseconds)
    floor = time_writes(statements, marker, TIMES) if statements.writes else time_reads(statements, TIMES)
    times = []
    for _ in range(TIMES):
        argument = case.prepare()
        began = time.thread_time()
        case.work(argument)
        times.append((time.thread_time() - began) * 1000)
    ratio = min(floor) / min(times)
    goal = f"goal: {case.milliseconds:g} ms; " if case.milliseconds else ""
    commits = f", {statements.commits} commits" if statements.commits else ""
    commits += f", lock held {hold:.2f} ms" if statements.writes else ""
    return Row(
        case.name, f"{min(times):.2f} ms", f"{min(floor):.2f} ms", ratio, case.goal,
        f"{goal}{statements.count} statements{commits}",
    )  # fmt: skip


class Fields(HTMLParser):
    """The hidden fields of a form."""

    def __init__(self, html: str) -> None:
        """Read the fields of a page's forms."""
        super().__init__()
        self.hidden: dict[str, str] = {}
        self.names: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        name = found.get("name")
        if tag in ("input", "textarea", "select") and name:
            self.names.append(name)
            if found.get("type") == "hidden":
                self.hidden[name] = found.get("value") or ""


class Bench:
    """The demo account, with its key, its owner's session and its pages."""

    def __init__(self) -> None:
        """Create the demo account in the current database."""
        settings.ALLOWED_HOSTS = ["*"]
        self.account: Account = make_account(name=demo.NAME, time_zone=demo.TIME_ZONE)
        demo.prepare_pictures()
        with write_transaction():
            demo.fill_account(self.account)
        self.secret = ApiKey.create(self.account, name="Benchmark")[1]
        owner = Client(HTTP_HOST=HOST)
        owner.force_login(self.account.owner)
        self.cookie = "; ".join(f"{name}={one.value}" for name, one in owner.cookies.items())
        warm_up()
        self.handler = WSGIHandler()
        self.numbers = itertools.count(1)
        self.guests = (f"10.{n >> 16 & 255}.{n >> 8 & 255}.{n & 255}" for n in itertools.count(1))
        self.paths: dict[str, str] = {}  # of one page of each kind
        live = Address.objects.filter(publication__account=self.account, publication__deleted_at=None)
        for address in live.filter(publication__paused_at=None).order_by("id"):
            self.paths.setdefault(address.kind, urlsplit(public_url(self.account.pk, address.kind, address.slug)).path)

    def call_tool(self, name: str, arguments: dict[str, Any]) -> bytes:
        """Call a tool as the REST API does, and return the body of the answer."""
        body = json.dumps({"name": name, "arguments": arguments}).encode()
        headers = {"host": HOST, "authorization": f"Bearer {self.secret}", "content-type": "application/json"}
        scope: Any = {
            "method": "POST", "path": CALL_PATH, "scheme": "http", "query_string": b"",
            "state": {"workspace.request_id": "x"},
            "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        }  # fmt: skip
        handler = find_direct_handler(scope)
        assert handler is not None
        reply = handler(cast(Any, SimpleNamespace(file=io.BytesIO(body))))
        assert reply.status == 200, reply.body[:500]
        return reply.body

    def data(self, name: str, **arguments: Any) -> Any:
        return json.loads(self.call_tool(name, arguments))["data"]

    def first_id(self, name: str, **arguments: Any) -> str:
        return str(self.data(name, **arguments)["items"][0]["id"])

    def request(self, method: str, path: str, fields: dict[str, str] | None = None, *, cookie: str = "") -> str:
        body = urlencode(fields).encode() if fields is not None and method == "POST" else b""
        environ = {
            "REQUEST_METHOD": method, "PATH_INFO": path, "SERVER_NAME": "127.0.0.1", "SERVER_PORT": "8000",
            "QUERY_STRING": urlencode(fields) if fields and method == "GET" else "", "HTTP_HOST": HOST,
            "wsgi.url_scheme": "http", "wsgi.input": io.BytesIO(body), "CONTENT_LENGTH": str(len(body)),
            "CONTENT_TYPE": "application/x-www-form-urlencoded", "REMOTE_ADDR": next(self.guests),
            "HTTP_USER_AGENT": "Mozilla/5.0 Firefox/140.0", "HTTP_ACCEPT_LANGUAGE": "en", "HTTP_COOKIE": cookie,
            "wsgi.errors": sys.stderr, "SCRIPT_NAME": "", "SERVER_PROTOCOL": "HTTP/1.1",
        }  # fmt: skip
        got: dict[str, Any] = {}
        parts = self.handler(environ, lambda status, headers, failed=None: got.update(status=int(status[:3])))
        answer = b"".join(parts).decode(errors="replace")
        getattr(parts, "close", lambda: None)()
        assert got["status"] in ((302, 303) if method == "POST" else (200,)), (path, got["status"], answer[:2000])
        return answer

    def open_form(self, path: str, query: dict[str, str] | None = None) -> Fields:
        return Fields(self.request("GET", path, query))

    def post(self, path: str, fields: dict[str, str]) -> None:
        """Send a form as if a minute had passed since it was opened."""
        later = clock.now() + timedelta(seconds=60)
        with mock.patch.object(clock, "now", return_value=later), mock.patch("time.time", later.timestamp):
            self.request("POST", path, fields)


def list_reads(bench: Bench) -> Iterator[Case]:
    """Yield one reading tool per product."""
    menu, chart = bench.first_id("svc_menu_list"), bench.first_id("svc_seat_charts")
    page, code = bench.first_id("svc_booking_pages"), bench.first_id("svc_qr_list")
    for name, arguments in (
        ("svc_me", {}),
        ("svc_qr_list", {}),
        ("svc_qr_get", {"id": code}),
        ("svc_menu_list", {}),
        ("svc_menu_items", {"menu_id": menu}),
        ("svc_booking_pages", {}),
        ("svc_booking_list", {"page_id": page}),
        ("svc_seat_guests", {"event_id": chart}),
        ("svc_seat_tables", {"event_id": chart}),
        ("svc_reviews_list", {}),
        ("svc_forms_list", {}),
        ("svc_waivers_list", {}),
        ("svc_waiver_check", {"who": "Maria"}),
        ("svc_links_pages", {}),
        ("svc_card_list", {}),
        ("svc_bid_list", {}),
        ("svc_certs_templates", {}),
        ("svc_event_list", {}),
    ):
        yield Case(name, lambda _, name=name, arguments=arguments: bench.call_tool(name, arguments), goal=0.12)


def list_writes(bench: Bench) -> Iterator[Case]:
    """Yield writing tools, each with the ratio that is the goal."""
    menu = bench.first_id("svc_menu_list")
    dish = bench.first_id("svc_menu_items", menu_id=menu)
    chart = bench.first_id("svc_seat_charts")
    guest = bench.first_id("svc_seat_guests", event_id=chart)
    tables = [row["id"] for row in bench.data("svc_seat_tables", event_id=chart)["items"]]
    page = bench.first_id("svc_booking_pages")
    service = Service.objects.filter(page_id=page).values_list("pk", flat=True)[0]

    def number() -> int:
        return next(bench.numbers)

    def book() -> str:
        day = datetime.now(UTC).date() + timedelta(days=400 + number())
        booking = {"service_id": service, "start": f"{day}T10:00", "name": "Ben", "email": "ben@example.com"}
        made = bench.data("svc_booking_save_bookings", page_id=page, items=[{**booking, "ignore_rules": True}])
        return str(made["saved"][0]["id"])

    create = {"target_url": "https://example.com/menu"}
    yield Case(
        "svc_qr_create", lambda n: bench.call_tool("svc_qr_create", {**create, "name": f"Code {n}"}), number, 0.35
    )
    yield Case(
        "svc_menu_update_item, price",
        lambda n: bench.call_tool(
            "svc_menu_update_item", {"menu_id": menu, "item_id": dish, "price": f"{5 + n / 100:.2f}"}
        ),
        number,
        0.12,
    )
    yield Case(
        "svc_seat_assign",
        lambda n: bench.call_tool(
            "svc_seat_assign",
            {"event_id": chart, "guest_id": guest, "table_id": tables[n % 2], "allow_over_capacity": True},
        ),
        number,
        0.12,
    )
    yield Case(
        "svc_booking_cancel",
        lambda id: bench.call_tool("svc_booking_cancel", {"page_id": page, "booking_id": id}),
        book,
        0.12,
    )


def list_posts(bench: Bench) -> Iterator[Case]:
    """Yield what guests submit, each with the milliseconds that are the goal."""
    reviews, waiver, booking = (bench.paths[kind] for kind in ("review", "waiver", "book"))
    service = Service.objects.filter(page__publication__slug=booking.rpartition("/")[2]).first()
    assert service is not None

    def write_review() -> dict[str, str]:
        hidden, text = bench.open_form(reviews).hidden, f"Lovely {next(bench.numbers)}"
        return {**hidden, "rating": "5", "text": text, "name": "Ida", "consent": "yes"}

    def write_waiver() -> dict[str, str]:
        form, name = bench.open_form(f"{waiver}/sign"), f"Ada King {next(bench.numbers)}"
        given = {**form.hidden, "name": name, "typed": name, "email": "ada@example.com", "consent": "yes",
                 "born-day": "2", "born-month": "1", "born-year": "1990"}  # fmt: skip
        for field in form.names:
            if field not in ("add", "drawn", "work", "phone"):
                answer = "Eva +43 660 7654321" if field.startswith("answer") else ""
                given.setdefault(field, "AK" if "initial" in field else answer)
        return given

    def find_times() -> Iterator[datetime]:
        for day in itertools.count(3):
            date = str(datetime.now(UTC).date() + timedelta(days=day))
            found = bench.data("svc_booking_availability", page_id=service.page_id, service_id=service.pk, date=date)
            yield from (datetime.fromisoformat(start).astimezone(UTC) for start in found["times"][:1])

    free = find_times()

    def write_booking() -> dict[str, str]:
        at = {"service": service.pk, "start": f"{next(free):%Y-%m-%dT%H:%MZ}"}
        return {**bench.open_form(f"{booking}/book", at).hidden, **at, "name": "Ada", "phone": "+43 660 1234567",
                "email": f"ada{next(bench.numbers)}@example.com"}  # fmt: skip

    yield Case("a review", lambda given: bench.post(reviews, given), write_review, milliseconds=4)
    yield Case("a signed waiver", lambda given: bench.post(f"{waiver}/sign", given), write_waiver, milliseconds=7)
    yield Case("a guest’s booking", lambda given: bench.post(f"{booking}/book", given), write_booking, milliseconds=9)


def list_pages(bench: Bench) -> Iterator[Case]:
    """Yield the owner's pages, and guests' first views."""
    menu, chart = bench.first_id("svc_menu_list"), bench.first_id("svc_seat_charts")
    page = bench.first_id("svc_booking_pages")
    for name, path, most in (
        ("home", "/app", 20),
        ("menu editor", f"/app/menu/{menu}", 12),
        ("booking page’s editor", f"/app/booking/{page}", 10),
        ("search", "/app/search?q=menu", 12),
        ("activity", "/app/activity", 12),
        ("seating plan", f"/app/seat/{chart}", 25),
    ):
        head, _, query = path.partition("?")
        fields = dict(part.split("=") for part in query.split("&")) if query else None
        yield Case(
            name,
            lambda _, head=head, fields=fields: bench.request("GET", head, fields, cookie=bench.cookie),
            milliseconds=most,
        )
    most = {"link": 10, "menu": 10, "program": 8}
    publications = Publication.objects.filter(account=bench.account)
    for kind, path in sorted(bench.paths.items()):
        if kind != "qr":  # redirects
            yield Case(
                f"first view of a guest: {kind}",
                lambda _, path=path: bench.request("GET", path),
                lambda: publications.update(version=F("version") + 1),  # so that the cache has no page of this version
                milliseconds=most.get(kind, 5),
            )


def measure(*names: str) -> list[Row]:
    """Return a row for each case whose name contains one of `names`, or for all."""
    if connection.vendor != "sqlite":
        return []
    rows = []
    with database():
        bench = Bench()
        for cases in (list_reads, list_writes, list_posts, list_pages):
            for case in cases(bench):
                if not names or any(name in case.name for name in names):
                    rows.append(measure_case(case))
                    if "--json" not in sys.argv:
                        print(markdown(rows[-1:]).splitlines()[-1], flush=True)
    return rows


if __name__ == "__main__":
    table = measure(*[word for word in sys.argv[1:] if not word.startswith("--")])
    print(json.dumps({"rows": [asdict(row) for row in table]}) if "--json" in sys.argv else markdown(table))
