"""Elements of a certificate that the owner has placed.

Boxes are in percent of the page, so that they fit every paper size. A template without elements uses the positions of
its design.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, NotRequired

from pydantic import AfterValidator, ConfigDict, Field, with_config
from typing_extensions import TypedDict

from workspace.lib.messages import Message
from workspace.products.certs import messages
from workspace.tools.argument_types import Line

Part = Literal[
    "logo", "organization", "title", "intro", "name", "line", "body", "description", "facts", "signers", "seal", "code",
    "text",
]  # fmt: skip
REQUIRED_PARTS = {"name": messages.NAME_ELEMENT_NEEDED, "code": messages.CODE_ELEMENT_NEEDED}
UNSTYLED_PARTS = ("logo", "seal", "code", "line")  # elements without text styles
MAX_ELEMENTS = 24
MIN_CODE_SIZE = (6.0, 8.0)  # percent of the page, so that a phone can scan the code
_LEFT_MARGINS = {
    "modern": (11.1, 15.7),
    "minimal": (6.7, 9.5),
}  # left edge of texts that are not centered, for landscape and portrait
_ROUNDING_TOLERANCE = 0.05  # percent by which rounded values may exceed the page


def round_percent(value: float) -> float:
    return round(float(value), 2)


PercentPosition = Annotated[float, Field(ge=0, le=100), AfterValidator(round_percent)]
PercentSize = Annotated[float, Field(ge=0.5, le=100), AfterValidator(round_percent)]


@with_config(ConfigDict(extra="forbid"))
class Element(TypedDict):
    part: Annotated[Part, Field(description="Part of the certificate.")]
    x: Annotated[PercentPosition, Field(description="Left edge, as a percentage of the page width.")]
    y: Annotated[PercentPosition, Field(description="Top edge, as a percentage of the page height.")]
    width: Annotated[PercentSize, Field(description="Width, as a percentage of the page width.")]
    height: Annotated[PercentSize, Field(description="Height, as a percentage of the page height.")]
    align: NotRequired[Annotated[Literal["left", "center", "right"], Field(description="Text alignment.")]]
    size: NotRequired[Annotated[float, Field(ge=5, le=120, description="Font size in points.")]]
    color: NotRequired[Annotated[str, Line(7, least=0), Field(description="Text color, as #rrggbb.")]]
    bold: NotRequired[Annotated[bool, Field(description="Whether the text is bold.")]]
    text: NotRequired[
        Annotated[str, Line(300, least=0), Field(description="Text, if part is text. It can contain placeholders.")]
    ]


def find_problems(elements: Sequence[Mapping[str, Any]]) -> list[tuple[str, Message]]:
    """Return the errors that concern several elements together: paths below `elements`, and messages."""
    problems: list[tuple[str, Message]] = []
    seen: set[str] = set()
    for number, element in enumerate(elements):
        part = element["part"]
        if element["x"] + element["width"] > 100 + _ROUNDING_TOLERANCE:
            problems.append((f"{number}.width", messages.BEYOND_RIGHT_EDGE))
        if element["y"] + element["height"] > 100 + _ROUNDING_TOLERANCE:
            problems.append((f"{number}.height", messages.BEYOND_BOTTOM_EDGE))
        if part == "text" and not element.get("text"):
            problems.append((f"{number}.text", messages.ELEMENT_TEXT_NEEDED))
        if part != "text" and element.get("text"):
            problems.append((f"{number}.text", messages.ELEMENT_TEXT_NOT_ALLOWED))
        if part != "text" and part in seen:
            problems.append((f"{number}.part", messages.DUPLICATE_ELEMENT))
        if part == "code" and (element["width"] < MIN_CODE_SIZE[0] or element["height"] < MIN_CODE_SIZE[1]):
            width, height = (f"{size:g}" for size in MIN_CODE_SIZE)
            problems.append((f"{number}.width", messages.CODE_TOO_SMALL(width=width, height=height)))
        seen.add(part)
    if elements:
        problems += [("", message) for part, message in REQUIRED_PARTS.items() if part not in seen]
    return problems


def default_elements(design: str, *, landscape: bool) -> list[dict[str, Any]]:
    """Return the approximate positions of a design's elements, which serve as initial values."""
    if design in _LEFT_MARGINS:
        boxes = _left_aligned_boxes(_LEFT_MARGINS[design][0 if landscape else 1], landscape=landscape)
    else:
        boxes = _center_boxes(landscape=landscape)
    return [
        {
            "part": part,
            "x": round_percent(x),
            "y": round_percent(y),
            "width": round_percent(w),
            "height": round_percent(h),
        }
        for part, (x, y, w, h) in boxes.items()
    ]


Boxes = dict[str, tuple[float, float, float, float]]


def _center_boxes(*, landscape: bool) -> Boxes:
    foot: Boxes = (
        {"signers": (22, 78, 56, 13), "seal": (9, 73, 10.5, 18), "code": (81.5, 73, 10, 18)}
        if landscape
        else {"signers": (12, 74, 76, 9), "seal": (12, 83, 14, 11), "code": (75, 83, 14, 11)}
    )
    return {
        "logo": (42, 11, 16, 8),
        "organization": (15, 19.5, 70, 4),
        "title": (12, 25, 76, 9),
        "intro": (20, 36.5, 60, 4),
        "name": (10, 42, 80, 13),
        "line": (24, 56, 52, 1),
        "body": (20, 58, 60, 6),
        "description": (20, 64.5, 60, 4),
        "facts": (20, 68.8, 60, 5.2),
        **foot,
    }


def _left_aligned_boxes(x: float, *, landscape: bool) -> Boxes:
    wide = 94.0 - x
    return {
        "logo": (x, 11, 16, 8),
        "organization": (x, 20, wide * 0.8, 4),
        "title": (x, 26, wide, 8),
        "intro": (x, 37, wide * 0.8, 4),
        "name": (x, 42, wide, 13),
        "body": (x, 58, wide * 0.8, 6),
        "description": (x, 64.5, wide * 0.8, 4),
        "facts": (x, 69, wide * 0.8, 5.5),
        "signers": (x, 79, wide * 0.8, 12),
        "seal": (83, 7, 10.5, 18) if landscape else (76, 7, 16, 12),
        "code": (84, 74, 10, 18) if landscape else (78, 82, 15, 12),
    }


def mirror_elements(elements: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Mirror elements for the opposite writing direction."""
    turned = {"left": "right", "right": "left"}
    return [
        {
            **element,
            "x": round_percent(max(0, 100 - element["x"] - element["width"])),
            **({"align": turned.get(element["align"], element["align"])} if "align" in element else {}),
        }
        for element in elements
    ]
