"""QR codes of any published item as pictures or for print: a poster, a table tent, or a sheet to cut apart.

PDFs show the business and a call to action. Names of items are for their owner, so a sheet shows them only on request.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Annotated, Literal, NotRequired, Unpack
from urllib.parse import urlencode

from django.conf import settings
from django.utils.text import slugify
from pydantic import Field
from typing_extensions import TypedDict

from workspace.accounts.models import Account
from workspace.brand.models import Brand
from workspace.lib.errors import InvalidInputError, NotFoundError, OperationNotAllowedError
from workspace.lib.subprocess_worker.pool import SubprocessError
from workspace.lib.text import escape_markdown
from workspace.products.qr import messages
from workspace.products.qr.api.tools import box
from workspace.products.qr.domain.print_files import MAX_CODES, Printable, PrintKind, PrintOrder, load_printables
from workspace.products.qr.rules.code_fields import Preset
from workspace.public_site.qr_image_views import SIZES
from workspace.publishing.guest_language import guest_language
from workspace.publishing.items import get_items
from workspace.qr_symbols.style import UnsafeStyleError
from workspace.tools.answer import Answer, File, format_bullets
from workspace.tools.argument_types import AnyItem, Line

FORMATS = {"code": ("png", "svg", "pdf"), "poster": ("pdf", "png"), "tent": ("pdf", "png"), "sheet": ("pdf", "png")}
PAPER_SIZES = {
    "code": (),
    "poster": ("a5", "a6", "a4", "letter"),
    "tent": ("a5", "a6", "a4", "letter"),
    "sheet": ("a4", "letter"),
}
MEDIA_TYPES = {"png": "image/png", "svg": "image/svg+xml", "pdf": "application/pdf"}
PAPER_ARGUMENTS, SHEET_ARGUMENTS, POSTER_ARGUMENTS = (
    ("call_to_action", "business"),
    ("more_items", "folder", "columns", "names"),
    ("include_password",),
)
MAX_URL_LENGTH = 6000


class PrintOptions(TypedDict, total=False):
    design: Annotated[Preset, Field(description="Ready-made design, instead of the item's design and logo.")]
    format: Annotated[
        Literal["png", "svg", "pdf"],
        Field(
            description=(
                "File format. Images can be png, svg or pdf. Posters, tents and sheets are pdf; for these, png is "
                "a preview of the first page."
            )
        ),
    ]
    size: Annotated[
        str,
        Line(8),
        Field(
            description="Width in pixels, or a paper size. Widths are from 128 to 4096. Paper sizes are a4, a5, a6 "
            "and letter."
        ),
    ]
    call_to_action: Annotated[
        str,
        Line(80, least=0),
        Field(description='Call to action, such as "Scan me". Use an empty string to leave it out.'),
    ]
    business: Annotated[
        str,
        Line(80, least=0),
        Field(description="Business name to print. Defaults to yours. Use an empty string to leave it out."),
    ]
    include_password: Annotated[bool, Field(description="Whether to print the Wi-Fi password on a poster or tent.")]
    more_items: Annotated[
        list[AnyItem], Field(max_length=MAX_CODES - 1, description="More items for a sheet, one code each.")
    ]
    folder: Annotated[str, Line(60), Field(description="Folder whose QR codes are printed on a sheet.")]
    columns: Annotated[int, Field(ge=1, le=6, description="Codes per row on a sheet. Defaults to 3.")]
    names: Annotated[bool, Field(description="Whether to print item names instead of the call to action.")]


class PrintedItem(TypedDict):
    id: str
    noun: Annotated[str, Field(description="Type of item, such as QR code, menu or business card.")]
    title: str
    state: str
    public_url: str
    printed_url: Annotated[str, Field(description="URL in the symbol. Empty for a static code.")]


class PrintResult(TypedDict):
    kind: str
    file_name: str
    media_type: str
    size: Annotated[int, Field(description="Size in bytes.")]
    file_url: NotRequired[
        Annotated[
            str,
            Field(description="URL of the print file. Needs a session or an API key. Missing for very large sheets."),
        ]
    ]
    printed: list[PrintedItem]


@box.tool(
    "svc_qr_print",
    title="Print a QR code, poster or sheet",
    about="Get a print file of any item's QR code: an image, or a PDF of a poster, table tent or label sheet. "
    "Returns a preview and a download link. Print QR codes at least 2 cm wide, and at least a tenth of the "
    "scanning distance.",
    short="Get a QR code as an image, poster, table tent or label sheet.",
    synonyms="table tents, stickers, labels, flyer, sign, pdf, print file, tabletop, drucken, tischaufsteller, "
    "aufkleber, plakat, etiketten, imprimir, póster, cartel, pegatinas, etiquetas",
    reads=True,
)
def print_code(
    account: Account,
    thing: AnyItem,
    kind: Annotated[PrintKind, Field(description="Type of print: image, poster, table tent, or label sheet.")] = "code",
    **wishes: Unpack[PrintOptions],
) -> Answer[PrintResult]:
    order = _build_order(account, kind, wishes)
    codes = _find_printables(account, [thing, *wishes.get("more_items", ())], wishes)
    content = _render_file(lambda: order.render(codes, order.form))
    first = slugify(codes[0].thing.title)[:60].strip("-") or codes[0].slug
    data: PrintResult = {
        "kind": kind,
        "file_name": f"{first}.{order.form}" if kind == "code" else f"{first}-{kind}.{order.form}",
        "media_type": MEDIA_TYPES[order.form],
        "size": len(content),
        "printed": [_printed_item(code) for code in codes],
    }
    parameters = {**wishes, **({"more_items": json.dumps(wishes["more_items"])} if "more_items" in wishes else {})}
    address = f"{settings.BASE_URL}/files/qr/print?{urlencode({'thing': thing, 'kind': kind, **parameters})}"
    if len(address) <= MAX_URL_LENGTH:
        data["file_url"] = address
    file = File(data["file_name"], data["media_type"], content)
    return Answer(
        data, _format_result(data), file=file, picture=lambda: _render_file(lambda: order.render_preview(codes))
    )


def _render_file(render: Callable[[], bytes]) -> bytes:
    try:
        return render()
    except UnsafeStyleError as unsafe:
        raise OperationNotAllowedError(str(unsafe)) from None
    except SubprocessError:
        raise OperationNotAllowedError(messages.DRAWING_FAILED) from None


def _build_order(account: Account, kind: PrintKind, options: PrintOptions) -> PrintOrder:
    """Build the order. Raise InvalidInputError if arguments cannot be combined."""
    for name in options:
        if name in SHEET_ARGUMENTS and kind != "sheet":
            raise InvalidInputError.at_path(name, messages.SHEET_ARGUMENT)
        if name in POSTER_ARGUMENTS and kind not in ("poster", "tent"):
            raise InvalidInputError.at_path(name, messages.POSTER_ARGUMENT)
        if name in PAPER_ARGUMENTS and kind == "code":
            raise InvalidInputError.at_path(name, messages.PAPER_ARGUMENT)
    form, papers = options.get("format", FORMATS[kind][0]), PAPER_SIZES[kind]
    if form not in FORMATS[kind]:
        raise InvalidInputError.at_path("format", messages.UNKNOWN_FORMAT(kind=kind, values=", ".join(FORMATS[kind])))
    if form != "png" and not papers and "size" in options:
        raise InvalidInputError.at_path("size", messages.SIZE_OF_VECTOR_FORMAT(format=form.upper()))
    size = options.get("size", papers[0] if papers else "1024").lower()
    if papers and size not in papers:
        raise InvalidInputError.at_path("size", messages.UNKNOWN_PAPER(kind=kind, values=", ".join(papers)))
    if not papers and not (size.isascii() and size.isdigit() and SIZES[0] <= int(size) <= SIZES[-1]):
        raise InvalidInputError.at_path("size", messages.INVALID_WIDTH(least=SIZES[0], most=SIZES[-1]))
    return PrintOrder(
        kind=kind,
        form=form,
        size=size,
        call_to_action=options.get("call_to_action"),
        business=options.get("business", account.name),
        columns=options.get("columns", 3),
        names=options.get("names", False),
        include_password=options.get("include_password", False),
        brand=Brand.for_account(account),
        language=guest_language(account),
    )


def _find_printables(account: Account, ids: list[str], options: PrintOptions) -> list[Printable]:
    """Return each item once: those with these ids in order, then those of a folder.

    Raise NotFoundError if one is missing, and InvalidInputError if there are too many.
    """
    if "folder" in options:
        ids += account.codes.filter(folder=options["folder"]).values_list("pk", flat=True)[: MAX_CODES + 1]
    ids = list(dict.fromkeys(ids))
    if len(ids) > MAX_CODES:
        raise InvalidInputError.at_path("folder", messages.SHEET_LIMIT(most=MAX_CODES))
    existing = get_items(account, ids)
    for id in ids:
        if id not in existing:
            raise NotFoundError(messages.ITEM_NOT_FOUND)
    return load_printables(account, [existing[id] for id in ids], options.get("design"))


def _printed_item(code: Printable) -> PrintedItem:
    return {
        "id": code.thing.id,
        "noun": code.thing.noun,
        "title": code.thing.title,
        "state": code.thing.state.value,
        "public_url": code.thing.public_url,
        "printed_url": code.text if code.thing.public_url else "",
    }


def _format_result(data: PrintResult) -> str:
    where = f": {data['file_url']}" if "file_url" in data else " on the dashboard"
    head = (
        f"Created {data['kind']}: {data['file_name']} ({data['media_type']}, {data['size']} bytes). "
        f"Download it signed in or with the API key{where}"
    )
    return "\n".join([head, "", *format_bullets(data["printed"], _format_item)])


def _format_item(item: PrintedItem) -> str:
    named = f"{item['noun']} **{escape_markdown(item['title'])}**"
    if not item["public_url"]:
        return f"{named} `{item['id']}`"
    return f"{named} ({item['state']}) {item['public_url']}, printed as {item['printed_url']} `{item['id']}`"
