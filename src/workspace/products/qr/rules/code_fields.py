"""Types of the fields of a code in arguments."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, Field, StringConstraints, with_config
from typing_extensions import TypedDict

from workspace.lib.web_address import clean_web_address
from workspace.products.qr import messages
from workspace.products.qr.rules.static_content import ValidStaticContent
from workspace.publishing.public_urls import SCAN_PATH, is_own_url
from workspace.publishing.shared_item_arguments import Slug
from workspace.qr_symbols.style import PRESETS
from workspace.tools.argument_types import Id, Line


def _clean_target(text: str) -> str:
    url = clean_web_address(text)
    # a code that opens a code could create a loop; the owner's menus and cards are valid targets
    if is_own_url(url, SCAN_PATH):
        raise ValueError(str(messages.CODE_OPENS_CODE))
    return url


def _clean_fallback(text: str) -> str:
    return _clean_target(text) if text.strip() else ""


TargetUrl = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=2048),
    AfterValidator(_clean_target),
    Field(description="Destination URL of the QR code. https:// is added if missing."),
]
Name = Annotated[str, Line(120), Field(description="Internal name. Only you see it.")]
Folder = Annotated[
    str, Line(60, least=0), Field(description="Folder name, as in svc_qr_list. An empty string means no folder.")
]
BRAND_PRESET = "brand"  # the preset of a code without a style of its own


def _check_preset(preset: str) -> str:
    if preset not in PRESETS and preset != BRAND_PRESET:
        raise ValueError(str(messages.NOT_ONE_OF(values=", ".join([*PRESETS, BRAND_PRESET]))))
    return preset


Preset = Annotated[
    str,
    AfterValidator(_check_preset),
    Field(description="Ready-made design, instead of style.", json_schema_extra={"enum": [*PRESETS, BRAND_PRESET]}),
]
LogoId = Annotated[
    str, Field(max_length=64, description="upload_id of the logo in the center. An empty string removes it.")
]
FallbackUrl = Annotated[
    str,
    StringConstraints(max_length=2048),
    AfterValidator(_clean_fallback),
    Field(description="Destination while the code is paused or expired. An empty string restores the default page."),
]


class CodeFields(TypedDict, total=False):
    """Arguments for creating and changing a code."""

    name: Name
    target_url: TargetUrl
    folder: Folder
    preset: Preset
    logo_id: LogoId
    fallback_url: FallbackUrl


@with_config(extra="forbid", strict=True)
class SavedCode(CodeFields, total=False):
    """A code in a list. A new one needs `name`, and `target_url` or `static`. A change needs the `id`."""

    id: Annotated[Id, Field(description="ID of a code to update. Omit it to create a new one.")]
    slug: Slug
    static: Annotated[
        ValidStaticContent,
        Field(
            description=(
                "Content of a new static code, instead of target_url. A static code works offline, can't be "
                "changed and doesn't count scans."
            )
        ),
    ]
    copy_of: Annotated[Id, Field(description="Code to copy omitted values from. With id, only its design is copied.")]
