"""`POST /api/v1/upload`: a picture or file as multipart, answered with the `upload_id` that tools accept."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from workspace.accounts.dispatch import consume_quota
from workspace.accounts.models import Account
from workspace.accounts.models.upload import FILE, PICTURE
from workspace.accounts.takeout import chunked_upload
from workspace.accounts.upload_tools import UploadContent, receive_content, save_upload, upload_file
from workspace.interfaces import authentication
from workspace.interfaces.rest.responses import (
    ApiRequest,
    check_encoding,
    check_method,
    error_response,
    handle_errors,
    success_response,
    with_quota_headers,
)
from workspace.lib.errors import ForbiddenError, InvalidInputError, TooLargeError, ToolError
from workspace.storage.files.images import MAX_BYTES, normalize_image
from workspace.storage.files.media_types import clean_file_name
from workspace.tools.answer import Answer


@handle_errors
def upload(request: HttpRequest) -> HttpResponse:
    """Store the part named `file`, of up to 8 MB.

    It is a PNG, JPEG, WebP or GIF picture or, with the field `kind=file`, any file that is not a program. A larger ZIP
    is sent in chunks: the first with `pieces=yes`, each further one with `onto` (the upload_id) and `at` (the number of
    bytes sent so far).
    """
    check_method(request.method, "POST")
    caller = authentication.authenticate(request.headers.get("Authorization", ""))
    allowance = consume_quota(caller)
    try:
        if why := caller.tool_denial_reason(upload_file):
            raise ForbiddenError(why)
        check_encoding(request.headers.get("Content-Encoding", ""))
        file = request.FILES.get("file") if request.content_type == "multipart/form-data" else None
        if file is None:
            raise InvalidInputError.at_path("file", "Send the file as multipart/form-data, in a part named file")
        if (file.size or 0) > MAX_BYTES:
            raise TooLargeError(f"A file can be at most {MAX_BYTES // 1024 // 1024} MB")
        form = request.POST
        if "onto" in form or "pieces" in form:
            answer = _save_chunk(caller.account, file.read(), file.name or "", form)
        else:
            answer = _save_upload(caller.account, file.read(), file.name or "", form.get("kind", PICTURE))
    except ToolError as refusal:
        return with_quota_headers(error_response(ApiRequest.from_django(request), refusal), allowance).response
    return with_quota_headers(success_response(answer), allowance).response


def _save_chunk(account: Account, content: bytes, name: str, query: Mapping[str, str]) -> Answer[Any]:
    if "onto" not in query:
        upload = chunked_upload.start_upload(account, name, content)
    else:
        at = query.get("at", "")
        if not (at.isascii() and at.isdigit() and len(at) < 16):
            raise InvalidInputError.at_path("at", "Enter the number of bytes sent so far, as a whole number")
        upload = chunked_upload.append_chunk(account, query["onto"], int(at), content)
    data = {
        "upload_id": upload.pk,
        "kind": upload.kind,
        "name": upload.name,
        "media_type": upload.media_type,
        "size": upload.size,
        "url": f"{settings.BASE_URL}/files/{upload.pk}",
    }
    return Answer(
        data, f"{upload.size} bytes received as `{upload.pk}`. Continue with at={upload.size}, or use the upload."
    )


def _save_upload(account: Account, content: bytes, name: str, kind: str) -> Answer[Any]:
    if kind not in (PICTURE, FILE):
        raise InvalidInputError.at_path("kind", f"Must be {PICTURE} or {FILE}")
    try:
        received = UploadContent(content, normalize_image(content)) if kind == PICTURE else receive_content(content)
        return save_upload(account, received, clean_file_name(name) if kind == FILE else "")
    except ValueError as problem:
        raise InvalidInputError.at_path("file", str(problem)) from None
