"""The types of the menu tools' arguments."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, WithJsonSchema

from workspace.products.menu.food import ALLERGENS, DIETS
from workspace.products.menu.models import THEMES
from workspace.toolkit.hours import Window
from workspace.toolkit.money import Amount, ClearableAmount
from workspace.toolkit.types import Id, Line, Lines

_CLOCK = re.compile(r"([01]\d|2[0-3]):[0-5]\d", re.ASCII)
_PRICE_HELP = "In the menu's currency, with as many decimals as it has"

Price = Annotated[Amount, Field(description=_PRICE_HELP)]
ClearablePrice = Annotated[ClearableAmount, Field(description=f"{_PRICE_HELP}; empty for none")]

RestaurantName = Annotated[str, Line(120)]
Words = Annotated[str, Lines(600)]
Address = Annotated[str, Lines(300)]
SectionName = Annotated[str, Line(80)]
ItemName = Annotated[str, Line(120)]
PriceNote = Annotated[str, Line(60, least=0), Field(description="Shown instead of a price, such as market price")]
UploadId = Annotated[str, StringConstraints(max_length=64), Field(description="An upload_id; empty for none")]
Ids = Annotated[list[Id], Field(max_length=500)]
Position = Annotated[int, Field(ge=1, le=1000, description="1 is the first place; the last one when left out")]


Theme = Annotated[
    str, Field(json_schema_extra={"enum": list(THEMES)}), AfterValidator(lambda text: _among(text, THEMES))
]


def _among(text: str, known: Any) -> str:
    if text not in known:
        raise ValueError(f"Must be one of {', '.join(known)}")
    return text


def _clock(text: str) -> str:
    if not _CLOCK.fullmatch(text):
        raise ValueError("Write the time as HH:MM, from 00:00 to 23:59")
    return text


Clock = Annotated[str, StringConstraints(strip_whitespace=True), AfterValidator(_clock), Field(examples=["11:30"])]
ClockOrNone = Annotated[
    str,
    StringConstraints(strip_whitespace=True),
    AfterValidator(lambda text: text and _clock(text)),
    Field(description="HH:MM in your time zone; empty for never", examples=["05:00"]),
]
Day = Literal["mon", "tue", "wed", "thu", "fri", "sat", "sun"]


class TimeWindow(BaseModel):
    """Times in the account's zone. A window that ends at or before its beginning runs across midnight."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    days: Annotated[list[Day], Field(max_length=7, description="Days on which it begins; none means every day")] = []
    from_: Annotated[Clock, Field(alias="from")]
    until: Clock


Hours = Annotated[list[TimeWindow], Field(max_length=14, description="When it is served; an empty list means always")]

Tag = Annotated[str, AfterValidator(lambda text: _among(text, DIETS)), Field(json_schema_extra={"enum": list(DIETS)})]
Tags = Annotated[list[Tag], Field(max_length=len(DIETS), description="The whole list: what is not in it is taken off")]


def _declared(given: dict[str, str]) -> dict[str, str]:
    for key in given:
        _among(key, ALLERGENS)
    return given


State = Literal["contains", "may_contain", "not_declared"]
Allergens = Annotated[
    dict[str, State],
    AfterValidator(_declared),
    WithJsonSchema(
        {
            "type": "object",
            "properties": {key: {"enum": ["contains", "may_contain", "not_declared"]} for key in ALLERGENS},
            "additionalProperties": False,
            "description": "The 14 allergens of EU 1169/2011, as a whole. What is left out is not declared, which "
            "never means free of it",
        }
    ),
]


class Choice(BaseModel):
    """A variant (small, large) or an add-on (extra cheese) with its price."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    name: Annotated[str, Line(60)]
    price: Price


Choices = Annotated[list[Choice], Field(max_length=20, description="The whole list")]


class NewItem(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    name: ItemName
    price: Price | None = None
    description: Words = ""
    price_note: PriceNote = ""
    dietary_tags: Tags = []
    allergens: Allergens = {}
    variants: Choices = []
    add_ons: Choices = []
    photo_id: UploadId = ""
    sold_out: bool = False
    hidden: bool = False


class NewSection(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    name: SectionName
    description: Words = ""
    hours: Hours = []
    hidden: bool = False
    items: Annotated[list[NewItem], Field(max_length=500)] = []


NewSections = Annotated[
    list[NewSection], Field(max_length=60, description="Sections with their items, in the order of the menu")
]


def stored_hours(windows: list[TimeWindow]) -> list[Window]:
    return [{"days": list(window.days), "from": window.from_, "until": window.until} for window in windows]


def stored_allergens(given: dict[str, str]) -> dict[str, str]:
    """In the law's order, without those that are not declared."""
    return {key: given[key] for key in ALLERGENS if given.get(key, "not_declared") != "not_declared"}


def stored_tags(given: list[str]) -> list[str]:
    return [key for key in DIETS if key in given]
