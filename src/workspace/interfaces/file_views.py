"""Downloads of an account's files, only for a signed-in person or an API key of the account.

`/files/ID` is a job's file, an upload or a product's file. `/files/PRODUCT/VERB?…` is created by a tool on request,
such as an export or a poster.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import cast
from urllib.parse import urlsplit

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.utils.http import content_disposition_header, url_has_allowed_host_and_scheme
from django.views.decorators.http import require_safe

from workspace.accounts import permissions
from workspace.accounts.dispatch import Caller, consume_quota, execute_tool
from workspace.accounts.models import Account
from workspace.accounts.models.upload import FILE
from workspace.accounts.permissions import WHOLE_ACCOUNT
from workspace.dashboard import onboarding
from workspace.dashboard.session import SignedInRequest, redirect_full_page, require_sign_in
from workspace.delivery import jobs
from workspace.interfaces import authentication
from workspace.interfaces.rest.responses import handle_errors
from workspace.interfaces.tool_catalog import CATALOG
from workspace.lib.errors import InvalidInputError, NotFoundError, ToolError, UnavailableError
from workspace.products import list_manifests
from workspace.publishing import export_answers
from workspace.publishing.account_lifecycle import takeout_jobs
from workspace.tools.answer import File, StreamedFile
from workspace.tools.validation import parse_query

NOT_FOUND_MESSAGE = "This file does not exist or has expired"


FileFactory = Callable[[Caller], File | StreamedFile]


@require_safe
def download(request: HttpRequest, id: str) -> HttpResponse:
    """Return a stored file by its id, or the file of a tool whose name has a single word."""
    tool = f"svc_{id}"  # a tool with a single word, such as activity
    if tool in CATALOG.by_name:
        return _file_response(request, lambda caller: _generate_file(caller, tool, request))
    return _file_response(request, lambda caller: _get_file(caller.account, id, request.GET.dict()))


@require_safe
def download_generated(request: HttpRequest, word: str, verb: str) -> HttpResponse:
    """Return the file that `svc_WORD_VERB` creates from the arguments in the URL."""

    def generate_file(caller: Caller) -> File:
        file = _generate_file(caller, f"svc_{word}_{verb}", request)
        if request.headers.get("Sec-Fetch-Dest") != "image":  # an image is only displayed on a page and not saved
            onboarding.record_saved_file(caller.account, file)
        return file

    return _file_response(request, generate_file)


@require_safe
def download_takeout(request: HttpRequest, signed: str) -> HttpResponse:
    """Return an account's export to anyone who has the link, until the link expires."""
    try:
        return attachment_response(jobs.open_file(takeout_jobs.job_from_link(signed)))
    except (NotFoundError, FileNotFoundError):
        raise Http404("This link has expired. Request a new one") from None


def _file_response(request: HttpRequest, load_file: FileFactory) -> HttpResponse:
    return (
        _respond_to_key(request, load_file)
        if "Authorization" in request.headers
        else _respond_to_person(request, load_file)
    )


def _respond_to_key(request: HttpRequest, load_file: FileFactory) -> HttpResponse:
    @handle_errors
    def respond(request: HttpRequest) -> HttpResponse:
        caller = authentication.authenticate(request.headers["Authorization"])
        consume_quota(caller)
        with permissions.use_scope(caller.permission_scope):
            return attachment_response(load_file(caller))

    return respond(request)


@require_sign_in
def _respond_to_person(request: SignedInRequest, load_file: FileFactory) -> HttpResponse:
    try:
        return attachment_response(load_file(request.caller))
    except (NotFoundError, InvalidInputError) as refusal:
        raise Http404(refusal.message) from None
    except UnavailableError:
        raise
    except ToolError as refusal:  # for example a machine that is too busy to render
        messages.error(request, refusal.message)
        return redirect_full_page(request, _referring_page(request))


def _referring_page(request: HttpRequest) -> str:
    """Return the owner's page that requested the file, if the browser names it."""
    path = urlsplit(request.headers.get("Referer", "")).path
    return path if path.startswith("/app/") and url_has_allowed_host_and_scheme(path, None) else "/app"


def _generate_file(caller: Caller, name: str, request: HttpRequest) -> File:
    tool = CATALOG.by_name.get(name)
    if tool is None or not tool.reads:
        raise NotFoundError(NOT_FOUND_MESSAGE)
    given = [(name, str(text)) for name, texts in request.GET.lists() for text in texts]
    as_xlsx = ("format", export_answers.XLSX) in given and not export_answers.has_workbook_format(tool)
    if as_xlsx:
        given = [pair for pair in given if pair[0] != "format"]
        given += [("format", "csv")] if "format" in tool.input_schema.get("properties", {}) else []
    file = execute_tool(tool, caller, parse_query(tool, given)).file
    if file is None:
        raise NotFoundError(NOT_FOUND_MESSAGE)
    return export_answers.as_workbook(file) if as_xlsx else file


def _get_file(account: Account, id: str, query: Mapping[str, str]) -> File | StreamedFile:
    """Return the account's file with this ID. Raise NotFoundError if there is none."""
    if not id.isprintable():
        raise NotFoundError(NOT_FOUND_MESSAGE)
    try:
        if account.jobs.filter(pk=id).exclude(file_name="").exists():
            return jobs.open_file(jobs.get_job(account, id))
        # an upload does not record its product
        if permissions.is_permitted(WHOLE_ACCOUNT) and (upload := account.uploads.filter(pk=id, kind=FILE).first()):
            return File(upload.name, upload.media_type, upload.content)
        for product in list_manifests():
            files = product.files if permissions.is_permitted(product.key) else None
            if files is not None and (found := files(account, id, query)):
                return found
    except FileNotFoundError:
        pass
    raise NotFoundError(NOT_FOUND_MESSAGE)


def attachment_response(file: File | StreamedFile) -> HttpResponse:
    """Return the file as a download. Its content cannot run on our origin."""
    kind = StreamingHttpResponse if isinstance(file, StreamedFile) else HttpResponse
    # the caller reads the headers when it passes the response on
    response = cast(HttpResponse, kind(file.content, content_type=file.media_type))
    if isinstance(file, StreamedFile) and file.size is not None:
        response.headers["Content-Length"] = str(file.size)
    response.headers["Content-Disposition"] = content_disposition_header(True, file.name) or "attachment"
    response.headers["Content-Security-Policy"] = "default-src 'none'; sandbox"
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["Cache-Control"] = "private, no-store"
    return response
