"""Many guests arrive at once after a start, and the threads must not all build the same data."""

from __future__ import annotations

import http.client
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest
from django.conf import settings
from django.template.loader import get_template

from workspace.interfaces.warmup import list_guest_templates, list_templates
from workspace.testing.service import Service, running_service


@pytest.fixture(scope="module")
def service() -> Iterator[Service]:
    """Run a service that this module restarts."""
    with running_service() as running:
        yield running


def test_every_template_can_be_loaded() -> None:
    names = list_templates().keys()
    assert {"dashboard/page.html", "mail/frame.html"} < names
    for name in names:
        get_template(name)


def test_only_guest_templates_are_loaded_at_the_start() -> None:
    names = list_guest_templates()
    assert {"public/page.html", "public/parts/field.html", "menu/guest.html", "menu/parts/dishes.html"} < names
    assert not {name for name in names if name.startswith(("dashboard/", "account_pages/", "mail/"))}


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="there is no /proc to read a process's memory from")
def test_the_first_guests_do_not_exhaust_the_memory(service: Service) -> None:
    made = service.api(service.account()["api_key"], "svc_qr_create", name="Poster", target_url="example.com")
    path = "/" + made["public_url"].split("/", 3)[3]
    service.stop()
    service.start()
    before = memory(service)
    together = Barrier(settings.THREADS)

    def scan(number: int) -> int:
        connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=60)
        together.wait(60)
        connection.request("GET", path, headers={"User-Agent": f"Mozilla/5.0 (iPhone; CPU iPhone OS 17_{number} like)"})
        status = connection.getresponse().status
        connection.close()
        return status

    with ThreadPoolExecutor(settings.THREADS) as guests:
        assert set(guests.map(scan, range(settings.THREADS))) == {302}
    # the lists of bots and devices alone took 25 MB for each thread
    assert memory(service) - before < 100


def memory(service: Service) -> float:
    """Return the memory in MB of the server and its worker."""
    assert service.process is not None
    parent = service.process.pid
    family = [parent, *map(int, Path(f"/proc/{parent}/task/{parent}/children").read_text().split())]
    return sum(_resident(pid) for pid in family)


def _resident(pid: int) -> float:
    lines = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines())
    return int(lines["VmRSS"].split()[0]) / 1024
