"""The style of a code. Every field is plain data with a default, so that a style is JSON in every channel.

An empty color is the same as another one: the eyes have the modules' color, and the caption has the frame's. A
transparent background is allowed in SVG and PNG, because printers ask for it. The scan test then rates the style as
risky at best, because the surface behind the print is unknown.
"""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

MAX_LOGO_SHARE = 0.22
MAX_CAPTION_LENGTH = 30

ModuleShape = Literal["square", "soft", "rounded", "classy", "dots", "vertical", "horizontal"]
EyeShape = Literal["square", "rounded", "leaf", "circle"]
BallShape = Literal["square", "rounded", "circle", "leaf"]

_HEX_PATTERN = "#[0-9a-fA-F]{6}"


def _color_validator(allowed: str) -> Any:
    """Return a validator with a simple message for the pattern in the schema."""

    def check(text: str) -> str:
        if not re.fullmatch(allowed, text):
            raise ValueError("Enter a color like #1d4ed8")
        return text.lower()

    return AfterValidator(check)


def _pattern_schema(allowed: str) -> Any:
    return Field(json_schema_extra={"pattern": f"^({allowed})$"})


Color = Annotated[str, _color_validator(_HEX_PATTERN), _pattern_schema(_HEX_PATTERN)]
ColorOrEmpty = Annotated[str, _color_validator(f"({_HEX_PATTERN})?"), _pattern_schema(f"({_HEX_PATTERN})?")]
Background = Annotated[
    str, _color_validator(f"{_HEX_PATTERN}|transparent"), _pattern_schema(f"{_HEX_PATTERN}|transparent")
]


class UnsafeStyleError(ValueError):
    """No scannable image can be created from the style, text or logo. The message says what to do next."""


def _check_one_line(text: str) -> str:
    """Replace white space with single spaces, and reject unprintable characters."""
    text = " ".join(text.split())
    if any(not (char.isprintable() or char == "\u200d") for char in text):
        raise ValueError("Use only letters, digits and symbols")
    return text


Caption = Annotated[str, Field(max_length=MAX_CAPTION_LENGTH), AfterValidator(_check_one_line)]


class Style(BaseModel):
    """The style of a QR code. Sizes are in modules (the small squares) or shares of the symbol's side."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    foreground: Color = Field("#000000", description="Color of the modules, as #rrggbb. Dark colors scan best.")
    background: Background = Field(
        "#ffffff",
        description="Background color, as #rrggbb or transparent. Use transparent only on light surfaces.",
    )
    gradient: Literal["none", "linear", "radial"] = Field(
        "none",
        description=(
            "Gradient from foreground to gradient_end. linear follows gradient_angle; radial starts in the center."
        ),
    )
    gradient_end: Color = Field("#1d4ed8", description="Second gradient color, as #rrggbb.")
    gradient_angle: int = Field(
        45,
        ge=0,
        le=359,
        description="Angle of a linear gradient, in degrees. 0 is left to right, and 90 is top to bottom.",
    )
    modules: ModuleShape = Field("square", description="Shape of the modules.")
    eye_frame: EyeShape = Field(
        "square", description="Shape of the rings in the three corners. Some scanners can't read circles."
    )
    eye_ball: BallShape = Field("square", description="Shape of the centers in the three corners.")
    eye_frame_color: ColorOrEmpty = Field(
        "", description="Color of the rings, as #rrggbb. An empty string uses the color of the modules."
    )
    eye_ball_color: ColorOrEmpty = Field(
        "", description="Color of the centers, as #rrggbb. An empty string uses the color of the modules."
    )
    frame: Literal["none", "outline", "banner"] = Field(
        "none",
        description="Frame: none, outline, or banner with the caption.",
    )
    caption: Caption = Field("", description='Call to action below the code, such as "Scan me".')
    caption_color: ColorOrEmpty = Field(
        "",
        description=(
            "Color of the caption, as #rrggbb. An empty string uses the color of the modules, or of the background "
            "on a banner."
        ),
    )
    logo_share: float = Field(
        0.2, ge=0.08, le=MAX_LOGO_SHARE, description="Logo width as a share of the symbol's width."
    )
    logo_padding: float = Field(0.5, ge=0, le=1, description="Space around the logo, measured in modules.")
    logo_knockout: Literal["none", "square", "rounded", "circle"] = Field(
        "rounded", description="Shape of the cleared area behind the logo. rounded and circle also crop the logo."
    )

    @property
    def inks(self) -> tuple[str, ...]:
        """All colors that must be distinguishable from the background, without duplicates."""
        inks = [self.foreground, self.eye_frame_color, self.eye_ball_color]
        if self.gradient != "none":
            inks.append(self.gradient_end)
        return tuple(dict.fromkeys(ink for ink in inks if ink))


PRESETS: Mapping[str, Style] = MappingProxyType(
    {
        "classic": Style(),
        "soft": Style(foreground="#111827", modules="soft", eye_frame="rounded", eye_ball="rounded"),
        "ink": Style(
            foreground="#0f172a",
            background="#fffdf7",
            modules="rounded",
            eye_frame="rounded",
            eye_ball="circle",
            frame="outline",
            caption="Scan me",
        ),
        "ocean": Style(
            foreground="#0b3b8c",
            gradient="linear",
            gradient_end="#0e7490",
            gradient_angle=60,
            modules="dots",
            eye_frame="leaf",
            eye_ball="circle",
        ),
        "sunset": Style(
            foreground="#6d1a7d",
            background="#fff8f3",
            gradient="linear",
            gradient_end="#b91c3c",
            modules="rounded",
            eye_frame="rounded",
            eye_ball="rounded",
        ),
        "forest": Style(
            foreground="#14532d",
            background="#f7fbf4",
            modules="classy",
            eye_frame="leaf",
            eye_ball="leaf",
            eye_ball_color="#3f6212",
        ),
        "bistro": Style(
            foreground="#5b1a18",
            background="#fdf6ec",
            modules="soft",
            eye_frame="rounded",
            eye_ball="circle",
            eye_ball_color="#b45309",
            frame="banner",
            caption="See our menu",
        ),
        "midnight": Style(
            foreground="#1e1b4b",
            gradient="radial",
            gradient_end="#4338ca",
            modules="rounded",
            eye_frame="rounded",
            eye_ball="circle",
            frame="banner",
            caption="Scan me",
        ),
        "rain": Style(
            foreground="#164e63",
            modules="vertical",
            eye_frame="rounded",
            eye_ball="rounded",
            background="#f5fbfd",
        ),
        "blocks": Style(
            foreground="#1f2937",
            modules="horizontal",
            eye_frame="square",
            eye_ball="square",
            eye_frame_color="#9f1239",
            eye_ball_color="#9f1239",
        ),
    }
)
"""Ready-made styles by name. The scan test has shown that each of them is easy to read."""
