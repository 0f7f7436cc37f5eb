"""Tools that show the progress of a job and stop it."""

from __future__ import annotations

from typing import Annotated, NotRequired

from django.conf import settings
from pydantic import Field
from typing_extensions import TypedDict

from workspace.accounts.account_tools import box
from workspace.accounts.models import Account
from workspace.accounts.permissions import SHARED
from workspace.delivery import jobs
from workspace.delivery.models import Job, JobState
from workspace.lib import clock
from workspace.lib.errors import OperationNotAllowedError
from workspace.lib.text import escape_markdown
from workspace.storage import journal
from workspace.tools.answer import Answer
from workspace.tools.argument_types import Id

MAX_FAULTS = 100

JobId = Annotated[Id, Field(description="A job's id, as the tool that began it answers")]


class FaultData(TypedDict):
    number: Annotated[int, Field(description="The item's place, from 1")]
    name: str
    message: str


class JobFileData(TypedDict):
    name: str
    media_type: str
    size: Annotated[int, Field(description="In bytes")]
    url: Annotated[str, Field(description="Opens for who is signed in to the account, or with its API key")]
    expires_at: str


class JobData(TypedDict):
    job_id: str
    title: str
    items: Annotated[str, Field(description="What the items are, in the plural")]
    state: Annotated[str, Field(description="waiting, working, done, stopped or failed")]
    total: int
    done: Annotated[int, Field(description="How many items are through, those with a fault included")]
    faulty: Annotated[int, Field(description="How many of them could not be done")]
    faults: Annotated[list[FaultData], Field(description=f"The first {MAX_FAULTS}, in order")]
    url: Annotated[str, Field(description="The owner's page of the job")]
    started_at: str
    ended_at: NotRequired[str]
    problem: NotRequired[str]
    found: NotRequired[Annotated[str, Field(description="What it has found so far")]]
    file: NotRequired[JobFileData]


def file_url(job: Job) -> str:
    return f"{settings.BASE_URL}/files/{job.pk}"


def page_url(job: Job) -> str:
    return f"{settings.BASE_URL}/app/jobs/{job.pk}"


def job_data(job: Job) -> JobData:
    data: JobData = {
        "job_id": job.pk,
        "title": job.title,
        "items": job.noun,
        "state": job.display_state,
        "total": job.total,
        "done": job.done,
        "faulty": job.failed_count,
        "faults": [
            {"number": one.place + 1, "name": one.name, "message": one.fault}
            for one in (jobs.list_faults(job, MAX_FAULTS) if job.failed_count else [])
        ],
        "url": page_url(job),
        "started_at": clock.to_iso(job.created_at) or "",
    }
    if job.ended_at:
        data["ended_at"] = clock.to_iso(job.ended_at) or ""
    if job.state == JobState.FAILED and job.last_error:
        data["problem"] = job.last_error
    if found := jobs.describe_findings(job):
        data["found"] = found
    if job.file_name:
        data["file"] = {
            "name": job.file_name,
            "media_type": job.file_type,
            "size": job.file_size,
            "url": file_url(job),
            "expires_at": clock.to_iso(job.expires_at) or "",
        }
    return data


def format_job(data: JobData) -> str:
    """Return the data of a job as Markdown."""
    lines = [
        f"**{escape_markdown(data['title'])}**: {data['state']}, {data['done']} of {data['total']} {data['items']}",
        f"- job: `{data['job_id']}`, see {data['url']}",
        f"- begun: {data['started_at']}" + (f", ended: {data['ended_at']}" if "ended_at" in data else ""),
    ]
    if data["faulty"]:
        lines.append(f"- could not be done: {data['faulty']}")
        lines += [f"  - {one['number']}. {_safe(one['name'])}: {_safe(one['message'])}" for one in data["faults"]]
        if data["faulty"] > len(data["faults"]):
            lines.append(f"  - and {data['faulty'] - len(data['faults'])} more")
    if "problem" in data:
        lines.append(f"- problem: {_safe(data['problem'])}")
    if "found" in data:
        lines.append(f"- {data['found']}")
    if "file" in data:
        file = data["file"]
        lines.append(
            f"- file: {_safe(file['name'])} ({file['media_type']}, {file['size']} bytes) at {file['url']}, "
            f"until {file['expires_at']}"
        )
    return "\n".join([*lines, "", _format_next_step(data)])


def _format_next_step(data: JobData) -> str:
    if data["state"] in (JobState.WAITING, JobState.WORKING):
        return "It goes on by itself: ask again in a while."
    if data["state"] == JobState.STOPPED:
        return "It was stopped. What was done stays; taking the stop back lets it go on with what is left."
    if data["state"] == JobState.FAILED:
        return "What was done stays."
    if data["faulty"]:
        return "Mend what could not be done and send only that again."
    return "It is done."


_safe = escape_markdown


@box.tool("svc_jobs_get", title="How a job comes along", reads=True, area=SHARED)
def get(account: Account, job_id: JobId) -> Answer[JobData]:
    """How far a job is: what is done, what could not be and why, and its file once it is over.
    It is kept for a week."""
    data = job_data(jobs.get_job(account, job_id))
    return Answer(data, format_job(data))


@box.tool("svc_jobs_stop", title="Stop a job", area=SHARED)
def stop(account: Account, job_id: JobId) -> Answer[JobData]:
    """Stop a job that is waiting or working. What it has done stays; taken back, it goes on where it stopped."""
    job = jobs.get_job(account, job_id, to_change=True)
    if not job.stop():
        raise OperationNotAllowedError(f"This job is over already: {job.state}")
    journal.record_field_changes(job, {"state": (JobState.WAITING.value, JobState.STOPPED.value)})
    data = job_data(job)
    return Answer(data, format_job(data))
