"""`/files/ID`: the account's own files, for who is signed in to it or sends its key, and for nobody else."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_safe

from workspace.accounts.door import take_call
from workspace.accounts.models import Account
from workspace.accounts.models.upload import FILE
from workspace.dashboard.session import SignedInRequest, signed_in
from workspace.delivery import jobs
from workspace.delivery.jobs import File
from workspace.interfaces import callers
from workspace.interfaces.rest.replies import faced
from workspace.toolkit.errors import NotFound

GONE = "There is no such file, or its time is up"


@require_safe
def download(request: HttpRequest, id: str) -> HttpResponse:
    if "Authorization" in request.headers:
        return _for_key(request, id)
    return _for_person(request, id)


def _for_key(request: HttpRequest, id: str) -> HttpResponse:
    @faced
    def answer(request: HttpRequest) -> HttpResponse:
        caller = callers.caller_of(request.headers["Authorization"])
        take_call(caller)
        return as_attachment(_find(caller.account, id))

    return answer(request)


@signed_in
def _for_person(request: SignedInRequest, id: str) -> HttpResponse:
    try:
        return as_attachment(_find(request.account, id))
    except NotFound as missing:
        raise Http404(missing.message) from None


def _find(account: Account, id: str) -> File:
    """Raises NotFound."""
    if not id.isprintable():
        raise NotFound(GONE)
    try:
        if job := account.jobs.filter(pk=id).exclude(file_name="").first():
            return jobs.file_of(job)
        if upload := account.uploads.filter(pk=id, kind=FILE).first():
            return File(upload.name, upload.media_type, upload.content)
    except FileNotFoundError:
        pass
    raise NotFound(GONE)


def as_attachment(file: File) -> HttpResponse:
    """Saved rather than shown: whatever is in it can do nothing on our origin."""
    response = HttpResponse(file.content, content_type=file.media_type)
    response.headers["Content-Disposition"] = content_disposition_header(True, file.name) or "attachment"
    response.headers["Content-Security-Policy"] = "default-src 'none'; sandbox"
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["Cache-Control"] = "private, no-store"
    return response
