"""Elements of a certificate placed by hand. Boxes are in percent of the page, so that they fit every paper size.

A template without elements uses the positions of its design."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, NotRequired, get_args

from pydantic import AfterValidator, ConfigDict, Field, with_config
from typing_extensions import TypedDict

from workspace.tools.argument_types import Line

Part = Literal[
    "logo", "organization", "title", "intro", "name", "line", "body", "description", "facts", "signers", "seal", "code",
    "text",
]  # fmt: skip
PART_NAMES: tuple[str, ...] = get_args(Part)
REQUIRED_PARTS = {"name": "The name must stand somewhere", "code": "The code must stay: by it anybody can check"}
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
    part: Part
    x: Annotated[PercentPosition, Field(description="Left edge; percent of the page")]
    y: Annotated[PercentPosition, Field(description="Upper edge")]
    width: PercentSize
    height: PercentSize
    align: NotRequired[Literal["left", "center", "right"]]
    size: NotRequired[Annotated[float, Field(ge=5, le=120, description="Points")]]
    color: NotRequired[Annotated[str, Line(7, least=0)]]
    bold: NotRequired[bool]
    text: NotRequired[Annotated[str, Line(300, least=0), Field(description="Of part=text, with placeholders")]]


def find_problems(elements: Sequence[Mapping[str, Any]]) -> list[tuple[str, str]]:
    """Return errors of the elements as a whole: paths below `elements`, and messages."""
    problems = []
    seen: set[str] = set()
    for number, element in enumerate(elements):
        part = element["part"]
        if element["x"] + element["width"] > 100 + _ROUNDING_TOLERANCE:
            problems.append((f"{number}.width", "It reaches beyond the page: x and width are 100 at most"))
        if element["y"] + element["height"] > 100 + _ROUNDING_TOLERANCE:
            problems.append((f"{number}.height", "It reaches beyond the page: y and height are 100 at most"))
        if part == "text" and not element.get("text"):
            problems.append((f"{number}.text", "Write what stands there"))
        if part != "text" and element.get("text"):
            problems.append((f"{number}.text", "Only part=text has words of its own"))
        if part != "text" and part in seen:
            problems.append((f"{number}.part", "Each part once; text as often as you like"))
        if part == "code" and (element["width"] < MIN_CODE_SIZE[0] or element["height"] < MIN_CODE_SIZE[1]):
            problems.append((f"{number}.width", "Make the code larger, so that a phone can read it"))
        seen.add(part)
    if elements:
        problems += [("", words) for part, words in REQUIRED_PARTS.items() if part not in seen]
    return problems


def default_elements(design: str, *, landscape: bool) -> list[dict[str, Any]]:
    """Return the approximate positions of a design's elements, as initial values."""
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
    """Mirror elements, for readers of the opposite writing direction."""
    turned = {"left": "right", "right": "left"}
    return [
        {
            **element,
            "x": round_percent(max(0, 100 - element["x"] - element["width"])),
            **({"align": turned.get(element["align"], element["align"])} if "align" in element else {}),
        }
        for element in elements
    ]
