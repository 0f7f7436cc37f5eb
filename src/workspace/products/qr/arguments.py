"""The types of the QR tools' arguments."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field, StringConstraints, with_config
from typing_extensions import TypedDict

from workspace.products.qr.scanning import problem_in, verdict_on
from workspace.products.qr.static_content import Static
from workspace.publishing.arguments import Publishing, Slug
from workspace.publishing.own_address import SCAN, is_own
from workspace.symbols.style import PRESETS, Style
from workspace.toolkit.errors import InvalidInput
from workspace.toolkit.types import Id, Line, faulty, when_new
from workspace.toolkit.web_address import clean_web_address


def _target(text: str) -> str:
    url = clean_web_address(text)
    # a code that leads to a code may lead back to itself; an owner's menu or card is a welcome target
    if is_own(url, SCAN):
        raise ValueError("A code cannot lead to another code: give the page that it should open")
    return url


def _fallback(text: str) -> str:
    return _target(text) if text.strip() else ""


TargetUrl = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=2048),
    AfterValidator(_target),
    Field(description="Where a scan leads: an http or https address; https:// is added when it is missing"),
]
Name = Annotated[str, Line(120), Field(description="A label that only the owner sees")]
Folder = Annotated[str, Line(60, least=0), Field(description="A folder's name, as svc_qr_list tells them; empty: none")]
CodeId = Annotated[Id, Field(description="The code's id, as svc_qr_list and svc_qr_create tell it")]


AS_THE_BRAND = "brand"  # the preset of a code without a look of its own


def _scannable(style: Style) -> Style:
    """Decoded by two readers while the arguments are checked (about half a second), outside of any transaction."""
    if problem := problem_in(verdict_on(style)):
        raise ValueError(f"This style would not scan. {problem}")
    return style


def _known(preset: str) -> str:
    if preset not in PRESETS and preset != AS_THE_BRAND:
        raise ValueError(f"Must be one of {', '.join([*PRESETS, AS_THE_BRAND])}")
    return preset


SafeStyle = Annotated[
    Style,
    AfterValidator(_scannable),
    Field(description="The whole look: what is left out takes its default; one that would not scan is refused"),
]
Preset = Annotated[
    str,
    AfterValidator(_known),
    Field(description="A ready-made look: in place of a style", json_schema_extra={"enum": [*PRESETS, AS_THE_BRAND]}),
]
LogoId = Annotated[
    str, Field(max_length=64, description="A logo in the middle: the upload_id of a picture; empty for none")
]


FallbackUrl = Annotated[
    str,
    StringConstraints(max_length=2048),
    AfterValidator(_fallback),
    Field(
        description="Where scans lead meanwhile: while it is paused or has expired; empty for a friendly page of ours"
    ),
]


class CodeFields(TypedDict, total=False):
    """What a code is, whoever makes or changes it."""

    name: Name
    target_url: TargetUrl
    folder: Folder
    preset: Preset
    logo_id: LogoId
    fallback_url: FallbackUrl


class CodeChanges(CodeFields, Publishing, total=False):
    style: SafeStyle


def dressed(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a code with its look as it is stored. Raises InvalidInput at `preset` where there are two."""
    found = dict(fields)
    preset, style = found.pop("preset", None), found.pop("style", None)
    if preset and style:
        raise InvalidInput.at("preset", "Give a style or a preset, not both")
    if preset == AS_THE_BRAND:
        found["style"] = {}
    elif look := style or PRESETS.get(preset or ""):
        found["style"] = look.model_dump()  # whole, since black on white is chosen, too, and nothing is the brand's
    return found


@with_config(extra="forbid", strict=True)
class SavedCode(CodeFields, total=False):
    """A code of a list: a new one needs `name` and `target_url` or `static`, one that changes its `id`."""

    id: Annotated[Id, Field(description="Of a code to change; left out: a new one")]
    slug: Slug
    static: Annotated[
        Static,
        Field(description="In place of target_url, a new static code: it works offline, cannot change, is not counted"),
    ]
    like: Annotated[
        Id, Field(description="A new one is as this code in all that is not given; with an id it takes its look")
    ]


def _one_of_both(entry: Any) -> Any:
    """A new one leads somewhere or holds something; what is printed of a static one stays as it is."""
    if not isinstance(entry, dict):
        return entry
    faults: dict[str, str] = {}
    if "static" not in entry:
        return entry
    if entry.get("id") is not None:
        faults["static"] = "What a code holds is fixed: make a new one, and remove this one"
    for name in ("target_url", "fallback_url", "slug"):
        if name in entry:
            faults[name] = "A static code has none: it holds its content itself"
    if faults:
        raise faulty(faults, entry)
    return entry


Entry = Annotated[
    SavedCode,
    BeforeValidator(_one_of_both),
    when_new("name", "target_url", unless="like", instead={"target_url": "static"}),
]
