"""Argument types of the menu tools. On editing, an empty text or list clears the stored value."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, ConfigDict, Field, StringConstraints, with_config
from typing_extensions import TypedDict

from workspace.lib.money import Currency
from workspace.products.menu.rules.limits import MAX_ITEMS, MAX_SECTIONS
from workspace.products.menu.rules.section_and_item_fields import (
    Hours,
    ItemFields,
    ItemName,
    NewSection,
    Price,
    PriceNote,
    SectionFields,
    SectionName,
    UploadId,
    Words,
    _require_known,
)
from workspace.products.menu.rules.theme import THEMES
from workspace.products.menu.rules.translations import Languages, MenuTranslations
from workspace.publishing.shared_item_arguments import Publishing
from workspace.tools.argument_types import Id, Line, Lines
from workspace.tools.time_windows import check_clock_time

MenuId = Annotated[Id, Field(description="The menu's id, from svc_menu_list; its slug or address does as well")]
RestaurantName = Annotated[str, Line(120), Field(description="The restaurant's name, as guests read it")]
Intro = Annotated[str, Lines(600), Field(description="A line of welcome; below the name")]
PlaceAddress = Annotated[str, Lines(300), Field(description="Where the restaurant is; guests read it")]
SectionId = Annotated[Id, Field(description="Where it stands: the section's id, from svc_menu_items")]


Theme = Annotated[
    str,
    AfterValidator(lambda text: _require_known(text, THEMES)),
    Field(description="The colors of the page; by default the brand's", json_schema_extra={"enum": list(THEMES)}),
]


ResetAt = Annotated[
    str,
    StringConstraints(strip_whitespace=True),
    AfterValidator(lambda text: text and check_clock_time(text)),
    Field(description="When sold-out dishes come back; HH:MM in your time zone, empty for never", examples=["05:00"]),
]


AllChecked = Annotated[
    bool,
    Field(description="Says allergens_checked of every dish; of those that stand on the menu now, not of later ones"),
]


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


@with_config(ConfigDict(extra="forbid", strict=True))
class SavedSection(SectionFields, total=False):
    """Without an id it is made, with one it is changed: then only what is given changes."""

    id: Annotated[Id, Field(description="Of one to change, from svc_menu_items; without it one is made")]
    name: SectionName


class MenuFields(Publishing, total=False):
    """Arguments shared by creating and editing a menu."""

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
    # the default is documented, so that no one gets a menu in a foreign currency unawares
    currency: Annotated[Currency, Field(description="ISO 4217; your account's when left out, USD where it has none")]


class MenuChanges(MenuFields, total=False):
    currency: Currency
    restaurant_name: RestaurantName


class ServiceChanges(TypedDict, total=False):
    """Fields that change during service."""

    price: Price
    sold_out: Annotated[bool, Field(description="True marks it sold out, false has it there again")]
    hidden: Annotated[bool, Field(description="Whether guests do not see it at all")]
    name: ItemName
    description: Words
    price_note: PriceNote


NewSections = Annotated[
    list[NewSection],
    Field(max_length=MAX_SECTIONS, description="Sections with their items, in their order"),
]
Sections = Annotated[list[SavedSection], Field(max_length=MAX_SECTIONS, description="Sections to make or change")]
ReplacedMenuId = Annotated[
    Id,
    Field(description="A menu of yours: its sections go, what is not given stays, svc_undo brings all back"),
]
Items = Annotated[list[SavedItem], Field(max_length=MAX_ITEMS, description="Dishes to make or change")]
SectionOrder = Annotated[
    list[Id],
    Field(max_length=MAX_ITEMS, description="All sections in their new order; by id, those just made follow"),
]
ItemOrder = Annotated[
    list[Id],
    Field(
        max_length=MAX_ITEMS, description="A section's items in their new order; all its ids, those just made follow"
    ),
]
