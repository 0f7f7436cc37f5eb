"""`POST /api/v1/upload`: a picture or a file as multipart, answered with the `upload_id` that tools take."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from workspace.accounts.dispatch import take_call
from workspace.accounts.models import Account
from workspace.accounts.models.upload import FILE, PICTURE
from workspace.accounts.takeout import chunked_upload
from workspace.accounts.upload_tools import Received, keep, receive, upload_file
from workspace.interfaces import authentication
from workspace.interfaces.rest.responses import Asked, answered, faced, metered, only, refused, unpacked
from workspace.lib.errors import Forbidden, InvalidInput, Refusal, TooLarge
from workspace.storage.files.images import MAX_BYTES, redraw
from workspace.storage.files.media_types import plain_name
from workspace.tools.answer import Answer


@faced
def upload(request: HttpRequest) -> HttpResponse:
    """One part named `file`, of up to 8 MB: a PNG, JPEG, WebP or GIF picture; with the field `kind=file` anything that
    is no program. A larger ZIP comes in pieces: the first with `pieces=yes`, each further one with `onto` (the
    upload_id) and `at` (how many bytes are there)."""
    only(request.method, "POST")
    caller = authentication.caller_of(request.headers.get("Authorization", ""))
    allowance = take_call(caller)
    try:
        if why := caller.kept_from(upload_file):
            raise Forbidden(why)
        unpacked(request.headers.get("Content-Encoding", ""))
        file = request.FILES.get("file") if request.content_type == "multipart/form-data" else None
        if file is None:
            raise InvalidInput.at("file", "Send it as multipart/form-data, in a part named file")
        if (file.size or 0) > MAX_BYTES:
            raise TooLarge(f"A file may have up to {MAX_BYTES // 1024 // 1024} MB")
        asked = request.POST
        if "onto" in asked or "pieces" in asked:
            answer = _piece(caller.account, file.read(), file.name or "", asked)
        else:
            answer = _kept(caller.account, file.read(), file.name or "", asked.get("kind", PICTURE))
    except Refusal as refusal:
        return metered(refused(Asked.through(request), refusal), allowance).response
    return metered(answered(answer), allowance).response


def _piece(account: Account, content: bytes, name: str, asked: Mapping[str, str]) -> Answer[Any]:
    if "onto" not in asked:
        upload = chunked_upload.begin(account, name, content)
    else:
        at = asked.get("at", "")
        if not (at.isascii() and at.isdigit() and len(at) < 16):
            raise InvalidInput.at("at", "How many bytes are there already, as a whole number")
        upload = chunked_upload.go_on(account, asked["onto"], int(at), content)
    data = {
        "upload_id": upload.pk,
        "kind": upload.kind,
        "name": upload.name,
        "media_type": upload.media_type,
        "size": upload.size,
        "url": f"{settings.BASE_URL}/files/{upload.pk}",
    }
    return Answer(data, f"{upload.size} bytes are here as `{upload.pk}`: go on at={upload.size}, or use it.")


def _kept(account: Account, content: bytes, name: str, kind: str) -> Answer[Any]:
    if kind not in (PICTURE, FILE):
        raise InvalidInput.at("kind", f"Must be {PICTURE} or {FILE}")
    try:
        received = Received(content, redraw(content)) if kind == PICTURE else receive(content)
        return keep(account, received, plain_name(name) if kind == FILE else "")
    except ValueError as problem:
        raise InvalidInput.at("file", str(problem)) from None
