"""What the tests across all tools need to know of jobs."""

from __future__ import annotations

from typing import Any

from workspace.delivery import jobs
from workspace.delivery.tests import working
from workspace.testing import Api

SAMPLES = {
    "svc_jobs_get": lambda made: {"job_id": made["job"]},
    "svc_jobs_stop": lambda made: {"job_id": made["job"]},
}
LISTS: dict[str, Any] = {}


def make(api: Api) -> dict[str, str]:
    return {"job": jobs.start(api.account, "tests.no_file", working.letters(2)).pk}
