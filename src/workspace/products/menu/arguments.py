"""The types of the menu tools' arguments. An empty text or list is none: on editing it clears what there was."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired, Required

from pydantic import (
    AfterValidator,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
    WithJsonSchema,
    with_config,
)
from typing_extensions import TypedDict

from workspace.products.menu.food import ALLERGENS
from workspace.products.menu.theme import THEMES
from workspace.products.menu.translations import (
    ChoiceTranslations,
    ItemTranslations,
    Languages,
    MenuTranslations,
    SectionTranslations,
)
from workspace.publishing.arguments import Publishing
from workspace.publishing.diets import DIETS
from workspace.toolkit.money import Amount, ClearableAmount, Currency, amount_of
from workspace.toolkit.types import Id, Line, Lines, MomentText
from workspace.toolkit.window import Windows, clock_time

MOST = 500  # dishes in one call
MOST_SECTIONS = 60

MenuId = Annotated[Id, Field(description="The menu's id, from svc_menu_list; its slug or address does as well")]
RestaurantName = Annotated[str, Line(120), Field(description="The restaurant's name, as guests read it")]
Intro = Annotated[str, Lines(600), Field(description="A line of welcome; below the name")]
PlaceAddress = Annotated[str, Lines(300), Field(description="Where the restaurant is; guests read it")]
SectionName = Annotated[str, Line(80), Field(description="What the section is called, such as Starters")]
ItemName = Annotated[str, Line(120), Field(description="What the dish or drink is called")]
Words = Annotated[str, Lines(600), Field(description="Shown below the name")]
PriceNote = Annotated[
    str,
    Line(60, least=0),
    Field(description="Words in place of every price of it; such as market price, empty for none"),
]
UploadId = Annotated[
    str,
    StringConstraints(max_length=64),
    Field(description="An upload_id of svc_upload_file; empty for none"),
]
SectionId = Annotated[Id, Field(description="Where it stands: the section's id, from svc_menu_items")]


def _explained(value: Any) -> Any:
    """A price in words, such as a model meets when it reads a menu, is refused with where it belongs."""
    if isinstance(value, str) and value:
        try:
            amount_of(value)
        except ValueError as problem:
            raise ValueError(
                f"{problem}. “From 8” is 8 with price_from, which svc_menu_save_items takes; words such as “market "
                f"price” are a price_note"
            ) from None
    return value


_PRICE = "In the menu's currency; with as many decimals as it has"
Price = Annotated[Amount, BeforeValidator(_explained), Field(description=_PRICE)]
PriceOrNone = Annotated[ClearableAmount, BeforeValidator(_explained), Field(description=f"{_PRICE}, empty for none")]
PriceFrom = Annotated[bool, Field(description="Whether the price is the lowest; guests read “from €8.00”")]


def _among(text: str, known: Any) -> str:
    if text not in known:
        raise ValueError(f"Must be one of {', '.join(known)}")
    return text


Theme = Annotated[
    str,
    AfterValidator(lambda text: _among(text, THEMES)),
    Field(description="The colours of the page; by default the brand's", json_schema_extra={"enum": list(THEMES)}),
]


ResetAt = Annotated[
    str,
    StringConstraints(strip_whitespace=True),
    AfterValidator(lambda text: text and clock_time(text)),
    Field(description="When sold-out dishes come back; HH:MM in your time zone, empty for never", examples=["05:00"]),
]
Hours = Annotated[Windows, Field(description="When it is served; an empty list means always")]

Tag = Annotated[str, AfterValidator(lambda text: _among(text, DIETS)), Field(json_schema_extra={"enum": list(DIETS)})]
Tags = Annotated[
    list[Tag],
    AfterValidator(lambda given: [key for key in DIETS if key in given]),
    Field(max_length=len(DIETS), description="All its diets; gluten_free, dairy_free, nut_free declare their allergen"),
]


def _declared(given: dict[str, str]) -> dict[str, str]:
    """In the law's order, without those that are not declared."""
    for key in given:
        _among(key, ALLERGENS)
    return {key: given[key] for key in ALLERGENS if given.get(key, "not_declared") != "not_declared"}


State = Literal["contains", "may_contain", "not_declared"]
Allergens = Annotated[
    dict[str, State],
    AfterValidator(_declared),
    WithJsonSchema(
        {
            "type": "object",
            "properties": {key: {"enum": ["contains", "may_contain", "not_declared"]} for key in ALLERGENS},
            "additionalProperties": False,
            "description": "All that it contains; the 14 of EU 1169/2011. What is left out is not declared, which "
            "never means free of it",
        }
    ),
]
Checked = Annotated[
    bool, Field(description="Whether you checked all 14: it contains none but those in allergens; guests rely on it")
]
AllChecked = Annotated[
    bool,
    Field(description="Says allergens_checked of every dish; of those that stand on the menu now, not of later ones"),
]


@with_config(ConfigDict(extra="forbid", strict=True))
class Choice(TypedDict):
    """A variant (small, large) or an add-on (extra cheese) with its price."""

    name: Annotated[str, Line(60)]
    price: Price
    translations: NotRequired[ChoiceTranslations]


Variants = Annotated[list[Choice], Field(max_length=20, description="All sizes or servings, each with its price")]
AddOns = Annotated[list[Choice], Field(max_length=20, description="All extras, each with what it costs more")]


class ItemFields(TypedDict, total=False):
    """What an item says, on making and on changing it."""

    description: Words
    price: PriceOrNone
    price_from: PriceFrom
    price_note: PriceNote
    dietary_tags: Tags
    allergens: Allergens
    allergens_checked: Checked
    variants: Variants
    add_ons: AddOns
    photo_id: UploadId
    sold_out: Annotated[bool, Field(description="Whether guests see it as sold out")]
    sold_out_until: Annotated[MomentText, Field(description="When it is back by itself; empty for not by itself")]
    hidden: Annotated[bool, Field(description="Whether guests do not see it at all")]
    translations: ItemTranslations


@with_config(ConfigDict(extra="forbid", strict=True))
class NewItem(ItemFields, total=False):
    name: Required[ItemName]


@with_config(ConfigDict(extra="forbid", strict=True))
class SavedItem(ItemFields, total=False):
    """Without an id it is made, with one it is changed: then only what is given changes."""

    id: Annotated[Id, Field(description="Of one to change, from svc_menu_items; without it one is made")]
    name: ItemName
    section_id: SectionId
    section: Annotated[
        str, Line(80), Field(description="In place of section_id; by its name, made where there is none")
    ]
    section_description: Annotated[str, Lines(600), Field(description="Below its name; of a section that is made")]


class SectionFields(TypedDict, total=False):
    description: Words
    hours: Hours
    hidden: Annotated[bool, Field(description="Whether guests do not see it, with all that is in it")]
    translations: SectionTranslations


@with_config(ConfigDict(extra="forbid", strict=True))
class NewSection(SectionFields, total=False):
    name: Required[SectionName]
    items: Annotated[list[NewItem], Field(max_length=MOST, description="Its dishes, in their order")]


@with_config(ConfigDict(extra="forbid", strict=True))
class SavedSection(SectionFields, total=False):
    """Without an id it is made, with one it is changed: then only what is given changes."""

    id: Annotated[Id, Field(description="Of one to change, from svc_menu_items; without it one is made")]
    name: SectionName


class MenuFields(Publishing, total=False):
    """What a menu says, on making and on changing it."""

    address: PlaceAddress
    intro: Intro
    theme: Theme
    logo_id: UploadId
    hours: Hours
    sold_out_resets_at: ResetAt
    allergens_checked: AllChecked
    languages: Languages
    translations: MenuTranslations


class NewMenu(MenuFields, total=False):
    # what it is otherwise is said: nobody should find out by a menu in a foreign currency
    currency: Annotated[Currency, Field(description="ISO 4217; your account's when left out, USD where it has none")]


class MenuChanges(MenuFields, total=False):
    currency: Currency
    restaurant_name: RestaurantName


class Service(TypedDict, total=False):
    """What changes during service."""

    price: Price
    sold_out: Annotated[bool, Field(description="True marks it sold out, false has it there again")]
    hidden: Annotated[bool, Field(description="Whether guests do not see it at all")]
    name: ItemName
    description: Words
    price_note: PriceNote


NewSections = Annotated[
    list[NewSection],
    Field(max_length=MOST_SECTIONS, description="Sections with their items, in their order"),
]
Sections = Annotated[list[SavedSection], Field(max_length=MOST_SECTIONS, description="Sections to make or change")]
InPlaceOf = Annotated[
    Id,
    Field(description="A menu of yours: its sections go, what is not given stays, svc_undo brings all back"),
]
Items = Annotated[list[SavedItem], Field(max_length=MOST, description="Dishes to make or change")]
SectionOrder = Annotated[
    list[Id],
    Field(max_length=MOST, description="All sections in their new order; by id, those just made follow"),
]
ItemOrder = Annotated[
    list[Id],
    Field(max_length=MOST, description="A section's items in their new order; all its ids, those just made follow"),
]
