"""QR codes as tools: making, finding and changing them. What they tell about scans stands in `scan_tools.py`."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field
from typing_extensions import TypedDict

from workspace.accounts.models import Account, Upload
from workspace.products.qr.arguments import CodeId, Folder, Name, Preset, SafeStyle, TargetUrl
from workspace.products.qr.drawing import logo_of
from workspace.products.qr.making import make, room
from workspace.products.qr.models import Code
from workspace.products.qr.rows import CodeRow, CodeWhole, code_of, codes_of, folders_of, one_line, rows, whole
from workspace.publishing.arguments import GuestPassword, Slug, moment
from workspace.symbols.scancheck import check
from workspace.symbols.style import PRESETS
from workspace.toolkit import clock
from workspace.toolkit.answer import Answer, Listing, bullets, facts, listing
from workspace.toolkit.errors import InvalidInput
from workspace.toolkit.text import escape_markdown, fold
from workspace.toolkit.tool import Toolbox
from workspace.toolkit.types import Limit, MomentText, Offset, Query

tools = Toolbox("qr", "QR codes")


@tools.tool("svc_qr_list", title="List QR codes", reads=True)
def list_codes(
    account: Account, q: Query | None = None, folder: Folder | None = None, limit: Limit = 50, offset: Offset = 0
) -> Answer[Listing[CodeRow]]:
    """Your QR codes, newest first, with target, total scans, folder and printed address. `q` matches part of the name
    or of the target link."""
    found = codes_of(account)
    if q:
        found = found.filter(search__contains=fold(q))
    if folder is not None:
        found = found.filter(folder=folder)
    return listing(
        rows(found[offset : offset + limit]), total=found.count(), offset=offset, noun="QR codes", line=one_line
    )


class FolderRow(TypedDict):
    folder: str
    codes: int


class Folders(TypedDict):
    folders: list[FolderRow]


@tools.tool("svc_qr_folders", title="List folders of QR codes", reads=True)
def list_folders(account: Account) -> Answer[Folders]:
    """The folders that your codes are filed in, with how many each holds. svc_qr_list with an empty `folder` lists the
    codes that are in none."""
    found: list[FolderRow] = [{"folder": folder, "codes": codes} for folder, codes in folders_of(account)]
    lines = bullets(found, lambda one: f"{escape_markdown(one['folder'])} ({one['codes']})")
    return Answer({"folders": found}, "\n".join(["Folders:", "", *lines]) if found else "No code is in a folder.")


@tools.tool("svc_qr_create", title="Create a QR code")
def create(
    account: Account,
    name: Name,
    target_url: TargetUrl,
    folder: Folder | None = None,
) -> Answer[CodeWhole]:
    """Make a dynamic QR code: print it once, change where it leads whenever you like. The answer has its printed
    address and the SVG and PNG to download; svc_qr_edit gives it a look, an address of your own, a password or an end.
    Counts against the plan's number of codes."""
    room(account, 1)
    [code] = make(account, [{"name": name, "target_url": target_url, "folder": folder}])
    return _told(code, f"Created “{escape_markdown(code.name)}”")


@tools.tool("svc_qr_get", title="Get a QR code", reads=True)
def get(account: Account, id: CodeId) -> Answer[CodeWhole]:
    """One code with its style, all its addresses and the history of where it led."""
    code = code_of(account, id)
    return _told(code, escape_markdown(code.name))


@tools.tool("svc_qr_update_target", title="Point a QR code elsewhere", idempotent=True)
def update_target(account: Account, id: CodeId, target_url: TargetUrl) -> Answer[CodeWhole]:
    """Point the code at a new address. Printed copies follow at the next scan; svc_qr_undo takes it back."""
    code = code_of(account, id)
    code.retarget(target_url)
    return _told(code, f"“{escape_markdown(code.name)}” now leads to {code.target_url}")


@tools.tool("svc_qr_undo", title="Undo the last change of a target")
def undo(account: Account, id: CodeId) -> Answer[CodeWhole]:
    """Point the code back to where it led before its newest change of target. Repeat it to go further back."""
    code = code_of(account, id)
    code.undo_retarget()
    return _told(code, f"“{escape_markdown(code.name)}” leads to {code.target_url} again")


def _scans_with_its_logo(account: Account, given: Any) -> None:
    """A logo covers modules: style and logo are judged together, as the code will have them."""
    if given.style is None and given.preset is None and not given.logo_id:
        return
    code = code_of(account, given.id)
    logo = code.logo
    if given.logo_id is not None:
        logo = Upload.picture_of(account, given.logo_id)
    if logo is None:
        return  # the style alone was judged with the arguments; a logo that there is not is refused below
    style = given.style or (PRESETS[given.preset] if given.preset else code.looks)
    report = check(style, code.printed_url, logo=logo_of(logo))
    if report.verdict == "unsafe":
        path = "logo_id" if given.logo_id else "style"
        raise InvalidInput.at(path, f"This would not scan. {report.advice[0]}")


@tools.tool("svc_qr_edit", title="Edit a QR code", idempotent=True, prepare=_scans_with_its_logo)
def edit(
    account: Account,
    id: CodeId,
    name: Name | None = None,
    folder: Folder | None = None,
    slug: Slug | None = None,
    expires_at: MomentText | None = None,
    password: GuestPassword | None = None,
    style: SafeStyle | None = None,
    preset: Preset | None = None,
    logo_id: Annotated[str, Field(max_length=64, description="An upload_id; empty for no logo")] | None = None,
) -> Answer[CodeWhole]:
    """Change what a code is called, where it is filed, its look, its address, its password or when it expires. Only
    what is given changes; an empty text clears. Another slug leaves the old one working, since it may be on paper. A
    style that would not scan is refused with advice."""
    if style is not None and preset is not None:
        raise InvalidInput.at("preset", "Give a style or a preset, not both")
    code = code_of(account, id)
    if name is not None or folder is not None:
        code.describe(name=name, folder=folder)
    if slug is not None and slug.lower() != code.slug:
        code.publication.move(slug)
    if expires_at is not None:
        code.publication.expire(moment(expires_at, account.zone, "expires_at"))
    if password is not None:
        code.publication.protect(password)
    if style is not None or preset is not None:
        code.dress(style if style is not None else PRESETS[preset or ""])
    if logo_id is not None and logo_id != (code.logo_id or ""):
        code.wear(Upload.claim(account, logo_id, "logo_id") if logo_id else None)
    return _told(code_of(account, id), f"Changed “{escape_markdown(code.name)}”")


@tools.tool("svc_qr_pause", title="Pause a QR code", idempotent=True)
def pause(account: Account, id: CodeId) -> Answer[CodeWhole]:
    """Stop a code from leading anywhere: guests see a friendly page that names your business."""
    code = code_of(account, id)
    code.publication.pause()
    return _told(code, f"Paused “{escape_markdown(code.name)}”")


@tools.tool("svc_qr_resume", title="Resume a QR code", idempotent=True)
def resume(account: Account, id: CodeId) -> Answer[CodeWhole]:
    """Let a paused code lead to its target again."""
    code = code_of(account, id)
    code.publication.resume()
    return _told(code, f"“{escape_markdown(code.name)}” works again")


class Deleted(TypedDict):
    id: str
    deleted: bool


@tools.tool("svc_qr_delete", title="Delete a QR code", destructive=True)
def delete(account: Account, id: CodeId) -> Answer[Deleted]:
    """Delete a code for good. Printed copies then say that it is gone; its address is never given to another code.
    To stop it for a while, use svc_qr_pause."""
    code = code_of(account, id)
    name = code.name
    code.remove()
    return Answer(
        {"id": id, "deleted": True}, f"Deleted “{escape_markdown(name)}”. Its address will not be used again."
    )


def _told(code: Code, title: str) -> Answer[CodeWhole]:
    found = whole(code)
    pairs = {
        "id": found["id"],
        "printed address": found["printed_url"],
        "leads to": found["target_url"],
        "folder": escape_markdown(found["folder"]),
        "state": found["state"],
        "expires": clock.local(code.publication.expires_at, code.account.zone),
        "password": "asked for" if found["has_password"] else "",
        "scans": found["total_scans"],
        "SVG": found["svg_url"],
        "PNG": found["png_url"],
    }
    return Answer(found, facts(title, pairs))
