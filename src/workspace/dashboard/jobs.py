"""How a job comes along: a page of its own, and the part that a product's page may include:

    {% include "dashboard/parts/job.html" with job=job %}   where `job` is the data of `svc_jobs_get`

The part asks for itself again while the job goes on; without script a link does.
"""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from workspace.accounts.tools import tools
from workspace.dashboard.forms import tool_named
from workspace.dashboard.session import SignedInRequest, redirect_whole
from workspace.dashboard.tool_pages import call, pages
from workspace.delivery import job_tools  # noqa: F401 - it fills the box

GET = tool_named(tools, "svc_jobs_get")
STOP = tool_named(tools, "svc_jobs_stop")


def _page_of(request: HttpRequest) -> str:
    return "/".join(request.path.split("/")[:4])


_page = pages(home="/app", ids=("job_id",), above=_page_of)


@_page()
def page(request: SignedInRequest, id: str) -> HttpResponse:
    return render(request, "dashboard/job.html", {"job": call(request, GET, job_id=id)})


@_page()
def progress(request: SignedInRequest, id: str) -> HttpResponse:
    return render(request, "dashboard/parts/job.html", {"job": call(request, GET, job_id=id)})


@_page("POST")
def stop(request: SignedInRequest, id: str) -> HttpResponse:
    call(request, STOP, job_id=id)
    messages.success(request, "Stopped. What was done stays.")
    return redirect_whole(request, f"/app/jobs/{id}")
