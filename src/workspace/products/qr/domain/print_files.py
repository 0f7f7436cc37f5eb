"""QR codes as pictures and print files.

They are rendered in a subprocess, so BusyError may be raised.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from workspace.accounts.models import Account
from workspace.brand.color_contrast import BLACK, MIN_CONTRAST, WHITE, contrast_ratio, readable_color
from workspace.brand.models import Brand
from workspace.products.qr import messages
from workspace.products.qr.domain.code_style import LOGO_WIDTH, resolve_style
from workspace.products.qr.domain.queries import codes_for
from workspace.products.qr.models import KIND, Code
from workspace.products.qr.rules.poster_text import poster_lines
from workspace.public_site.qr_image_views import get_or_render_svg
from workspace.publishing.guest_language import translate_call_to_action
from workspace.publishing.items import Item
from workspace.publishing.qr_style import default_style, item_style
from workspace.qr_symbols.png import render_png_in_worker
from workspace.qr_symbols.print_sheets import INK_COLOR, PrintLogo, SheetEntry, render_poster, render_sheet
from workspace.qr_symbols.print_sheets import render_code_pdf as pdf_of
from workspace.qr_symbols.render_pool import render_pool
from workspace.qr_symbols.style import PRESETS, Style, UnsafeStyleError

PrintKind = Literal["code", "poster", "tent", "sheet"]
MAX_CODES = 500  # codes on a sheet
MAX_DRAWING_BYTES = 32 * 1024 * 1024  # bytes of all drawings on a sheet, logos included
PREVIEW_WIDTH = 512  # pixels of the picture of a code for agents


@dataclass(frozen=True, slots=True)
class Printable:
    """A published item with the style of its code."""

    thing: Item
    style: Style
    logo: bytes | None
    static: Mapping[str, Any] = field(default_factory=dict, repr=False)

    @property
    def text(self) -> str:
        return self.thing.symbol_text

    @property
    def slug(self) -> str:
        return self.thing.public_url.rpartition("/")[2] or self.thing.id

    @property
    def svg(self) -> str:
        return get_or_render_svg(self.text, self.style, self.logo, self.thing.public_url or "QR code")

    def build_entry(self, words: str, *, lines: Sequence[str] = ()) -> SheetEntry:
        return SheetEntry(self.svg, self.thing.public_url.partition("://")[2], words, lines)


def load_printables(account: Account, items: Sequence[Item], preset: str | None) -> list[Printable]:
    """Return the items with their styles, or in a preset without a logo."""
    ids = [item.id for item in items if item.kind == KIND]
    own = codes_for(account).select_related("logo").in_bulk(ids) if ids else {}
    if preset is not None and preset in PRESETS:
        return [Printable(item, PRESETS[preset], None, _static_content(own.get(item.id))) for item in items]
    as_the_brand = default_style(account)
    if preset is not None:
        return [Printable(item, *as_the_brand, _static_content(own.get(item.id))) for item in items]
    looks = {id: resolve_style(code, as_the_brand) for id, code in own.items()}
    return [
        Printable(
            item,
            *(looks.get(item.id) or item_style(item.code_style, as_the_brand)),
            _static_content(own.get(item.id)),
        )
        for item in items
    ]


def _static_content(code: Code | None) -> Mapping[str, Any]:
    return code.decrypted_content if code is not None else {}


@dataclass(frozen=True, slots=True)
class PrintOrder:
    """A print order.

    `size` is a width in pixels or a paper size. Without a `call_to_action`, the code's caption or the default call to
    action is printed.
    """

    kind: PrintKind
    form: str
    size: str
    call_to_action: str | None
    business: str
    columns: int
    names: bool
    include_password: bool
    brand: Brand
    language: str

    def render(self, codes: Sequence[Printable], file_format: str) -> bytes:
        """Render the file. Raise UnsafeStyleError if a code cannot be rendered, or BusyError or SubprocessError."""
        if self.kind == "code":
            return self._render_code(codes[0], file_format)
        options: dict[str, Any] = {"business": self.business, "paper": self.size, "form": file_format}
        if self.kind == "sheet":
            return render_sheet(self._build_entries(codes), columns=self.columns, **options)
        return self._render_poster(codes[0], options)

    def _render_code(self, code: Printable, file_format: str) -> bytes:
        if file_format == "pdf":
            return pdf_of(code.svg)
        return code.svg.encode() if file_format == "svg" else _render_png(code, int(self.size))

    def _render_poster(self, code: Printable, options: dict[str, Any]) -> bytes:
        """Render a poster in the code's colors. The code's frame surrounds the page and contains the call to action."""
        style = code.style
        call = (
            self.call_to_action
            if self.call_to_action is not None
            else code.style.caption or translate_call_to_action(code.thing.call_to_action, self.language)
        )
        lines = poster_lines(code.static, self.language, include_password=self.include_password)
        light = style.background.startswith("#") and contrast_ratio(style.background, INK_COLOR) >= MIN_CONTRAST
        ground = style.background if light else WHITE
        ink = readable_color(INK_COLOR if style.foreground == BLACK else style.foreground, (ground,), BLACK)
        if call:
            code = replace(code, style=style.model_copy(update={"frame": "none", "caption": ""}))
        worn: dict[str, Any] = {"color": ink, "ground": ground, "frame": style.frame if call else "none"}
        return render_poster(
            code.build_entry(call, lines=lines), tent=self.kind == "tent", logo=self._load_logo(), **worn, **options
        )

    def _load_logo(self) -> PrintLogo | None:
        upload = self.brand.logo
        return (
            PrintLogo(upload.content_at(LOGO_WIDTH), upload.media_type, upload.width, upload.height) if upload else None
        )

    def render_preview(self, codes: Sequence[Printable]) -> bytes:
        """Return a PNG of the file."""
        return _render_png(codes[0], PREVIEW_WIDTH) if self.kind == "code" else self.render(codes, "png")

    def _build_entries(self, codes: Sequence[Printable]) -> list[SheetEntry]:
        entries: list[SheetEntry] = []
        room = MAX_DRAWING_BYTES
        for code in codes:
            entries.append(code.build_entry(code.thing.title if self.names else self._call_to_action_text(code)))
            room -= len(entries[-1].svg)
            if room < 0:
                raise UnsafeStyleError(str(messages.SHEET_TOO_LARGE))
        return entries

    def _call_to_action_text(self, code: Printable) -> str:
        """Return the call to action, or an empty string if the code's caption is the same text."""
        call = (
            translate_call_to_action(code.thing.call_to_action, self.language)
            if self.call_to_action is None
            else self.call_to_action
        )
        return "" if code.style.caption.casefold() == call.casefold() else call


def _render_png(code: Printable, width: int) -> bytes:
    with render_pool.reserve_slot() as place, place.wait_for_turn() as turn:
        return render_png_in_worker(code.svg, width, turn)
