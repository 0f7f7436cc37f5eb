"""Local times follow the pinned tzdata, independent of the machine's files, in every process and on every database.

Two zones whose rules changed in 2026 show that: Vancouver stays on summer time (UTC-7) all year, and Casablanca has
returned to UTC. The services here run on a machine whose files define both as Tokyo.
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
from workspace.testing.samples.card import make_card, submit_lead
from workspace.testing.service import ROOT, Service

pytestmark = pytest.mark.any_database


NOON_UTC = {"America/Vancouver": "2040-01-15T19:00:00Z", "Africa/Casablanca": "2040-01-15T12:00:00Z"}


@pytest.fixture(scope="module")
def old_machine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a machine's zone folder with old rules for both."""
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
def test_a_local_time_from_an_owner_is_parsed_by_the_pinned_rules(zone: str, service: Service) -> None:
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
def test_no_process_reads_a_time_zone_of_the_machine(module: str, old_machine: Path, tmp_path: Path) -> None:
    """Check this even after a library has loaded a zone."""
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
        ("America/Vancouver", "2027-01-16T07:30", "2027-01-16"),  # 00:30; an hour earlier by the old rules
        ("America/Vancouver", "2027-01-16T06:30", "2027-01-15"),
        ("Africa/Casablanca", "2027-01-15T23:30", "2027-01-15"),  # an hour later by the old rules
        ("Africa/Casablanca", "2027-01-16T00:30", "2027-01-16"),
    ],
)
def test_a_lead_is_counted_on_the_day_in_the_accounts_time_zone(zone: str, at: str, day: str, api: Api) -> None:
    api.account.time_zone = zone
    api.account.save()
    card: dict[str, Any] = make_card(api)
    moment = datetime.fromisoformat(at).replace(tzinfo=UTC)
    Lead.objects.filter(pk=submit_lead(card["id"])).update(created_at=moment)
    with time_machine.travel(datetime(2027, 1, 17, 12, tzinfo=UTC)):
        stats = api.run("svc_card_stats", card_id=card["id"], days=7)
    assert {row["date"]: row["leads"] for row in stats["by_day"] if row["leads"]} == {day: 1}
    assert stats["leads_in_days"] == 1
