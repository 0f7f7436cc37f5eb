"""Local times are those of the locked tzdata, whatever files the machine has, in every process and on every database.

Two places show it, whose rules changed in 2026: Vancouver keeps summer time (UTC-7) all year, and Casablanca has gone
back to UTC. The services here run on a machine whose files still know both as Tokyo.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
import time_machine

from workspace.products.card.models import Lead
from workspace.testing.api import Api
from workspace.testing.samples.card import leave, make_card
from workspace.testing.service import ROOT, Service

pytestmark = pytest.mark.any_database


NOON_UTC = {"America/Vancouver": "2040-01-15T19:00:00Z", "Africa/Casablanca": "2040-01-15T12:00:00Z"}


@pytest.fixture(scope="module")
def old_machine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A machine's folder of zones with old rules for both."""
    folder = tmp_path_factory.mktemp("zoneinfo")
    for name in NOON_UTC:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes((files("tzdata") / "zoneinfo" / "Asia" / "Tokyo").read_bytes())
    return folder


@pytest.fixture(scope="module")
def service(old_machine: Path) -> Iterator[Service]:
    running = Service(PYTHONTZPATH=str(old_machine))
    running.migrate()
    running.start()
    try:
        yield running
    finally:
        running.stop()
        shutil.rmtree(running.folder, ignore_errors=True)


@pytest.mark.parametrize("zone", NOON_UTC)
def test_a_local_time_that_an_owner_gives_is_read_by_the_locked_rules(zone: str, service: Service) -> None:
    email = f"{zone.lower().replace('/', '-')}@example.com"
    key = service.account(email, "--time-zone", zone)["api_key"]
    made = service.api(key, "svc_qr_create", name="Poster", target_url="example.com")
    code = service.api(key, "svc_qr_edit", id=made["id"], expires_at="2040-01-15T12:00")
    assert code["expires_at"] == NOON_UTC[zone]


@pytest.mark.parametrize(
    "module",
    [
        "workspace.asgi",
        "workspace.settings",
        "workspace.interfaces.admin_cli.__main__",
        "workspace.interfaces.server.__main__",
        "workspace.testing.environment",
    ],
)
def test_whatever_is_started_no_zone_of_the_machine_is_read(module: str, old_machine: Path, tmp_path: Path) -> None:
    """Also where a library has read a zone before us."""
    code = (
        f"import django.utils.timezone, zoneinfo; zoneinfo.ZoneInfo('America/Vancouver'); import {module}\n"
        "from datetime import datetime; noon = datetime(2027, 1, 15, 12)\n"
        f"print([str(noon.replace(tzinfo=zoneinfo.ZoneInfo(name)).utcoffset()) for name in {list(NOON_UTC)}])"
    )
    env = {**os.environ, "PYTHONTZPATH": str(old_machine), "WORKSPACE_DATA": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", code], env=env, cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.stdout.strip() == "['-1 day, 17:00:00', '0:00:00']", done.stderr


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("zone", "at", "day"),
    [
        ("America/Vancouver", "2027-01-16T07:30", "2027-01-16"),  # half past midnight; an hour less by the old rules
        ("America/Vancouver", "2027-01-16T06:30", "2027-01-15"),
        ("Africa/Casablanca", "2027-01-15T23:30", "2027-01-15"),  # and here an hour more
        ("Africa/Casablanca", "2027-01-16T00:30", "2027-01-16"),
    ],
)
def test_a_lead_is_counted_on_the_accounts_day(zone: str, at: str, day: str, api: Api) -> None:
    api.account.time_zone = zone
    api.account.save()
    card: dict[str, Any] = make_card(api)
    moment = datetime.fromisoformat(at).replace(tzinfo=UTC)
    Lead.objects.filter(pk=leave(card["id"])).update(created_at=moment)
    with time_machine.travel(datetime(2027, 1, 17, 12, tzinfo=UTC)):
        stats = api.run("svc_card_stats", card_id=card["id"], days=7)
    assert {row["date"]: row["leads"] for row in stats["by_day"] if row["leads"]} == {day: 1}
    assert stats["leads_in_days"] == 1
