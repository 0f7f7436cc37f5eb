"""Pictures that come with a form: the logo, and photos of dishes."""

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
class Shown:
    """An upload for the page: a data address, since one that waits to be used has no public one."""

    id: str
    picture: str


def take(request: SignedInRequest, form: ToolForm, file_name: str, argument: str) -> None:
    """A file that came with the form becomes an upload, drawn anew before any transaction begins; what is wrong with it
    is put at the file's field."""
    file = request.FILES.get(file_name)
    if file is None:
        return
    try:
        if (file.size or 0) > MAX_BYTES:
            raise ValueError(f"A picture may have up to {MAX_BYTES // 1024 // 1024} MB")
        form.values[argument] = _keep(request.account, redraw(file.read())).pk
    except ValueError as problem:
        form.refuse(file_name, str(problem))
    except Refusal as refusal:
        form.refuse(file_name, refusal.message)


def of(account: Account, form: ToolForm, argument: str) -> Shown | None:
    """What the form has at the argument, for the page."""
    id = str(form.values.get(argument) or "")
    upload = account.uploads.filter(pk=id).first() if id.isascii() and id.isprintable() else None
    if upload is None:
        return None
    return Shown(upload.pk, f"data:{upload.media_type};base64,{b64encode(upload.content).decode()}")


def _keep(account: Account, picture: Picture) -> Upload:
    with writing():
        return Upload.keep(account, picture)
