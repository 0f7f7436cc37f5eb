"""The types of the QR tools' arguments."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated

from django.conf import settings
from pydantic import AfterValidator, Field, StringConstraints

from workspace.publishing.own_address import SCAN, is_own
from workspace.symbols.scancheck import check
from workspace.symbols.style import PRESETS, Style
from workspace.toolkit.types import Id, Line
from workspace.toolkit.web_address import clean_web_address


def _target(text: str) -> str:
    url = clean_web_address(text)
    # a code that leads to a code may lead back to itself; an owner's menu or card is a welcome target
    if is_own(url, SCAN):
        raise ValueError("A code cannot lead to another code: give the page that it should open")
    return url


TargetUrl = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=2048),
    AfterValidator(_target),
    Field(description="Where a scan leads: an http or https address; https:// is added when it is missing"),
]
Name = Annotated[str, Line(120), Field(description="A label that only the owner sees")]
Folder = Annotated[str, Line(60, least=0), Field(description="A folder's name; empty for none")]
CodeId = Annotated[Id, Field(description="The code's id, as svc_qr_list and svc_qr_create tell it")]

# What a style is checked against: as long as a random printed address. The verdict is the style's, not the text's.
SAMPLE_SLUG = "H7K3MNP"


@lru_cache(maxsize=256)
def _verdict(style_json: str) -> str:
    """Empty, or why the style cannot be used."""
    report = check(Style.model_validate_json(style_json), f"{settings.BASE_URL}/Q/{SAMPLE_SLUG}".upper())
    return report.advice[0] if report.verdict == "unsafe" else ""


def _scannable(style: Style) -> Style:
    """Decoded by two readers while the arguments are checked (about half a second), outside of any transaction."""
    problem = _verdict(style.model_dump_json())
    if problem:
        raise ValueError(f"This style would not scan. {problem}")
    return style


def _known(preset: str) -> str:
    if preset not in PRESETS:
        raise ValueError(f"Must be one of {', '.join(PRESETS)}")
    return preset


SafeStyle = Annotated[
    Style,
    AfterValidator(_scannable),
    Field(description="The whole look; what is left out takes its default"),
]
Preset = Annotated[
    str,
    AfterValidator(_known),
    Field(description="A ready-made look, instead of a style", json_schema_extra={"enum": list(PRESETS)}),
]
