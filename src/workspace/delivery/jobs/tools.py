"""Tools that show the progress of a job and stop it."""

from __future__ import annotations

from typing import Annotated, NotRequired

from django.conf import settings
from pydantic import Field
from typing_extensions import TypedDict

from workspace.accounts.account_tools import box
from workspace.accounts.models import Account
from workspace.accounts.permissions import SHARED
from workspace.delivery import jobs, messages
from workspace.delivery.models import Job, JobState
from workspace.lib import clock
from workspace.lib.errors import OperationNotAllowedError
from workspace.lib.text import escape_markdown
from workspace.storage import journal
from workspace.tools.answer import Answer
from workspace.tools.argument_types import Id

MAX_FAULTS = 100

JobId = Annotated[Id, Field(description="Job ID returned by the tool that started the job.")]


class FaultData(TypedDict):
    number: Annotated[int, Field(description="Position of the item, from 1.")]
    name: str
    message: str


class JobFileData(TypedDict):
    name: str
    media_type: str
    size: Annotated[int, Field(description="Size in bytes.")]
    url: Annotated[str, Field(description="URL that requires a session or API key of the account.")]
    expires_at: str


class JobData(TypedDict):
    job_id: str
    title: str
    items: Annotated[str, Field(description="Plural name of the items.")]
    state: Annotated[str, Field(description="waiting, working, done, stopped or failed.")]
    total: int
    done: Annotated[int, Field(description="Number of processed items, including failed ones.")]
    faulty: Annotated[int, Field(description="Number of failed items.")]
    faults: Annotated[list[FaultData], Field(description=f"The first {MAX_FAULTS}, in order")]
    url: Annotated[str, Field(description="Page of the job in the dashboard.")]
    started_at: str
    ended_at: NotRequired[str]
    problem: NotRequired[str]
    found: NotRequired[Annotated[str, Field(description="Result so far.")]]
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
    """Format the data of a job as Markdown."""
    lines = [
        f"**{escape_markdown(data['title'])}**: {data['state']}, {data['done']} of {data['total']} {data['items']}",
        f"- job: `{data['job_id']}`, {data['url']}",
        f"- started: {data['started_at']}" + (f", ended: {data['ended_at']}" if "ended_at" in data else ""),
    ]
    if data["faulty"]:
        lines.append(f"- failed: {data['faulty']}")
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
        return "It continues in the background. Check again later."
    if data["state"] == JobState.STOPPED:
        return "Stopped. Finished items are kept. Undo the stop to continue with the rest."
    if data["state"] == JobState.FAILED:
        return "Finished items are kept."
    if data["faulty"]:
        return "Correct the failed items and send only those again."
    return "Finished."


_safe = escape_markdown


@box.tool(
    "svc_jobs_get",
    title="Get job progress",
    about="Get the progress of a background job: completed items, failed items with reasons, and the result file "
    "when the job is finished. Jobs are kept for 7 days.",
    short="Get the progress and result of a background job.",
    synonyms="task status, is it done, is my export ready, finished yet, background task, fortschritt, "
    "hintergrundaufgabe, ist der export fertig, progreso, tarea, estado de la exportación, has the "
    "import finished, how far is it",
    reads=True,
    area=SHARED,
)
def get(account: Account, job_id: JobId) -> Answer[JobData]:
    data = job_data(jobs.get_job(account, job_id))
    return Answer(data, format_job(data))


@box.tool(
    "svc_jobs_stop",
    title="Stop a job",
    about="Stop a background job that is waiting or running. Completed items stay as they are. To resume the job, "
    "use svc_undo.",
    short="Stop a waiting or running background job.",
    synonyms="abort, cancel job, cancel task, kill, halt, abbrechen, auftrag stoppen, anhalten, detener, parar, "
    "cancelar tarea",
    area=SHARED,
)
def stop(account: Account, job_id: JobId) -> Answer[JobData]:
    job = jobs.get_job(account, job_id, to_change=True)
    if not job.stop():
        raise OperationNotAllowedError(messages.JOB_IS_OVER(state=job.state))
    journal.record_field_changes(job, {"state": (JobState.WAITING.value, JobState.STOPPED.value)})
    data = job_data(job)
    return Answer(data, format_job(data))
