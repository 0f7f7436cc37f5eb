"""An AI assistant does the jobs of a salon, a wedding, a gym and a freelancer in few calls and with short answers."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from workspace.accounts.dispatch import Caller
from workspace.accounts.models import Account
from workspace.testing.api import make_account
from workspace.testing.job_replay import JobReplay, load_job

JOBS = Path(__file__).parent / "jobs"
NOW = datetime(2026, 11, 24, 9, tzinfo=UTC)
# job: calls, and tokens of all answers
BUDGETS = {"salon": (20, 20_000), "wedding": (18, 60_000), "gym": (16, 20_000), "freelancer": (16, 12_000)}


@pytest.fixture
def account(db: None, time_machine: Any) -> Account:
    time_machine.move_to(NOW)
    return make_account(time_zone="Europe/Berlin")


@pytest.mark.parametrize("job", BUDGETS)
def test_a_job_stays_within_its_calls_and_tokens(job: str, account: Account) -> None:
    calls = load_job(JOBS / f"{job}.json")
    most_calls, most_tokens = BUDGETS[job]
    assert len(calls) <= most_calls
    replay = JobReplay(Caller(account=account, bucket="key:job", channel="mcp"))
    assert replay.run(calls) <= most_tokens
