"""Export and import of an account. Both start a job, whose page shows the progress."""

from __future__ import annotations

from django.conf import settings
from django.contrib import messages
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from workspace.accounts.dispatch import execute_tool
from workspace.accounts.takeout import chunked_upload
from workspace.dashboard.session import SignedInRequest
from workspace.delivery.models import Job
from workspace.interfaces.account_pages.owner_requirement import require_owner
from workspace.lib.errors import ConflictError, ToolError
from workspace.owner_translation import owner_gettext
from workspace.publishing.account_lifecycle import takeout_jobs, takeout_tools
from workspace.storage.files.images import MAX_BYTES

MAX_RECENT_JOBS = 5


@require_owner
def takeout(request: SignedInRequest) -> HttpResponse:
    try:
        takeout_jobs.check_account_empty(request.account)
        why_not = ""
    except ConflictError as refusal:
        why_not = refusal.message
    recent = request.account.jobs.filter(kind__in=[takeout_jobs.EXPORT_KIND, takeout_jobs.IMPORT_KIND]).order_by(
        "-created_at"
    )
    page = {
        "why_not": why_not,
        "recent": [_present_job(job) for job in recent[:MAX_RECENT_JOBS]],
        "piece": MAX_BYTES // 2,
    }
    return render(request, "account_pages/takeout.html", page)


@require_POST
@require_owner
def export_account(request: SignedInRequest) -> HttpResponse:
    try:
        export_job = execute_tool(takeout_tools.export, request.caller, {}).data
    except ToolError as refusal:
        messages.error(request, refusal.message)
        return redirect("takeout")
    messages.success(request, owner_gettext("Export started."))
    return redirect(f"/app/jobs/{export_job['job_id']}")


@require_POST
@require_owner
def import_account(request: SignedInRequest) -> HttpResponse:
    """Import a ZIP that was sent in one request or in chunks.

    The script sends chunks. Without scripts, the ZIP must be small enough for one request.
    """
    try:
        id = request.POST.get("upload_id", "")
        if not id:
            file = request.FILES.get("file")
            if file is None:
                messages.error(request, owner_gettext("Choose a .zip file exported from Workspace Tools."))
                return redirect("takeout")
            id = chunked_upload.start_upload(request.account, file.name or "everything.zip", file.read()).pk
        import_job = execute_tool(takeout_tools.import_account, request.caller, {"upload_id": id}).data
    except ToolError as refusal:
        messages.error(request, refusal.message)
        return redirect("takeout")
    messages.success(request, owner_gettext("Import started. We’re checking the file."))
    return redirect(f"/app/jobs/{import_job['job_id']}")


@require_POST
@require_owner
def upload_chunk(request: SignedInRequest) -> HttpResponse:
    """Store a chunk sent by the script, and return the next position."""
    file, id, at = request.FILES.get("file"), request.POST.get("onto", ""), request.POST.get("at", "0")
    if file is None or not (at.isascii() and at.isdigit() and len(at) < 16):
        return JsonResponse({"message": owner_gettext("Part of the file is missing. Try again.")}, status=400)
    try:
        if id:
            upload = chunked_upload.append_chunk(request.account, id, int(at), file.read())
        else:
            upload = chunked_upload.start_upload(request.account, file.name or "everything.zip", file.read())
    except ToolError as refusal:
        return JsonResponse({"message": refusal.message}, status=409)
    return JsonResponse({"upload_id": upload.pk, "at": upload.size})


def _present_job(job: Job) -> dict[str, object]:
    return {
        "title": job.title,
        "state": job.display_state,
        "at": job.created_at,
        "page": f"/app/jobs/{job.pk}",
        "file": f"{settings.BASE_URL}/files/{job.pk}" if job.file_name and job.kind == takeout_jobs.EXPORT_KIND else "",
    }
