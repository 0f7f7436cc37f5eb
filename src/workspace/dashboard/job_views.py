"""The progress of a job: its page, and the part that a product's page can include.

    {% include "dashboard/parts/job.html" with job=job %}   where `job` is the data of `svc_jobs_get`

The part reloads itself while the job runs. Without script, people use a link.
"""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext

from workspace.dashboard.session import SignedInRequest, redirect_full_page
from workspace.dashboard.tool_views import build_page_decorator, call_tool
from workspace.delivery.jobs import tools


def _job_url(request: HttpRequest) -> str:
    return "/".join(request.path.split("/")[:4])


_job_page = build_page_decorator(list_path="/app", id_arguments=("job_id",), find_parent_url=_job_url)


@_job_page()
def job(request: SignedInRequest, id: str) -> HttpResponse:
    return render(request, "dashboard/job.html", {"job": call_tool(request, tools.get, job_id=id)})


@_job_page()
def progress(request: SignedInRequest, id: str) -> HttpResponse:
    return render(request, "dashboard/parts/job.html", {"job": call_tool(request, tools.get, job_id=id)})


@_job_page("POST")
def stop(request: SignedInRequest, id: str) -> HttpResponse:
    call_tool(request, tools.stop, job_id=id)
    messages.success(request, gettext("Job stopped. Completed items are kept."))
    return redirect_full_page(request, f"/app/jobs/{id}")
