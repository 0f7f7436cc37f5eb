"""The benchmarks run and have full coverage. Their results are judged by people."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from workspace.testing.service import ROOT

IS_POSTGRESQL = bool(os.environ.get("WORKSPACE_TEST_DATABASE_URL"))
CALLS = [  # one of each kind
    "svc_waiver_check",
    "svc_booking_cancel",
    "a review",
    "a signed waiver",
    "a guest’s booking",
    "seating plan",
    "first view of a guest: menu",
]
PATIENCE = 600  # seconds until a benchmark counts as hanging, also on a busy machine


@pytest.mark.slow
def test_every_benchmark_runs_and_writes_one_table_and_one_plot(tmp_path: Path) -> None:
    base = "PostgreSQL" if IS_POSTGRESQL else "SQLite"
    parts = ["traffic", "growth"] if IS_POSTGRESQL else []
    folder = tmp_path / "figures"
    if not IS_POSTGRESQL:
        folder.mkdir()
        (folder / "results.md").write_text("# Results\n\n## Agents\n\nbefore\n\n## Footprint on SQLite\n\nkept\n")
    command = [sys.executable, "benchmarks/run.py", "--short", "--on", base, "--to", str(folder), *parts]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-5000:]
    results = (folder / "results.md").read_text()
    titles = [line for line in results.splitlines() if line.startswith("## ")]
    assert titles[:2] == [f"## Traffic on {base}", f"## Growth on {base}"]
    assert titles[2:] == (
        []
        if IS_POSTGRESQL
        else [
            "## Forms on SQLite",
            "## Booking on SQLite",
            "## Footprint on SQLite",
            "## Calls",
            "## Rush",
            "## Hostile",
            "## Bridge",
            "## Seating",
            "## Agents",
        ]
    )
    assert ("kept" in results) is not IS_POSTGRESQL
    assert "before" not in results
    covered = [
        "scan, 64",
        "page, unchanged",
        "svc_qr_stats by REST",
        "svc_qr_create",
        "tools/list",
        "svc_qr_list by MCP",
        *([] if IS_POSTGRESQL else CALLS),
    ]
    assert [what for what in covered if f"| {what}" not in results] == []
    plot = ElementTree.parse(folder / "growth.svg")
    assert len(plot.findall("{http://www.w3.org/2000/svg}polyline")) == 3


@pytest.mark.skipif(IS_POSTGRESQL, reason="no database takes part")
def test_an_unknown_part_is_reported(tmp_path: Path) -> None:
    command = [sys.executable, "benchmarks/run.py", "speed", "--to", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 2
    assert "there is no part speed: choose from traffic" in done.stderr
