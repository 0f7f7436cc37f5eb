"""The data of a certificate for the print layout. Text is never interpreted as markup."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from workspace.brand.color_contrast import BLACK, WHITE, contrast_ratio, mix_colors, readable_color
from workspace.documents import glyph_coverage
from workspace.qr_symbols.symbol import QUIET_ZONE, encode_symbol

LAYOUT_PATH = Path(__file__).with_name("layouts") / "certificate.typ"
DESIGNS = ("classic", "guilloche", "diploma", "modern", "minimal", "waves", "angles", "night")
Design = Literal["classic", "guilloche", "diploma", "modern", "minimal", "waves", "angles", "night"]
Seal = Literal["none", "rosette", "ribbon"]
TYPEFACES = {"classic": "Playfair Display", "modern": "Outfit", "warm": "Fraunces", "plain": "Noto Sans"}
PLAIN_TYPEFACE = TYPEFACES["plain"]
_DESIGN_TYPEFACES = {
    "guilloche": "warm",
    "modern": "modern",
    "minimal": "modern",
    "waves": "modern",
    "angles": "modern",
}
GOLD_COLOR, LIGHT_GOLD_COLOR, LINE_COLOR = "#b08d3c", "#dcc07a", "#d9d5cc"
MIN_STAR_CONTRAST = 1.9  # for a large star on a seal
PLACEHOLDERS = ("name", "course", "date", "hours", "custom", "code", "organization")
_PLACEHOLDER_PATTERN = re.compile(r"\{([^{}]*)\}")


@dataclass(frozen=True, slots=True)
class Signer:
    """A signer. `image` is an SVG that contains the picture of the signature."""

    name: str
    role: str = ""
    image: str = ""


@dataclass(frozen=True, slots=True)
class CertificateDesign:
    """The design shared by all certificates of a template.

    `colors` are the main color and the accent, as `#rrggbb`. `logo` and `background` are SVGs that contain an image.
    `fonts` is a key of TYPEFACES, or empty for the design's own fonts.
    """

    title: str
    organization: str = ""
    intro: str = ""
    body: str = ""
    description: str = ""
    signers: Sequence[Signer] = ()
    design: str = "classic"
    paper: str = "a4"
    landscape: bool = True
    colors: Sequence[str] = ("#1f3a5f",)
    fonts: str = ""
    seal: str = "rosette"
    logo: str = ""
    background: str = ""
    elements: Sequence[Mapping[str, Any]] = ()  # elements that the owner has placed
    check: str = ""  # a text that says where to verify the code


@dataclass(frozen=True, slots=True)
class CertificateTexts:
    """The wording of a certificate. `facts` are labels with their values."""

    name: str
    url: str
    code: str
    values: Mapping[str, str] = field(default_factory=dict)  # by placeholder
    facts: Sequence[tuple[str, str]] = ()


def build_print_data(certificate_design: CertificateDesign, certificate_texts: CertificateTexts) -> dict[str, Any]:
    """Return the input of the print layout."""
    values = {
        "organization": certificate_design.organization,
        **certificate_texts.values,
        "name": certificate_texts.name,
        "code": certificate_texts.code,
    }
    return {
        "paper": certificate_design.paper,
        "landscape": certificate_design.landscape,
        "design": certificate_design.design,
        "elements": [
            {**element, "words": split_placeholders(element.get("text", ""), values)}
            for element in certificate_design.elements
        ],
        "faces": select_typefaces(
            certificate_design,
            {"title": certificate_design.title, "intro": certificate_design.intro, "name": certificate_texts.name},
        ),
        "colors": compute_colors(certificate_design.colors, certificate_design.design),
        "organization": certificate_design.organization,
        "title": certificate_design.title,
        "intro": split_placeholders(certificate_design.intro, values),
        "body": split_placeholders(certificate_design.body, values),
        "description": certificate_design.description,
        "name": certificate_texts.name,
        "facts": [list(fact) for fact in certificate_texts.facts],
        "signers": [
            {"name": signer.name, "role": signer.role, "image": signer.image} for signer in certificate_design.signers
        ],
        "seal": certificate_design.seal,
        "logo": certificate_design.logo,
        "background": certificate_design.background,
        "qr": render_qr_code(certificate_texts.url),
        "code": certificate_texts.code,
        "check": certificate_design.check,
    }


def select_typefaces(certificate_design: CertificateDesign, texts: Mapping[str, str]) -> dict[str, str]:
    """Return the typeface of each text: the one of the design, or a fallback if glyphs are missing."""
    face = TYPEFACES[certificate_design.fonts or _DESIGN_TYPEFACES.get(certificate_design.design, "classic")]
    return {name: face if glyph_coverage.has_glyphs(face, text) else PLAIN_TYPEFACE for name, text in texts.items()}


def compute_colors(colors: Sequence[str], design: str) -> dict[str, str]:
    """Compute all colors of a page.

    Lines and letters use a readable variant of a color, and large areas use the color itself.
    """
    band = colors[0]
    accent = colors[1] if len(colors) > 1 else GOLD_COLOR if design in ("classic", "guilloche", "diploma") else ""
    grounds = ("#ffffff", "#fbf4e4")
    main = readable_color(band, grounds, BLACK)
    seal = accent or GOLD_COLOR
    accent = accent or mix_colors(band, WHITE, 0.45)
    # the dark design must not contain light areas in the chosen color
    night = mix_colors(mix_colors(band, BLACK, 0.55), "#0e1626", 0.45)
    return {
        "main": main,
        "band": band,
        "accent": accent,
        "seal": seal,
        "rim": WHITE if contrast_ratio(seal, WHITE) > MIN_STAR_CONTRAST else BLACK,
        "tint": mix_colors("#ffffff", band, 0.1),
        "ink": "#1d2733",
        "soft": "#566070",
        "line": LINE_COLOR,
        "gold": GOLD_COLOR,
        "gold-light": colors[1] if design == "night" and len(colors) > 1 else LIGHT_GOLD_COLOR,
        "night": night,
    }


def split_placeholders(text: str, values: Mapping[str, str]) -> list[dict[str, Any]]:
    """Fill in placeholders. Return the parts of the text, in which the inserted values are marked.

    A placeholder without a value is removed.
    """
    results: list[dict[str, Any]] = []
    for place, part in enumerate(_PLACEHOLDER_PATTERN.split(text)):
        words, strong = (values.get(part, ""), True) if place % 2 else (part, False)
        if words:
            results.append({"words": words, "strong": strong})
    return results if any(part["words"].strip() for part in results) else []


def fill_placeholders(text: str, values: Mapping[str, str]) -> str:
    """Return the text with its placeholders filled in."""
    return _PLACEHOLDER_PATTERN.sub(lambda part: values.get(part[1], ""), text)


def find_unknown_placeholder(text: str) -> str:
    """Return the first unknown placeholder exactly as it is written, or an empty string."""
    return next((f"{{{name}}}" for name in _PLACEHOLDER_PATTERN.findall(text) if name not in PLACEHOLDERS), "")


def render_qr_code(url: str) -> str:
    """Return the QR code of a URL in black and white, as SVG.

    The SVG consists of a single path, so that five hundred codes render quickly.
    """
    symbol = encode_symbol(url.upper())
    size = symbol.size + QUIET_ZONE
    half = QUIET_ZONE // 2  # the margin of the layout adds the rest
    path = "".join(f"M{x + half} {y + half}h1v1h-1z" for x, y in sorted(symbol.dark))
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size} {size}"><path d="{path}"/></svg>'


def page_width_points(certificate_design: CertificateDesign) -> float:
    """Return the width of the page in points."""
    short, long = {"a4": (210, 297), "letter": (215.9, 279.4)}[certificate_design.paper]
    return (long if certificate_design.landscape else short) / 25.4 * 72
