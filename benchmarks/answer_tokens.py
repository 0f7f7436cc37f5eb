"""The cost, in tokens, of the answers in an assistant's whole job: answer_tokens.py [file].

`workspace/testing/job_replay.py` describes jobs. `tests/across/test_assistant_jobs.py` has their budgets.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

os.environ.update(WORKSPACE_DATA=tempfile.mkdtemp(prefix="workspace-bench-"), WORKSPACE_BACKGROUND_WORKER="off")
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "workspace.settings")

import django

django.setup()

from django.core.management import call_command

from workspace.accounts.dispatch import Caller
from workspace.testing.api import make_account
from workspace.testing.job_replay import JobReplay, load_job

JOB = Path(__file__).parent.parent / "tests" / "across" / "jobs" / "wedding.json"


def main() -> None:
    """Print the tokens of each answer, and of all together."""
    call_command("migrate", verbosity=0)
    replay = JobReplay(Caller(account=make_account(time_zone="Europe/Berlin"), bucket="key:bench", channel="mcp"))
    total = 0
    for call in load_job(Path(sys.argv[1]) if len(sys.argv) > 1 else JOB):
        tokens = replay.run_call(call)
        total += tokens
        print(f"{tokens:>7,} {call['tool']}")
    print(f"{total:>7,} in all")


if __name__ == "__main__":
    main()
