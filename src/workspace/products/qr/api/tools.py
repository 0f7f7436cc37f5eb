"""Tools to create, find and change QR codes.

The tools for several codes at once are in `bulk_tools.py`, those for scans in `stats_tools.py`, and those for printing
in `print_tools.py`.
"""

from __future__ import annotations

from typing import Annotated, Any, NotRequired, Unpack, cast

from pydantic import Field

from workspace.accounts.models import Account, Upload
from workspace.lib.errors import InvalidInputError
from workspace.lib.text import escape_markdown
from workspace.products.qr import messages
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
from workspace.products.qr.domain.queries import codes_for, get_code
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
    folders: Annotated[list[FolderData], Field(description="All folders, with their number of codes.")]


@box.tool(
    "svc_qr_list",
    title="List QR codes",
    about="List QR codes, newest first, with destination, total scans, folder and short link. Also lists all "
    "folders. For static codes, holds contains their content. Filter with q (name, destination or content) or "
    "folder. An empty folder returns codes without a folder.",
    short="List or search QR codes with destination, scans and folder.",
    synonyms="my codes, find code, which codes, static codes, folders, qr-codes auflisten, meine codes, mis "
    "códigos, listar códigos",
    reads=True,
    columns="name target_url total_scans folder state slug",
)
def list_codes(
    account: Account,
    q: Annotated[Query, Field(description="Part of the name, destination or content.")] | None = None,
    folder: Folder | None = None,
    limit: Limit = 50,
    offset: Offset = 0,
) -> Answer[CodeListing]:
    codes, total = search_codes(account, q=q, folder=folder, limit=limit, offset=offset)
    page = listing_answer(codes, total=total, offset=offset, noun="QR codes", line=format_code)
    folders = folders_for(account)
    text = f"{page.text}\n\nFolders: {format_folders(folders)}" if folders else page.text
    return Answer({**page.data, "folders": folders}, text)


@box.tool(
    "svc_qr_create",
    title="Create a QR code",
    about="Create a dynamic QR code. You can change its destination after printing. Returns a short link and SVG and "
    "PNG downloads. Counts toward your plan's limit. To set a design, password or expiry, use svc_qr_edit. For "
    "many codes or static ones (Wi-Fi, contact), use svc_qr_save.",
    short="Create a QR code whose destination can change after printing.",
    synonyms="generate, make a code, short link, short url, link shortener, scan, new qr, erstellen, qr-code "
    "anlegen, kurzlink, generar código, crear código, enlace corto, hacer un qr",
)
def create(
    account: Account,
    name: Name,
    target_url: TargetUrl,
    folder: Folder | None = None,
) -> Answer[CodeDetail]:
    Code.check_quota(account)
    code = Code.open(account, name=name, target_url=target_url, folder=folder or "")
    return _code_answer(code, f"Created “{escape_markdown(name)}”")


class CheckedCode(CodeDetail):
    content: NotRequired[
        Annotated[StaticContent, Field(description="Content of a static code, including the password.")]
    ]
    scans_well: NotRequired[Annotated[ScanVerdict, Field(description="Result of the scan test, with check.")]]


@box.tool(
    "svc_qr_get",
    title="Get a QR code",
    about="Get a QR code with its design, addresses, images and destination history. A static code includes its "
    "content, such as a Wi-Fi password. With check=true, two decoders test it when blurred, small, tilted and "
    "faint. The result is good, risky or unsafe, with advice.",
    short="Get a QR code. With check, test how well it scans.",
    synonyms="download code, png, svg, scannable, readable, does it scan, test code, will it work, image, wifi "
    "password, code herunterladen, lesbar, scannt der code, descargar código, se puede escanear, "
    "legible, funciona el código, show code, code details, high resolution",
    reads=True,
)
def get(
    account: Account,
    id: CodeId,
    check: Annotated[
        bool,
        Field(description="Whether to also test how well the QR code scans. Takes half a second. Defaults to false."),
    ] = False,
) -> Answer[CheckedCode]:
    code = get_code(account, id)
    answer = _code_answer(code, escape_markdown(code.name))
    data: CheckedCode = {**answer.data}
    text = answer.text
    if code.is_static:
        data["content"] = cast(StaticContent, code.decrypted_content)
        text += "\n" + format_fact_list(
            "Content", {name: escape_markdown(str(value)) for name, value in code.decrypted_content.items()}
        )
    if not check:
        return Answer(data, text)
    style, logo = resolve_style(code)
    verdict = verdict_from_report(get_scan_report(style, code.symbol_text, logo))
    advice = format_bullets(verdict["advice"], str)
    tests = format_bullets(
        verdict["tests"],
        lambda result: f"{result['test']}, {result['reader']}: {'scanned' if result['passed'] else 'not scanned'}",
    )
    head = f"Scan test: {describe_verdict(verdict)}; score {verdict['score']}, contrast {verdict['contrast']}:1."
    return Answer({**data, "scans_well": verdict}, "\n".join([text, "", head, *advice, *tests]))


@box.tool(
    "svc_qr_update_target",
    title="Change a QR code's destination",
    about="Change the destination URL of a QR code. Printed copies open the new destination from the next scan. To "
    "change it back, use svc_undo.",
    short="Change the destination URL of a QR code.",
    synonyms="retarget, redirect, point to, change link, new url, wrong link, where it leads, ziel ändern, link "
    "ändern, weiterleiten, umleiten, cambiar destino, cambiar enlace, redirigir, apuntar",
    idempotent=True,
)
def update_target(account: Account, id: CodeId, target_url: TargetUrl) -> Answer[CodeDetail]:
    code = get_code(account, id)
    code.edit(target_url=target_url)
    name = escape_markdown(code.name)
    led = f"“{name}” now opens {target_url}" if journal.has_changed() else f"No changes: “{name}” already opens this"
    return _code_answer(code, led)


def _check_scannable_with_logo(account: Account, value: Any) -> None:
    """Check style and logo together as the code will have them, because a logo covers modules."""
    if value.style is None and value.preset is None and not value.logo_id:
        return
    code = get_code(account, value.id)
    logo = code.logo
    if value.logo_id is not None:
        logo = Upload.find_image(account, value.logo_id)
    if logo is None and not code.is_static:
        return  # the style alone was checked with the arguments; a missing logo is rejected below
    style = value.style or (PRESETS[value.preset] if value.preset in PRESETS else resolve_style(code)[0])
    try:
        static_content.check_capacity(code.symbol_text, with_logo=logo is not None)
        problem = find_problem(get_scan_report(style, code.symbol_text, load_logo(logo)))
    except ValueError as unsafe:  # includes UnsafeStyleError
        problem = str(unsafe)
    if problem:
        path = next(name for name in ("logo_id", "style", "preset") if getattr(value, name))
        raise InvalidInputError.at_path(path, messages.UNSCANNABLE(problem=problem))


@box.tool(
    "svc_qr_edit",
    title="Update a QR code",
    about="Update a QR code: name, destination, folder, design (colors, shapes, logo), slug, password, expiry. live "
    "pauses or resumes it. Pass only the fields to change. An empty string clears a field. Old slugs keep "
    "working. Designs that would not scan are rejected with advice.",
    short="Update name, design, slug, password or expiry, or pause a code.",
    synonyms="rename, color, logo in code, disable, deactivate, turn off, pause, expire, protect, custom link, "
    "move to folder, umbenennen, farbe, deaktivieren, pausieren, ablaufen, passwort, desactivar, color, "
    "contraseña, caducar, renombrar",
    idempotent=True,
    prepare=_check_scannable_with_logo,
)
def edit(account: Account, id: CodeId, **fields: Unpack[CodeChanges]) -> Answer[CodeDetail]:
    values = with_stored_style(fields)
    code = get_code(account, id)
    code.edit(**values)
    name = escape_markdown(code.name)
    return _code_answer(code, f"Updated “{name}”" if journal.has_changed() else f"No changes to “{name}”")


@box.tool(
    "svc_qr_delete",
    title="Delete QR codes",
    about="Delete QR codes. People who scan a printed copy see that the code no longer exists, and its address is "
    "never reused. To restore a code within 30 days, use svc_undo. To pause a code, use svc_qr_edit with "
    "live=false.",
    short="Delete QR codes. Restorable for 30 days.",
    synonyms="remove code, trash, get rid of, löschen, entfernen, eliminar, borrar",
    destructive=True,
)
def delete(account: Account, ids: Ids) -> Answer[DeletedItems]:
    codes = get_many_or_404(ids, messages.CODE_NOT_FOUND, codes_for(account).select_related("account"))
    Code.remove_many(codes)
    names = ", ".join(f"“{escape_markdown(code.name)}” ({code.pk})" for code in codes)
    text = f"Deleted {names}. You can restore it with svc_undo for 30 days."
    return Answer({"deleted": [{"id": code.pk, "title": code.name} for code in codes]}, text)


def _code_answer(code: Code, title: str) -> Answer[CodeDetail]:
    result = code_detail(code)
    return Answer(result, format_code_detail(result, title))
