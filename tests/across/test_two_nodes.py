"""Two servers and two workers, as on separate machines, on one PostgreSQL.

They share counters, show the same data and do nothing twice. If one is killed, the others continue with everything
acknowledged.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from http.client import HTTPConnection
from itertools import count
from typing import Any
from urllib.parse import urlencode, urlsplit

import psycopg
import pytest

from workspace.testing import fork_server
from workspace.testing.service import PATIENCE, ROOT, Service
from workspace.testing.smtp_sink import Peer, start_sink
from workspace.testing.visitor import Visitor

pytestmark = [
    pytest.mark.skipif("not os.environ.get('WORKSPACE_TEST_DATABASE_URL')", reason="SQLite has one server"),
    pytest.mark.timeout(300),
]

PHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 Safari/604.1"
MAILS = """
import sys, django; django.setup()
from django.core.mail import send_mail
for number in range(int(sys.argv[2])):
    send_mail("Hello", "A mail", "shop@example.com", [f"{sys.argv[1]}{number}@example.com"])
"""


@dataclass
class Nodes:
    """Two services. `one` and `two` share only the database and the secrets that several machines need."""

    one: Service
    two: Service
    peer: Peer
    workers: list[fork_server.Popen | subprocess.Popen[bytes]] = field(default_factory=list)

    def both(self) -> Iterator[Service]:
        yield from (self.one, self.two)

    def start_worker(self, node: Service) -> fork_server.Popen | subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "workspace.interfaces.admin_cli", "worker"]
        with (node.folder / "worker.log").open("ab") as log:
            worker = fork_server.start(command, env=node.env, stdout=log, stderr=log)
        self.workers.append(worker)
        return worker

    def fetch_rows(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        with psycopg.connect(self.one.env["WORKSPACE_DATABASE_URL"], autocommit=True) as connection:
            return connection.execute(statement, values).fetchall()

    def send_mails(self, name: str, number: int) -> None:
        env = {**self.one.env, "DJANGO_SETTINGS_MODULE": "workspace.settings"}
        subprocess.run(
            [sys.executable, "-c", MAILS, name, str(number)], env=env, cwd=ROOT, check=True, timeout=PATIENCE
        )

    def arrived(self, name: str) -> Counter[str]:
        return Counter(one for one in self.peer.recipients() if one.startswith(name))


@pytest.fixture(scope="module")
def nodes() -> Iterator[Nodes]:
    peer = Peer()
    post = start_sink(peer)
    shared = {
        "WORKSPACE_BACKGROUND_WORKER": "off",
        "WORKSPACE_SECRET_KEY": "one secret for both, 0123456789abcdef",
        "WORKSPACE_SMTP_HOST": "127.0.0.1",
        "WORKSPACE_SMTP_PORT": str(peer.port),
        "WORKSPACE_SMTP_SECURITY": "none",
    }
    one = Service(**shared).migrate()
    shared |= {name: one.env[name] for name in ("WORKSPACE_BASE_URL", "WORKSPACE_DATABASE_URL")}
    found = Nodes(one, Service(**shared), peer)
    try:
        for node in found.both():
            node.start()
            found.start_worker(node)
        yield found
    finally:
        for worker in found.workers:
            worker.kill()
            worker.wait()
        for node in found.both():
            node.kill()
            shutil.rmtree(node.folder, ignore_errors=True)
        post.stop()


@pytest.fixture(scope="module")
def key(nodes: Nodes) -> str:
    return str(nodes.one.account("owner@example.com", "--plan", "qr=pro")["api_key"])


def test_daily_calls_are_counted_exactly_across_both(nodes: Nodes) -> None:
    account = nodes.one.account("quota@example.com")
    other = account["api_key"]
    nodes.one.api(other, "svc_qr_list")
    left = 20
    # as if nearly all of the day's calls were used
    policy = send_request(nodes.one, "/api/v1/qr/list", Authorization=f"Bearer {other}")[2]["RateLimit-Policy"]
    limit = int(policy.partition("q=")[2].partition(";")[0])
    [(bucket,)] = nodes.fetch_rows(
        "UPDATE rate_limits_callquota SET used = %s WHERE key LIKE 'key:%%' AND used = 2 RETURNING key", limit - left
    )

    def count_call(number: int) -> int:
        node = nodes.two if number % 2 else nodes.one
        return node.post("/api/v1/call", {"name": "svc_qr_list", "arguments": {}}, other)[0]

    with ThreadPoolExecutor(16) as callers:
        told = Counter(callers.map(count_call, range(60)))
    assert told == {200: left, 429: 40}
    assert nodes.fetch_rows("SELECT used FROM rate_limits_callquota WHERE key = %s", bucket) == [(limit,)]


def test_an_edit_on_one_is_visible_on_the_next_load_from_the_other(nodes: Nodes, key: str) -> None:
    card = nodes.one.api(key, "svc_card_create", full_name="Olive Owner", email="olive@example.com")
    code = nodes.one.api(key, "svc_qr_create", name="Poster", target_url="https://example.com/old")
    page, scan = path_of(card), path_of(code)
    for _ in range(2):  # the second answer comes from the fast path
        status, first, headers = send_request(nodes.two, page)
        assert status == 200 and b"Olive Owner" in first
    assert send_request(nodes.two, page, **{"If-None-Match": headers["ETag"]})[0] == 304
    assert send_request(nodes.two, scan)[2]["Location"] == "https://example.com/old"
    for number in range(5):
        nodes.one.api(key, "svc_card_edit", card_id=card["id"], full_name=f"Olive Number{number}")
        nodes.one.api(key, "svc_qr_edit", id=code["id"], target_url=f"https://example.com/{number}")
        status, body, _ = send_request(nodes.two, page, **{"If-None-Match": headers["ETag"]})
        assert status == 200 and f"Number{number}".encode() in body
        assert send_request(nodes.two, scan)[2]["Location"] == f"https://example.com/{number}"
    nodes.one.api(key, "svc_qr_edit", id=code["id"], live=False)
    assert send_request(nodes.two, scan)[0] == 404


def test_password_attempts_on_a_code_are_counted_across_both(nodes: Nodes, key: str) -> None:
    code = nodes.one.api(key, "svc_qr_create", name="Locked", target_url="https://example.com/")
    nodes.one.api(key, "svc_qr_edit", id=code["id"], password="a long password")
    form = urlencode({"password": "wrong"})

    def guess(number: int) -> int:
        node = nodes.two if number % 2 else nodes.one
        return send_request(node, path_of(code), "POST", form, **FORM)[0]

    began = int(time.time()) // 600
    with ThreadPoolExecutor(8) as guests:
        told = Counter(guests.map(guess, range(16)))
    if int(time.time()) // 600 == began:  # otherwise a new window of ten minutes has started
        assert told == {403: 10, 429: 6}


def test_sign_in_attempts_are_counted_across_both(nodes: Nodes) -> None:
    nodes.one.account("ada@example.com")
    pages = []
    for number in range(8):
        visitor = Visitor(nodes.two if number % 2 else nodes.one)
        pages.append(visitor.refused("/sign-in/", login="ada@example.com", password="wrong guess"))
    assert ["don’t match" in page for page in pages] == [True] * 5 + [False] * 3
    assert ["Too many attempts" in page for page in pages] == [False] * 5 + [True] * 3
    [(longest,)] = nodes.fetch_rows("SELECT max(length(cache_key)) FROM storage_cacheentry")
    assert longest == 64  # the keys are hashed, since they identify the person


def test_no_email_is_sent_twice_and_no_scheduled_task_runs_on_both(nodes: Nodes) -> None:
    nodes.send_mails("twice", 40)
    until(lambda: len(nodes.arrived("twice")) == 40, nodes)
    until(lambda: nodes.fetch_rows("SELECT 1 FROM delivery_delivery WHERE state IN ('waiting', 'leased')") == [], nodes)
    assert set(nodes.arrived("twice").values()) == {1}
    # each has its next time, and no worker runs it earlier
    until(lambda: nodes.fetch_rows("SELECT count(*) FROM delivery_scheduledtask")[0][0] > 10, nodes)


def test_after_one_is_killed_nothing_acknowledged_is_lost_and_the_other_continues(nodes: Nodes, key: str) -> None:
    code = nodes.one.api(key, "svc_qr_create", name="Busy", target_url="https://example.com/")
    made: list[str] = []
    scanned, done = count(), False

    def scan(number: int) -> int:
        answered = 0
        while not done:
            node = nodes.two if number % 2 else nodes.one
            try:
                answered += send_request(node, path_of(code), **{"User-Agent": PHONE})[0] == 302
                next(scanned)
            except OSError:
                number += 1  # as a load balancer does
        return answered

    def create_codes(number: int) -> list[str]:
        names = []
        while not done:
            node = nodes.two if number % 2 else nodes.one
            name = f"Made by {number}, {len(names)}"
            body = {"name": "svc_qr_create", "arguments": {"name": name, "target_url": "https://example.com"}}
            try:
                if node.post("/api/v1/call", body, key)[0] == 200:
                    names.append(name)
                    made.append(name)
            except OSError:
                number += 1
        return names

    first_worker = nodes.workers[0]
    nodes.send_mails("killed", 30)
    with ThreadPoolExecutor(8) as people:
        scanners = [people.submit(scan, number) for number in range(4)]
        makers = [people.submit(create_codes, number) for number in range(4)]
        until(lambda: len(made) > 20 and next(scanned) > 50, nodes)
        nodes.one.kill()
        first_worker.kill()
        first_worker.wait()
        reached = len(made)
        until(lambda: len(made) > reached + 20, nodes)
        done = True
        scans = sum(scanner.result() for scanner in scanners)
        promised = [name for maker in makers for name in maker.result()]
    found = {name for (name,) in nodes.fetch_rows("SELECT name FROM qr_code WHERE name LIKE 'Made by %%'")}
    assert set(promised) <= found
    assert nodes.two.api(key, "svc_qr_stats", id=code["id"])["total"] >= scans
    # rows leased by the killed worker are leased again after the lease expires
    nodes.fetch_rows("UPDATE delivery_delivery SET next_attempt_at = now() WHERE state = 'leased' RETURNING id")
    until(lambda: len(nodes.arrived("killed")) == 30, nodes)
    again = sum(nodes.arrived("killed").values()) - 30
    assert again <= 1  # the email that was being sent
    nodes.one.start()
    assert nodes.one.api(key, "svc_qr_stats", id=code["id"])["total"] >= scans


FORM = {"Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin"}


def send_request(
    node: Service, path: str, method: str = "GET", body: str | None = None, **headers: str
) -> tuple[int, bytes, Any]:
    connection = HTTPConnection("127.0.0.1", node.port, timeout=PATIENCE)
    try:
        connection.request(method, path, body, {"User-Agent": PHONE, **headers})
        answer = connection.getresponse()
        return answer.status, answer.read(), answer.headers
    finally:
        connection.close()


def path_of(thing: dict[str, Any]) -> str:
    return urlsplit(thing["public_url"]).path


def until(true: Callable[[], bool], nodes: Nodes) -> None:
    deadline = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < deadline, "\n".join(node.log[-3000:] for node in nodes.both())
        time.sleep(0.05)
