"""`/files/ID` (a job's file, an upload, what a product keeps) and `/files/PRODUCT/VERB?…` for what a tool makes at that
moment, an export or a poster: the account's own files, for who is signed in to it or sends its key, and for nobody
else."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import cast
from urllib.parse import urlsplit

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.utils.http import content_disposition_header, url_has_allowed_host_and_scheme
from django.views.decorators.http import require_safe

from workspace.accounts import permissions
from workspace.accounts.dispatch import Caller, perform, take_call
from workspace.accounts.models import Account
from workspace.accounts.models.upload import FILE
from workspace.accounts.permissions import WHOLE
from workspace.dashboard import onboarding
from workspace.dashboard.session import SignedInRequest, redirect_whole, signed_in
from workspace.delivery import jobs
from workspace.interfaces import authentication
from workspace.interfaces.rest.responses import faced
from workspace.interfaces.tool_catalog import CATALOGUE
from workspace.lib.errors import InvalidInput, NotFound, Refusal, Unavailable
from workspace.products import manifests
from workspace.publishing import exports
from workspace.publishing.account_lifecycle import takeout_jobs
from workspace.tools.answer import File, Pieces
from workspace.tools.validation import from_query

GONE = "There is no such file, or its time is up"


Make = Callable[[Caller], File | Pieces]


@require_safe
def download(request: HttpRequest, id: str) -> HttpResponse:
    tool = f"svc_{id}"  # of one that has a single word, such as activity
    if tool in CATALOGUE.by_name:
        return _answer(request, lambda caller: _made(caller, tool, request))
    return _answer(request, lambda caller: _find(caller.account, id, request.GET.dict()))


@require_safe
def made(request: HttpRequest, word: str, verb: str) -> HttpResponse:
    """What `svc_WORD_VERB` makes of the arguments in the address."""

    def make(caller: Caller) -> File:
        file = _made(caller, f"svc_{word}_{verb}", request)
        if request.headers.get("Sec-Fetch-Dest") != "image":  # else a page only shows it
            onboarding.note_saved(caller.account, file)
        return file

    return _answer(request, make)


@require_safe
def taken(request: HttpRequest, signed: str) -> HttpResponse:
    """A whole account, packed, for whoever has the link while it lasts."""
    try:
        return as_attachment(jobs.file_of(takeout_jobs.job_of(signed)))
    except (NotFound, FileNotFoundError):
        raise Http404("This link has ended: ask for a new one") from None


def _answer(request: HttpRequest, make: Make) -> HttpResponse:
    return _for_key(request, make) if "Authorization" in request.headers else _for_person(request, make)


def _for_key(request: HttpRequest, make: Make) -> HttpResponse:
    @faced
    def answer(request: HttpRequest) -> HttpResponse:
        caller = authentication.caller_of(request.headers["Authorization"])
        take_call(caller)
        with permissions.reaching(caller.reach):
            return as_attachment(make(caller))

    return answer(request)


@signed_in
def _for_person(request: SignedInRequest, make: Make) -> HttpResponse:
    try:
        return as_attachment(make(request.caller))
    except (NotFound, InvalidInput) as refusal:
        raise Http404(refusal.message) from None
    except Unavailable:
        raise
    except Refusal as refusal:  # such as a machine that has no time for a drawing
        messages.error(request, refusal.message)
        return redirect_whole(request, _page_before(request))


def _page_before(request: HttpRequest) -> str:
    """The owner's page on which the file was asked for, as far as the browser tells it."""
    path = urlsplit(request.headers.get("Referer", "")).path
    return path if path.startswith("/app/") and url_has_allowed_host_and_scheme(path, None) else "/app"


def _made(caller: Caller, name: str, request: HttpRequest) -> File:
    tool = CATALOGUE.by_name.get(name)
    if tool is None or not tool.reads:
        raise NotFound(GONE)
    given = [(name, str(text)) for name, texts in request.GET.lists() for text in texts]
    as_xlsx = ("format", exports.XLSX) in given and not exports.makes_workbooks(tool)
    if as_xlsx:
        given = [pair for pair in given if pair[0] != "format"]
        given += [("format", "csv")] if "format" in tool.input_schema.get("properties", {}) else []
    file = perform(tool, caller, from_query(tool, given)).file
    if file is None:
        raise NotFound(GONE)
    return exports.as_workbook(file) if as_xlsx else file


def _find(account: Account, id: str, asked: Mapping[str, str]) -> File | Pieces:
    """Raises NotFound."""
    if not id.isprintable():
        raise NotFound(GONE)
    try:
        if account.jobs.filter(pk=id).exclude(file_name="").exists():
            return jobs.file_of(jobs.find(account, id))
        # nothing tells of which product an upload is
        if permissions.reaches(WHOLE) and (upload := account.uploads.filter(pk=id, kind=FILE).first()):
            return File(upload.name, upload.media_type, upload.content)
        for product in manifests():
            files = product.files if permissions.reaches(product.key) else None
            if files is not None and (found := files(account, id, asked)):
                return found
    except FileNotFoundError:
        pass
    raise NotFound(GONE)


def as_attachment(file: File | Pieces) -> HttpResponse:
    """Saved rather than shown: whatever is in it can do nothing on our origin."""
    kind = StreamingHttpResponse if isinstance(file, Pieces) else HttpResponse
    response = cast(HttpResponse, kind(file.content, content_type=file.media_type))  # who passes it on reads its head
    if isinstance(file, Pieces) and file.size is not None:
        response.headers["Content-Length"] = str(file.size)
    response.headers["Content-Disposition"] = content_disposition_header(True, file.name) or "attachment"
    response.headers["Content-Security-Policy"] = "default-src 'none'; sandbox"
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["Cache-Control"] = "private, no-store"
    return response
