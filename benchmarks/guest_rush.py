"""Thirty guests who sign a waiver or book a time within ten seconds, while each core runs a busy loop.

    python benchmarks/guest_rush.py [GUESTS]

Each guest opens the form, fills it in and sends it. The goal is that the server accepts all of them: none gets a 503.
"""

from __future__ import annotations

import http.client
import json
import os
import random
import shutil
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime, timedelta
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urlencode, urlsplit

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from table import Row, markdown

from workspace.testing.service import Service

GUESTS, SECONDS = 30, 10.0
FILLING_SECONDS = 2.5  # the server rejects a form that is sent faster
PHONE = "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/130.0 Mobile Safari/537.36"


class Fields(HTMLParser):
    """The fields of a page's forms."""

    def __init__(self, html: str) -> None:
        """Read the hidden fields, and the names of all fields."""
        super().__init__()
        self.hidden: dict[str, str] = {}
        self.names: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Store the name or the value of a field."""
        found = dict(attrs)
        if tag in ("input", "textarea", "select") and (name := found.get("name")):
            self.names.append(name)
            if found.get("type") == "hidden":
                self.hidden[name] = found.get("value") or ""


@dataclass
class Rush:
    """The guests' requests, with the status and the duration in milliseconds of each submitted form."""

    port: int
    statuses: list[int] = field(default_factory=list)
    waits: list[float] = field(default_factory=list)

    def run(self, guests: list[Callable[[int], None]]) -> None:
        """Start every guest at a random moment, so that the last form is sent after ten seconds."""
        threads = [threading.Thread(target=act, args=(number,)) for number, act in enumerate(guests)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def send(self, number: int, path: str, fill_in: Callable[[Fields], dict[str, str]], query: str = "") -> None:
        """Open the form at a path, and send it filled in."""
        time.sleep(random.uniform(0, SECONDS - FILLING_SECONDS))
        status, page = self.request(number, "GET", path + query)
        if status != 200:
            self.statuses.append(status)
            return
        given = fill_in(Fields(page))
        time.sleep(FILLING_SECONDS)
        began = time.perf_counter()
        status, _ = self.request(number, "POST", path, urlencode(given))
        self.waits.append((time.perf_counter() - began) * 1000)
        self.statuses.append(status)

    def request(self, number: int, method: str, path: str, body: str = "") -> tuple[int, str]:
        """Return the status and the body of a response to this guest."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        head = {"User-Agent": PHONE, "Accept-Language": "en", "X-Forwarded-For": f"203.0.113.{number + 1}"}
        head |= {"Content-Type": "application/x-www-form-urlencoded"} if body else {}
        try:
            connection.request(method, path, body or None, head)
            answer = connection.getresponse()
            return answer.status, answer.read().decode(errors="replace")
        finally:
            connection.close()


def measure(guests: int = GUESTS) -> list[Row]:
    """Run the guests. Return a row with the number of accepted forms and their durations."""
    service = Service(WORKSPACE_TRUSTED_PROXIES="127.0.0.1")
    service.migrate().start()
    try:
        key = service.account()["api_key"]
        rush = Rush(service.port)
        sign, book = _signing(service, key, rush), _booking(service, key, rush)
        with busy_loops(os.cpu_count() or 1):
            rush.run([sign if number % 2 else book for number in range(guests)])
    finally:
        service.stop()
        shutil.rmtree(service.folder, ignore_errors=True)
    accepted = rush.statuses.count(303)
    told = ", ".join(f"{count} of {status}" for status, count in sorted(Counter(rush.statuses).items()))
    note = f"{told}; the longest wait was {max(rush.waits, default=0):.0f} ms"
    what = f"{guests} guests sign or book within {SECONDS:.0f} s on a busy machine"
    return [Row(what, f"{accepted} accepted", str(guests), accepted / guests, 1, note)]


def _signing(service: Service, key: str, rush: Rush) -> Callable[[int], None]:
    made = service.api(key, "svc_waiver_create", title="Climbing", text="I know the risks.", language="en")
    path = f"{urlsplit(made['public_url']).path}/sign"

    def fill_in(form: Fields) -> dict[str, str]:
        given = {**form.hidden, "name": "Ada King", "typed": "Ada King", "email": "ada@example.com", "consent": "yes",
                 "born-day": "2", "born-month": "1", "born-year": "1990"}  # fmt: skip
        return given | {name: "" for name in form.names if name not in given and name != "add"}

    return lambda number: rush.send(number, path, fill_in)


def _booking(service: Service, key: str, rush: Rush) -> Callable[[int], None]:
    always = [{"days": ["mon", "tue", "wed", "thu", "fri", "sat", "sun"], "from": "00:00", "until": "00:00"}]
    page = service.api(key, "svc_booking_create", name="Cuts", hours=always)
    items = [{"name": "Cut", "duration": 30}]
    [made] = service.api(key, "svc_booking_save_services", page_id=page["id"], items=items)["saved"]
    path = f"{urlsplit(page['public_url']).path}/book"
    day = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=2)

    def book(number: int) -> None:
        start = f"{day + timedelta(minutes=30 * number):%Y-%m-%dT%H:%MZ}"
        at = {"service": made, "start": start}

        def fill_in(form: Fields) -> dict[str, str]:
            return {**form.hidden, **at, "name": "Ada", "phone": "+43 660 1234567", "email": f"ada{number}@example.com"}

        rush.send(number, path, fill_in, f"?{urlencode(at)}")

    return book


@contextmanager
def busy_loops(count: int) -> Iterator[None]:
    """Keep this many processors busy."""
    loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


if __name__ == "__main__":
    counts = [int(word) for word in sys.argv[1:] if word.isdigit()]
    table = measure(*counts[:1] or ([2] if "--short" in sys.argv else []))
    print(json.dumps({"rows": [asdict(row) for row in table]}) if "--json" in sys.argv else markdown(table))
