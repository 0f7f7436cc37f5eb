"""Codes as pictures and on paper. What is drawn is drawn in a child process, so that Busy may be raised."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from workspace.accounts.models import Account
from workspace.brand.color_contrast import BLACK, LEAST, WHITE, contrast, readable
from workspace.brand.models import Brand
from workspace.products.qr.domain.queries import codes_of
from workspace.products.qr.domain.style import LOGO_WIDTH, look_of
from workspace.products.qr.models import KIND, Code
from workspace.products.qr.rules.static_text import on_paper
from workspace.public_site.qr_image_views import drawn
from workspace.publishing.call_to_action import call_of
from workspace.publishing.items import Thing
from workspace.publishing.qr_style import dressed, usual
from workspace.qr_symbols.png import png_apart
from workspace.qr_symbols.print_sheets import INK, Logo, SheetEntry, poster, sheet
from workspace.qr_symbols.print_sheets import code as pdf_of
from workspace.qr_symbols.render_pool import drawings
from workspace.qr_symbols.style import PRESETS, Style, UnsafeStyle

Kind = Literal["code", "poster", "tent", "sheet"]
MOST = 500  # codes on a sheet
MOST_DRAWN = 32 * 1024 * 1024  # bytes of all drawings on a sheet, logos included
SEEN = 512  # pixels of what agents are shown of a code


@dataclass(frozen=True, slots=True)
class Printable:
    """Something published, with the look of its code."""

    thing: Thing
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
        return drawn(self.text, self.style, self.logo, self.thing.public_url or "QR code")

    def entry(self, words: str, *, lines: Sequence[str] = ()) -> SheetEntry:
        return SheetEntry(self.svg, self.thing.public_url.partition("://")[2], words, lines)


def printables(account: Account, found: Sequence[Thing], design: str | None) -> list[Printable]:
    """With the look that each has, or in a ready-made one without a logo."""
    ids = [thing.id for thing in found if thing.kind == KIND]
    own = codes_of(account).select_related("logo").in_bulk(ids) if ids else {}
    if design is not None and design in PRESETS:
        return [Printable(thing, PRESETS[design], None, _static(own.get(thing.id))) for thing in found]
    as_the_brand = usual(account)
    if design is not None:
        return [Printable(thing, *as_the_brand, _static(own.get(thing.id))) for thing in found]
    looks = {id: look_of(code, as_the_brand) for id, code in own.items()}
    return [
        Printable(
            thing,
            *(looks.get(thing.id) or dressed(thing.code_style, as_the_brand)),
            _static(own.get(thing.id)),
        )
        for thing in found
    ]


def _static(code: Code | None) -> Mapping[str, Any]:
    return code.static if code is not None else {}


@dataclass(frozen=True, slots=True)
class Order:
    """What is to be made. `size` is a width in pixels or a paper; without a `call` stands what the code's own caption
    says, or the usual one."""

    kind: Kind
    form: str
    size: str
    call: str | None
    business: str
    columns: int
    names: bool
    with_password: bool
    brand: Brand
    language: str

    def made(self, codes: Sequence[Printable], form: str) -> bytes:
        """Raises UnsafeStyle for what cannot be drawn, Busy, ChildFailed."""
        if self.kind == "code":
            return self._code(codes[0], form)
        options: dict[str, Any] = {"business": self.business, "paper": self.size, "form": form}
        if self.kind == "sheet":
            return sheet(self._entries(codes), columns=self.columns, **options)
        return self._poster(codes[0], options)

    def _code(self, code: Printable, form: str) -> bytes:
        if form == "pdf":
            return pdf_of(code.svg)
        return code.svg.encode() if form == "svg" else _png(code, int(self.size))

    def _poster(self, code: Printable, options: dict[str, Any]) -> bytes:
        """In the colours of the code, whose own frame goes around the page: on it stands the call."""
        style = code.style
        call = self.call if self.call is not None else code.style.caption or call_of(code.thing.call, self.language)
        lines = on_paper(code.static, self.language, with_password=self.with_password)
        light = style.background.startswith("#") and contrast(style.background, INK) >= LEAST
        ground = style.background if light else WHITE
        ink = readable(INK if style.foreground == BLACK else style.foreground, (ground,), BLACK)
        if call:
            code = replace(code, style=style.model_copy(update={"frame": "none", "caption": ""}))
        worn: dict[str, Any] = {"colour": ink, "ground": ground, "frame": style.frame if call else "none"}
        return poster(code.entry(call, lines=lines), tent=self.kind == "tent", logo=self._logo(), **worn, **options)

    def _logo(self) -> Logo | None:
        found = self.brand.logo
        return Logo(found.at(LOGO_WIDTH), found.media_type, found.width, found.height) if found else None

    def seen(self, codes: Sequence[Printable]) -> bytes:
        """The same as a PNG for looking at."""
        return _png(codes[0], SEEN) if self.kind == "code" else self.made(codes, "png")

    def _entries(self, codes: Sequence[Printable]) -> list[SheetEntry]:
        entries: list[SheetEntry] = []
        room = MOST_DRAWN
        for code in codes:
            entries.append(code.entry(code.thing.title if self.names else self._said(code)))
            room -= len(entries[-1].svg)
            if room < 0:
                raise UnsafeStyle("These are too many codes with logos for one sheet. Choose fewer.")
        return entries

    def _said(self, code: Printable) -> str:
        """The call, unless the caption in the code's own frame says the same right above it."""
        call = call_of(code.thing.call, self.language) if self.call is None else self.call
        return "" if code.style.caption.casefold() == call.casefold() else call


def _png(code: Printable, width: int) -> bytes:
    with drawings.place() as place, place.turn() as turn:
        return png_apart(code.svg, width, turn)
