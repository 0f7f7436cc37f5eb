"""`POST /api/v1/upload`: a picture as multipart, answered with the `upload_id` that tools take."""

from __future__ import annotations

from django.http import HttpRequest, JsonResponse

from workspace.accounts.door import take_call
from workspace.accounts.models import Upload
from workspace.accounts.upload_tools import uploaded
from workspace.interfaces import callers
from workspace.interfaces.rest.replies import answered, faced, metered, only, refused, unpacked
from workspace.storage.pictures import MAX_BYTES, redraw
from workspace.toolkit.errors import Forbidden, InvalidInput, Refusal, TooLarge


@faced
def upload(request: HttpRequest) -> JsonResponse:
    """One part named `file`: a PNG, JPEG, WebP or GIF picture of up to 8 MB."""
    only(request, "POST")
    caller = callers.caller_of(request.headers.get("Authorization", ""))
    allowance = take_call(caller)
    try:
        if not caller.may_write:
            raise Forbidden("This key may only read: use a key with full access")
        unpacked(request)
        file = request.FILES.get("file") if request.content_type == "multipart/form-data" else None
        if file is None:
            raise InvalidInput.at("file", "Send the picture as multipart/form-data, in a part named file")
        if (file.size or 0) > MAX_BYTES:
            raise TooLarge(f"A picture may have up to {MAX_BYTES // 1024 // 1024} MB")
        try:
            picture = redraw(file.read())
        except ValueError as problem:
            raise InvalidInput.at("file", str(problem)) from None
        answer = uploaded(Upload.keep(caller.account, picture))
    except Refusal as refusal:
        return metered(refused(request, refusal), allowance)
    return metered(answered(request, answer), allowance)
