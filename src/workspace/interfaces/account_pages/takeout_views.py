"""Taking everything along, and bringing it back: both begin a job, whose page shows how it comes along."""

from __future__ import annotations

from django.conf import settings
from django.contrib import messages
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from workspace.accounts.dispatch import perform
from workspace.accounts.takeout import chunked_upload
from workspace.dashboard.session import SignedInRequest
from workspace.delivery.models import Job
from workspace.interfaces.account_pages.owner_only import by_owner
from workspace.lib.errors import Conflict, Refusal
from workspace.publishing.account_lifecycle import takeout_jobs, takeout_tools
from workspace.storage.files.images import MAX_BYTES

RECENT = 5


@by_owner
def along(request: SignedInRequest) -> HttpResponse:
    try:
        takeout_jobs.check_empty(request.account)
        why_not = ""
    except Conflict as refusal:
        why_not = refusal.message
    recent = request.account.jobs.filter(kind__in=[takeout_jobs.PACKING, takeout_jobs.BRINGING]).order_by("-created_at")
    page = {"why_not": why_not, "recent": [_line(job) for job in recent[:RECENT]], "piece": MAX_BYTES // 2}
    return render(request, "account_pages/along.html", page)


@require_POST
@by_owner
def pack(request: SignedInRequest) -> HttpResponse:
    try:
        told = perform(takeout_tools.export, request.caller, {}).data
    except Refusal as refusal:
        messages.error(request, refusal.message)
        return redirect("along")
    messages.success(request, "It is being packed.")
    return redirect(f"/app/jobs/{told['job_id']}")


@require_POST
@by_owner
def bring(request: SignedInRequest) -> HttpResponse:
    """A ZIP in one request where it is small enough and no script runs, else one that came in pieces."""
    try:
        id = request.POST.get("upload_id", "")
        if not id:
            file = request.FILES.get("file")
            if file is None:
                messages.error(request, "Choose the .zip that “Take along” made.")
                return redirect("along")
            id = chunked_upload.begin(request.account, file.name or "everything.zip", file.read()).pk
        told = perform(takeout_tools.bring, request.caller, {"upload_id": id}).data
    except Refusal as refusal:
        messages.error(request, refusal.message)
        return redirect("along")
    messages.success(request, "It is being looked at.")
    return redirect(f"/app/jobs/{told['job_id']}")


@require_POST
@by_owner
def piece(request: SignedInRequest) -> HttpResponse:
    """For the script: one piece, and where to go on."""
    file, id, at = request.FILES.get("file"), request.POST.get("onto", ""), request.POST.get("at", "0")
    if file is None or not (at.isascii() and at.isdigit() and len(at) < 16):
        return JsonResponse({"message": "Something is missing"}, status=400)
    try:
        if id:
            upload = chunked_upload.go_on(request.account, id, int(at), file.read())
        else:
            upload = chunked_upload.begin(request.account, file.name or "everything.zip", file.read())
    except Refusal as refusal:
        return JsonResponse({"message": refusal.message}, status=409)
    return JsonResponse({"upload_id": upload.pk, "at": upload.size})


def _line(job: Job) -> dict[str, object]:
    return {
        "title": job.title,
        "state": job.shown_state,
        "at": job.created_at,
        "page": f"/app/jobs/{job.pk}",
        "file": f"{settings.BASE_URL}/files/{job.pk}" if job.file_name and job.kind == takeout_jobs.PACKING else "",
    }
