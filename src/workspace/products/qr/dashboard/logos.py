"""Logos of the style editor: taken from a form, drawn anew, shown before the code wears them."""

from __future__ import annotations

from base64 import b64encode
from dataclasses import dataclass

from workspace.accounts.models import Account, Upload
from workspace.dashboard.forms import ToolForm
from workspace.dashboard.session import SignedInRequest
from workspace.storage.database import writing
from workspace.storage.pictures import MAX_BYTES, Picture, redraw
from workspace.toolkit.errors import Refusal


@dataclass(frozen=True, slots=True)
class Logo:
    """An upload for the page: its picture is a data address, since a waiting upload has no public one."""

    id: str
    size: str
    picture: str


def take(request: SignedInRequest, form: ToolForm) -> None:
    """A file that came with the form becomes an upload, drawn anew before any transaction begins; what is wrong with it
    is put at `logo`."""
    file = request.FILES.get("logo")
    if file is None:
        return
    try:
        if (file.size or 0) > MAX_BYTES:
            raise ValueError(f"A logo may have up to {MAX_BYTES // 1024 // 1024} MB")
        form.values["logo_id"] = _keep(request.account, redraw(file.read())).pk
    except ValueError as problem:
        form.refuse("logo", str(problem))
    except Refusal as refusal:
        form.refuse("logo", refusal.message)


def of(account: Account, form: ToolForm) -> Logo | None:
    """What the form has as its logo, for the page."""
    upload = _find(account, str(form.values.get("logo_id") or ""))
    if upload is None:
        return None
    picture = f"data:{upload.media_type};base64,{b64encode(upload.content).decode()}"
    return Logo(upload.pk, f"{upload.width} × {upload.height}", picture)


def content(account: Account, id: object) -> bytes | None:
    """The picture's bytes; None for an empty id, or one that is not the account's."""
    upload = _find(account, str(id or ""))
    return upload.content if upload else None


def _find(account: Account, id: str) -> Upload | None:
    return account.uploads.filter(pk=id).first() if id.isascii() and id.isprintable() else None


def _keep(account: Account, picture: Picture) -> Upload:
    with writing():
        return Upload.keep(account, picture)
