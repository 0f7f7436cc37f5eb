"""Tools to create, find and change QR codes.

`bulk_tools.py` works on several codes at once, `stats_tools.py` returns scans, `print_tools.py` prints.
"""

from __future__ import annotations

from typing import Annotated, Any, NotRequired, Unpack, cast

from pydantic import Field

from workspace.accounts.models import Account, Upload
from workspace.lib.errors import InvalidInputError
from workspace.lib.text import escape_markdown
from workspace.products.qr.api.arguments import CodeChanges, CodeId
from workspace.products.qr.api.serializers import (
    CodeDetail,
    CodeSummary,
    FolderData,
    code_detail,
    folders_for,
    search_codes,
)
from workspace.products.qr.api.text import format_code, format_code_detail, format_folders
from workspace.products.qr.domain.code_style import load_logo, resolve_style, with_stored_style
from workspace.products.qr.domain.queries import CODE_NOT_FOUND, codes_for, get_code
from workspace.products.qr.domain.scan_check import (
    ScanVerdict,
    describe_verdict,
    find_problem,
    get_scan_report,
    verdict_from_report,
)
from workspace.products.qr.models import KIND, Code
from workspace.products.qr.rules import static_content
from workspace.products.qr.rules.code_fields import Folder, Name, TargetUrl
from workspace.products.qr.rules.static_content import StaticContent
from workspace.publishing.serializers import DeletedItems, get_many_or_404
from workspace.publishing.shared_item_arguments import Ids
from workspace.qr_symbols.style import PRESETS
from workspace.storage import journal
from workspace.tools.answer import Answer, Page, format_bullets, format_fact_list, listing_answer
from workspace.tools.argument_types import Limit, Offset, Query
from workspace.tools.tool import Toolbox

box = Toolbox(KIND, "QR codes")


class CodeListing(Page):
    items: list[CodeSummary]
    folders: Annotated[list[FolderData], Field(description="All folders, with how many codes each holds")]


@box.tool("svc_qr_list", title="List QR codes", reads=True, columns="name target_url total_scans folder state slug")
def list_codes(
    account: Account, q: Query | None = None, folder: Folder | None = None, limit: Limit = 50, offset: Offset = 0
) -> Answer[CodeListing]:
    """Your QR codes, newest first, with target, total scans, folder and printed address; and your folders. A static one
    has none of these: `holds` says what stands in it. `q` matches part of the name, of the target link or of `holds`,
    an empty `folder` the codes that are in none."""
    codes, total = search_codes(account, q=q, folder=folder, limit=limit, offset=offset)
    page = listing_answer(codes, total=total, offset=offset, noun="QR codes", line=format_code)
    folders = folders_for(account)
    text = f"{page.text}\n\nFolders: {format_folders(folders)}" if folders else page.text
    return Answer({**page.data, "folders": folders}, text)


@box.tool("svc_qr_create", title="Create a QR code")
def create(
    account: Account,
    name: Name,
    target_url: TargetUrl,
    folder: Folder | None = None,
) -> Answer[CodeDetail]:
    """Make a dynamic QR code: print it once, change where it leads whenever you like. The answer has its printed
    address and the SVG and PNG to download. svc_qr_edit gives it a look, an address of your own, a password or an end;
    svc_qr_save makes many, and static ones (Wi-Fi, contact). Counts against the plan's number of codes."""
    Code.check_quota(account)
    code = Code.open(account, name=name, target_url=target_url, folder=folder or "")
    return _code_answer(code, f"Created “{escape_markdown(name)}”")


class CheckedCode(CodeDetail):
    content: NotRequired[Annotated[StaticContent, Field(description="Of a static code: what it holds, password too")]]
    scans_well: NotRequired[Annotated[ScanVerdict, Field(description="With check: the verdict of two readers")]]


@box.tool("svc_qr_get", title="Get a QR code", reads=True)
def get(
    account: Account,
    id: CodeId,
    check: Annotated[
        bool, Field(description="Also whether it will scan: read back by two readers, half a second")
    ] = False,
) -> Answer[CheckedCode]:
    """One code with its look, its addresses, its pictures and the history of where it led; of a static one with what it
    holds, such as a Wi-Fi's password. With `check` it is drawn as
    it is and read by two independent readers: clean, blurred, small, tilted and faint; the verdict is good, risky or
    unsafe, with advice."""
    code = get_code(account, id)
    answer = _code_answer(code, escape_markdown(code.name))
    data: CheckedCode = {**answer.data}
    text = answer.text
    if code.is_static:
        data["content"] = cast(StaticContent, code.decrypted_content)
        text += "\n" + format_fact_list(
            "In its symbol", {name: escape_markdown(str(value)) for name, value in code.decrypted_content.items()}
        )
    if not check:
        return Answer(data, text)
    style, logo = resolve_style(code)
    verdict = verdict_from_report(get_scan_report(style, code.symbol_text, logo))
    advice = format_bullets(verdict["advice"], str)
    tests = format_bullets(
        verdict["tests"],
        lambda result: f"{result['test']}, {result['reader']}: {'read' if result['passed'] else 'not read'}",
    )
    head = f"Will it scan? {describe_verdict(verdict)}; score {verdict['score']}, contrast {verdict['contrast']} : 1."
    return Answer({**data, "scans_well": verdict}, "\n".join([text, "", head, *advice, *tests]))


@box.tool("svc_qr_update_target", title="Point a QR code elsewhere", idempotent=True)
def update_target(account: Account, id: CodeId, target_url: TargetUrl) -> Answer[CodeDetail]:
    """Point the code at a new address. Printed copies follow at the next scan; svc_undo takes it back."""
    code = get_code(account, id)
    code.edit(target_url=target_url)
    name = escape_markdown(code.name)
    led = f"“{name}” now leads to {target_url}" if journal.has_changed() else f"Nothing changed: “{name}” leads there"
    return _code_answer(code, led)


def _check_scannable_with_logo(account: Account, value: Any) -> None:
    """Check style and logo together as the code will have them, since a logo covers modules."""
    if value.style is None and value.preset is None and not value.logo_id:
        return
    code = get_code(account, value.id)
    logo = code.logo
    if value.logo_id is not None:
        logo = Upload.find_image(account, value.logo_id)
    if logo is None and not code.is_static:
        return  # the style alone was checked with the arguments; a missing logo is refused below
    style = value.style or (PRESETS[value.preset] if value.preset in PRESETS else resolve_style(code)[0])
    try:
        static_content.check_capacity(code.symbol_text, with_logo=logo is not None)
        problem = find_problem(get_scan_report(style, code.symbol_text, load_logo(logo)))
    except ValueError as unsafe:  # includes UnsafeStyleError
        problem = str(unsafe)
    if problem:
        path = next(name for name in ("logo_id", "style", "preset") if getattr(value, name))
        raise InvalidInputError.at_path(path, f"This would not scan. {problem}")


@box.tool("svc_qr_edit", title="Edit a QR code", idempotent=True, prepare=_check_scannable_with_logo)
def edit(account: Account, id: CodeId, **fields: Unpack[CodeChanges]) -> Answer[CodeDetail]:
    """Change what a code is called, where it leads or is filed, its look, its address, its password or when it expires;
    pause it or let it lead on again. Only what is given changes; an empty text clears. Another slug leaves the old one
    working, since it may be on paper. A look that would not scan is refused with advice."""
    values = with_stored_style(fields)
    code = get_code(account, id)
    code.edit(**values)
    name = escape_markdown(code.name)
    return _code_answer(
        code, f"Changed “{name}”" if journal.has_changed() else f"Nothing changed: “{name}” is so already"
    )


@box.tool("svc_qr_delete", title="Delete QR codes", destructive=True)
def delete(account: Account, ids: Ids) -> Answer[DeletedItems]:
    """Delete codes. Printed copies then say that the code is gone; its address is never given to another one. For 30
    days svc_undo brings them back as they were. To stop a code for a while, use svc_qr_edit with live=false."""
    codes = get_many_or_404(ids, CODE_NOT_FOUND, codes_for(account).select_related("account"))
    Code.remove_many(codes)
    names = ", ".join(f"“{escape_markdown(code.name)}” ({code.pk})" for code in codes)
    text = f"Deleted {names}. For 30 days it can be brought back."
    return Answer({"deleted": [{"id": code.pk, "title": code.name} for code in codes]}, text)


def _code_answer(code: Code, title: str) -> Answer[CodeDetail]:
    result = code_detail(code)
    return Answer(result, format_code_detail(result, title))
