"""Pictures that come with a form: taken, drawn anew, and shown before anything uses them."""

from __future__ import annotations

from base64 import b64encode
from dataclasses import dataclass

from workspace.accounts.models import Account, Upload
from workspace.dashboard.forms import ToolForm
from workspace.dashboard.session import SignedInRequest
from workspace.storage.pictures import MAX_BYTES, picture_url, redraw
from workspace.toolkit.errors import Refusal


@dataclass(frozen=True, slots=True)
class Shown:
    """An upload for the page: its picture is a data address, since a waiting upload has no public one."""

    id: str
    size: str
    picture: str


def take(request: SignedInRequest, form: ToolForm, file_name: str, argument: str) -> None:
    """A file that came with the form becomes an upload, drawn anew before any transaction begins, and the form's value
    of `argument`; what is wrong with it is put at the file's field."""
    file = request.FILES.get(file_name)
    if file is None or not file.size:
        return
    try:
        if file.size > MAX_BYTES:
            raise ValueError(f"A picture may have up to {MAX_BYTES // 1024 // 1024} MB")
        form.values[argument] = Upload.keep(request.account, redraw(file.read())).pk
    except ValueError as problem:
        form.refuse(file_name, str(problem))
    except Refusal as refusal:
        form.refuse(file_name, refusal.message)


def shown(account: Account, id: object) -> Shown | None:
    """The account's upload for the page; None for an empty id, or one that is not the account's."""
    upload = find(account, id)
    if upload is None:
        return None
    picture = f"data:{upload.media_type};base64,{b64encode(upload.at(768)).decode()}"
    return Shown(upload.pk, f"{upload.width} × {upload.height}", picture)


def address(account: Account, id: object) -> str:
    """Where a page shows one of the account's pictures, also before anything uses it; empty for none."""
    upload = find(account, id)
    if upload is not None and upload.uses:
        return picture_url(upload.pk, 192)
    waiting = shown(account, id)
    return waiting.picture if waiting else ""


def find(account: Account, id: object) -> Upload | None:
    text = str(id or "")
    return Upload.picture_of(account, text) if text and text.isascii() and text.isprintable() else None
