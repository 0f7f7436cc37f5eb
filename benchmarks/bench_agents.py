"""Detecting bots and devices by unknown user agents, compared with hashing as many characters."""

from __future__ import annotations

import hashlib
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict

os.environ.update(WORKSPACE_DATA=tempfile.mkdtemp(prefix="workspace-bench-"), WORKSPACE_BACKGROUND_WORKER="off")
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "workspace.settings")

import django

django.setup()

from table import Row, markdown

from workspace.analytics.bots import is_bot
from workspace.analytics.devices import detect_device
from workspace.testing.hostile_user_agents import generate_hostile_agents


def spent(agents: list[str], work: Callable[[str], object]) -> list[float]:
    """Return the processor seconds that each took, sorted."""
    taken = []
    for agent in agents:
        began = time.thread_time()
        work(agent)
        taken.append(time.thread_time() - began)
    return sorted(taken)


def measure() -> list[Row]:
    agents = list(dict.fromkeys(generate_hostile_agents()))
    is_bot("Mozilla/5.0", {})
    detect_device("Mozilla/5.0")
    floor = spent(agents, lambda agent: hashlib.sha256(agent[:200].encode()).digest())
    told = spent(agents, lambda agent: (is_bot(agent, {}), detect_device(agent)))
    middle, worst = told[len(told) // 2] * 1e6, told[-1] * 1e6
    ratio = sum(floor) / sum(told)
    return [Row("hostile user agents", f"{middle:.0f} µs", f"{floor[len(floor) // 2] * 1e6:.1f} µs", ratio,
                note=f"{len(agents)} of them, the worst {worst:.0f} µs; beside hashing them")]  # fmt: skip


if __name__ == "__main__":
    rows = measure()
    print(json.dumps({"rows": [asdict(row) for row in rows]}) if "--json" in sys.argv else markdown(rows))
