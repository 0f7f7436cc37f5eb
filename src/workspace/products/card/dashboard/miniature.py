"""A card in small, as SVG: what its page will look like, in lists and while its look is being chosen. Shapes carry
their colours as attributes, which the content security policy allows."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from itertools import count

from django.utils.safestring import SafeString, mark_safe

from workspace.brand.look import DAY, NIGHT, Ground
from workspace.brand.worn import worn
from workspace.products.card.theme import MIDNIGHT, look_of

WIDTH, HEIGHT = 300, 372
_NAME, _LINE = 24, 34  # characters that fit
_numbers = count(1)  # ids within a page must differ; what they are does not matter


@dataclass(frozen=True, slots=True)
class Face:
    """What a miniature shows; pictures by their addresses, empty for none. Without a colour
    it is the one of the brand that is worn."""

    name: str
    title: str
    company: str
    initials: str
    theme: str
    colour: str
    photo: str = ""
    logo: str = ""


def miniature(face: Face) -> SafeString:
    ground = NIGHT if face.theme == MIDNIGHT else DAY
    hues = look_of(worn(), face.theme, face.colour).hues(ground)
    number = next(_numbers)
    parts = [
        f'<rect width="{WIDTH}" height="{HEIGHT}" rx="20" fill="{ground.card}"/>',
        f'<g clip-path="url(#vc-edge-{number})">',
        _band(face, hues, number),
        _logo(face),
        "</g>",
        _portrait(face, hues, ground, number),
        _words(face, hues, ground),
        _buttons(hues),
        f'<rect x=".5" y=".5" width="{WIDTH - 1}" height="{HEIGHT - 1}" rx="20" fill="none" stroke="#000" '
        f'stroke-opacity=".12"/>',
    ]
    light = hues["band"] if face.theme != MIDNIGHT else hues["band-end"]
    end = hues["band-end"] if face.theme != MIDNIGHT else ground.card
    defs = (
        f'<defs><linearGradient id="vc-band-{number}" x2="1" y2="1"><stop stop-color="{light}"/>'
        f'<stop offset="1" stop-color="{end}"/></linearGradient>'
        f'<clipPath id="vc-edge-{number}"><rect width="{WIDTH}" height="{HEIGHT}" rx="20"/></clipPath></defs>'
    )
    return mark_safe(
        f'<svg class="vc-mini" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="The card of {escape(face.name)}">'
        f"{defs}{''.join(parts)}</svg>"
    )


def _band(face: Face, hues: dict[str, str], number: int) -> str:
    height = {"bold": 218, "minimal": 0}.get(face.theme, 92)
    return f'<rect width="{WIDTH}" height="{height}" fill="url(#vc-band-{number})"/>'


def _logo(face: Face) -> str:
    if not face.logo:
        return ""
    ground = "" if face.theme == "minimal" else '<rect x="216" y="12" width="72" height="32" rx="8" fill="#fff"/>'
    return f'{ground}<image href="{escape(face.logo)}" x="222" y="15" width="60" height="26"/>'


def _portrait(face: Face, hues: dict[str, str], ground: Ground, number: int) -> str:
    x, y, radius = (62, 62, 34) if face.theme == "minimal" else (150, 92, 46)
    ring = {"bold": hues["on-band"], "minimal": "none"}.get(face.theme, ground.card)
    shape = f'<circle cx="{x}" cy="{y}" r="{radius}" fill="{hues["tint"]}" stroke="{ring}" stroke-width="4"/>'
    if face.photo:
        return (
            f'{shape}<clipPath id="vc-face-{number}"><circle cx="{x}" cy="{y}" r="{radius - 2}"/></clipPath>'
            f'<image href="{escape(face.photo)}" x="{x - radius}" y="{y - radius}" width="{2 * radius}" '
            f'height="{2 * radius}" preserveAspectRatio="xMidYMid slice" clip-path="url(#vc-face-{number})"/>'
        )
    size = round(radius * 0.72)
    return (
        f'{shape}<text x="{x}" y="{y + size * 0.35:.0f}" text-anchor="middle" font-family="Georgia, serif" '
        f'font-weight="600" font-size="{size}" fill="{hues["brand"]}">{escape(face.initials)}</text>'
    )


def _words(face: Face, hues: dict[str, str], ground: Ground) -> str:
    bold, left = face.theme == "bold", face.theme == "minimal"
    x, anchor, y = (28, "start", 132) if left else (150, "middle", 168)
    ink, soft = (hues["on-band"], hues["on-band"]) if bold else (ground.ink, ground.soft)
    lines = [
        (face.name, _NAME, 'font-family="Georgia, serif" font-weight="600" font-size="22"', ink),
        (face.title, _LINE, 'font-size="14"', soft),
        (face.company, _LINE, 'font-size="14" font-weight="600"', ink),
    ]
    out = []
    for text, most, font, fill in lines:
        if text:
            short = text if len(text) <= most else text[: most - 1] + "…"
            out.append(f'<text x="{x}" y="{y}" text-anchor="{anchor}" {font} fill="{fill}">{escape(short)}</text>')
            y += 21
    return "".join(out)


def _buttons(hues: dict[str, str]) -> str:
    tiles = "".join(
        f'<rect x="{24 + 64.5 * number:g}" y="298" width="58.5" height="46" rx="11" fill="{hues["tint"]}"/>'
        f'<circle cx="{53 + 64.5 * number:g}" cy="321" r="6" fill="none" stroke="{hues["brand"]}" stroke-width="2.5"/>'
        for number in range(4)
    )
    return (
        f'<rect x="24" y="240" width="252" height="44" rx="12" fill="{hues["brand"]}"/>'
        f'<text x="150" y="267" text-anchor="middle" font-size="15" font-weight="600" fill="{hues["on-brand"]}">'
        f"Save contact</text>{tiles}"
    )
