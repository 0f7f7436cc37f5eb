"""Descriptions of changes on the activity page do not mention tools."""

from __future__ import annotations

import pytest

from workspace.accounts.change_log import first_line


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        (
            "The search for seats has begun. svc_jobs_get job_id=job_1 tells the best so far; "
            "svc_seat_arrange apply_job_id=job_1 seats them.",
            "The search for seats has begun.",
        ),
        ("Began to make 300 QR codes. svc_jobs_get tells how it comes along: `job_1`.", "Began to make 300 QR codes."),
        ("5 responses are being written as csv: svc_jobs_get with job_id `job_1` has the file.",
         "5 responses are being written as csv"),
        ("Created proposal 3: Wedding: the lunch", "Created proposal 3: Wedding: the lunch"),
        ("svc_jobs_get tells more", ""),
    ],
)  # fmt: skip
def test_a_summary_mentions_no_tool(answer: str, text: str) -> None:
    assert first_line(f"{answer}\n\nMore of it") == text
    assert first_line(text) == text, "what was stored before is read the same way"
