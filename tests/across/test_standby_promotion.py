"""Promotion of a streaming standby during writes: with synchronous commit, nothing acknowledged is lost.

The servers find the new primary without intervention. While the standby does not answer, no write that it lacks is
acknowledged.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from http.client import HTTPConnection
from urllib.parse import urlsplit

import psycopg
import pytest

from workspace.testing import prepared_database
from workspace.testing.postgresql_server import Cluster, programs
from workspace.testing.service import PATIENCE, ROOT, Service

pytestmark = [
    pytest.mark.skipif("not os.environ.get('WORKSPACE_TEST_DATABASE_URL')", reason="SQLite has no standby"),
    pytest.mark.timeout(300),
]
PEOPLE = 12  # as many as the server has threads, in separate accounts, since writes of one account wait for each other
KEYS = """
import sys, json, django; django.setup()
from workspace.accounts.models import Account, ApiKey, Person

def key(number):
    account = Account.open(Person.objects.create_user(f"owner{number}@example.com"), name="Café", chosen={"qr": "pro"})
    return ApiKey.create(account, name="Tests")[1]

print(json.dumps([key(number) for number in range(int(sys.argv[1]))]))
"""
PHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 Safari/604.1"


@dataclass
class Pair:
    first: Cluster
    standby: Cluster
    service: Service
    keys: list[str]

    def create(self, name: str, number: int) -> int:
        body = {"name": "svc_qr_create", "arguments": {"name": name, "target_url": "https://example.com"}}
        return self.service.post("/api/v1/call", body, self.keys[number])[0]

    def scan(self, path: str) -> int:
        connection = HTTPConnection("127.0.0.1", self.service.port, timeout=PATIENCE)
        try:
            connection.request("GET", path, headers={"User-Agent": PHONE})
            return connection.getresponse().status
        finally:
            connection.close()

    def names(self, cluster: Cluster) -> set[str]:
        with psycopg.connect(address(cluster)) as connection:
            return {name for (name,) in connection.execute("SELECT name FROM qr_code").fetchall()}


@pytest.fixture(scope="module")
def pair() -> Iterator[Pair]:
    found = programs()
    assert found is not None
    with Cluster(found) as first:
        with pytest.MonkeyPatch.context() as patch, psycopg.connect(first.url, autocommit=True) as connection:
            patch.setenv("WORKSPACE_TEST_DATABASE_URL", first.url)
            connection.execute(f'CREATE DATABASE service TEMPLATE "{prepared_database.migrated_database()}"')
        with Cluster(found, standby_of=first) as standby:
            first.wait_for(standby)
            hosts = ",".join(urlsplit(cluster.url).netloc.partition("@")[2] for cluster in (first, standby))
            service = Service(
                WORKSPACE_DATABASE_URL=f"postgresql://workspace@{hosts}/service?target_session_attrs=read-write",
                WORKSPACE_BACKGROUND_WORKER="off",
            )
            service.operate("migrate")
            env = {**service.env, "DJANGO_SETTINGS_MODULE": "workspace.settings"}
            command = [sys.executable, "-c", KEYS, str(PEOPLE)]
            keys = json.loads(subprocess.check_output(command, env=env, cwd=ROOT, timeout=PATIENCE))
            service.start()
            try:
                yield Pair(first, standby, service, keys)
            finally:
                service.kill()
                shutil.rmtree(service.folder, ignore_errors=True)


def test_while_the_standby_does_not_answer_no_write_is_acknowledged_and_reads_work(pair: Pair) -> None:
    pair.standby.freeze()
    with ThreadPoolExecutor(PEOPLE) as people:
        try:
            asked = [people.submit(pair.create, f"Silent {number}", number) for number in range(PEOPLE)]
            # each write occupies a thread; further writes are refused at once, which leaves threads for reads
            until(lambda: any(future.done() for future in asked), pair)
            assert pair.service.api(pair.keys[0], "svc_qr_list")["total"] in (0, 1)
            told = [future.result() for future in asked if future.done()]
            assert set(told) == {503}, [line for line in pair.service.log.splitlines() if "exception" in line][:2]
        finally:
            pair.standby.thaw()
        wait(asked, timeout=PATIENCE)
    acknowledged = {f"Silent {number}" for number, future in enumerate(asked) if future.result() == 200}
    assert acknowledged and acknowledged <= pair.names(pair.standby)


def test_acknowledged_writes_are_present_after_a_promotion(pair: Pair) -> None:
    code = pair.service.api(pair.keys[0], "svc_qr_create", name="Busy", target_url="https://example.com/")
    path = urlsplit(code["public_url"]).path
    made: list[str] = []
    done = False

    def create_codes(number: int) -> None:
        tries = 0
        while not done:
            tries += 1
            name = f"Made by {number}, {tries}"
            if pair.create(name, number) == 200:
                made.append(name)

    def scan() -> int:
        answered = 0
        while not done:
            answered += pair.scan(path) == 302
        return answered

    with ThreadPoolExecutor(6) as people:
        try:
            makers: list[Future[None]] = [people.submit(create_codes, number) for number in range(3)]
            scanners = [people.submit(scan) for _ in range(3)]
            until(lambda: len(made) >= 15, pair)
            pair.first.stop("immediate")
            promised = list(made)
            pair.standby.promote()
            until(lambda: len(made) >= len(promised) + 15, pair)
        finally:
            done = True
        for maker in makers:
            maker.result()
        answered = [scanner.result() for scanner in scanners]
    assert set(made) <= pair.names(pair.standby)
    # during the switch, guests are answered where the database can be read, and visits are queued
    until(lambda: pair.service.api(pair.keys[0], "svc_qr_stats", id=code["id"])["total"] >= sum(answered), pair)


def address(cluster: Cluster) -> str:
    return cluster.url.replace("/postgres", "/service")


def until(true: Callable[[], bool], pair: Pair) -> None:
    deadline = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < deadline, pair.service.log[-3000:]
        time.sleep(0.05)
