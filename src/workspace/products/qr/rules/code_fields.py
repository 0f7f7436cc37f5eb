"""Types of the fields of a code in arguments."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, Field, StringConstraints, with_config
from typing_extensions import TypedDict

from workspace.lib.web_address import clean_web_address
from workspace.products.qr.rules.static_content import ValidStaticContent
from workspace.publishing.public_urls import SCAN_PATH, is_own_url
from workspace.publishing.shared_item_arguments import Slug
from workspace.qr_symbols.style import PRESETS
from workspace.tools.argument_types import Id, Line


def _clean_target(text: str) -> str:
    url = clean_web_address(text)
    # a code that opens a code could create a loop; the owner's menus and cards are valid targets
    if is_own_url(url, SCAN_PATH):
        raise ValueError("A code cannot lead to another code: give the page that it should open")
    return url


def _clean_fallback(text: str) -> str:
    return _clean_target(text) if text.strip() else ""


TargetUrl = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=2048),
    AfterValidator(_clean_target),
    Field(description="Where a scan leads: an http or https address; https:// is added when it is missing"),
]
Name = Annotated[str, Line(120), Field(description="A label that only the owner sees")]
Folder = Annotated[str, Line(60, least=0), Field(description="A folder's name, as svc_qr_list tells them; empty: none")]
BRAND_PRESET = "brand"  # the preset of a code without a style of its own


def _check_preset(preset: str) -> str:
    if preset not in PRESETS and preset != BRAND_PRESET:
        raise ValueError(f"Must be one of {', '.join([*PRESETS, BRAND_PRESET])}")
    return preset


Preset = Annotated[
    str,
    AfterValidator(_check_preset),
    Field(description="A ready-made look: in place of a style", json_schema_extra={"enum": [*PRESETS, BRAND_PRESET]}),
]
LogoId = Annotated[
    str, Field(max_length=64, description="A logo in the middle: the upload_id of a picture; empty for none")
]
FallbackUrl = Annotated[
    str,
    StringConstraints(max_length=2048),
    AfterValidator(_clean_fallback),
    Field(
        description="Where scans lead meanwhile: while it is paused or has expired; empty for a friendly page of ours"
    ),
]


class CodeFields(TypedDict, total=False):
    """Arguments shared by creating and changing a code."""

    name: Name
    target_url: TargetUrl
    folder: Folder
    preset: Preset
    logo_id: LogoId
    fallback_url: FallbackUrl


@with_config(extra="forbid", strict=True)
class SavedCode(CodeFields, total=False):
    """A code of a list: a new one needs `name` and `target_url` or `static`, one that changes its `id`."""

    id: Annotated[Id, Field(description="Of a code to change; left out: a new one")]
    slug: Slug
    static: Annotated[
        ValidStaticContent,
        Field(description="In place of target_url, a new static code: it works offline, cannot change, is not counted"),
    ]
    copy_of: Annotated[
        Id, Field(description="A new one is as this code in all that is not given; with an id it takes its look")
    ]
