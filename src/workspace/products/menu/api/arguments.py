"""Argument types of the menu tools. In an edit, an empty string or list clears the stored value."""

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

MenuId = Annotated[Id, Field(description="Menu ID, from svc_menu_list. The slug or URL also works.")]
RestaurantName = Annotated[str, Line(120), Field(description="Restaurant name shown to guests.")]
Intro = Annotated[str, Lines(600), Field(description="Welcome text below the name.")]
PlaceAddress = Annotated[str, Lines(300), Field(description="Address of the restaurant, shown to guests.")]
SectionId = Annotated[Id, Field(description="Section ID, from svc_menu_items.")]


Theme = Annotated[
    str,
    AfterValidator(lambda text: _require_known(text, THEMES)),
    Field(description="Color theme. Defaults to the brand colors.", json_schema_extra={"enum": list(THEMES)}),
]


ResetAt = Annotated[
    str,
    StringConstraints(strip_whitespace=True),
    AfterValidator(lambda text: text and check_clock_time(text)),
    Field(
        description=("Time when sold-out items become available again, as HH:MM. An empty string means never."),
        examples=["05:00"],
    ),
]


AllChecked = Annotated[
    bool,
    Field(description="Whether to set allergens_checked on all current items. Does not affect items added later."),
]


@with_config(ConfigDict(extra="forbid", strict=True))
class SavedItem(ItemFields, total=False):
    """An item to create or, with an id, to change. Only the given fields change."""

    id: Annotated[Id, Field(description="ID of a section or item, from svc_menu_items. Omit it to create a new one.")]
    name: ItemName
    section_id: SectionId
    section: Annotated[
        str, Line(80), Field(description="Section name, instead of section_id. Created if it does not exist.")
    ]
    section_description: Annotated[
        str, Lines(600), Field(description="Description of a section that is created by name.")
    ]


@with_config(ConfigDict(extra="forbid", strict=True))
class SavedSection(SectionFields, total=False):
    """A section to create or, with an id, to change. Only the given fields change."""

    id: Annotated[Id, Field(description="ID of a section or item, from svc_menu_items. Omit it to create a new one.")]
    name: SectionName


class MenuFields(Publishing, total=False):
    """Arguments for creating and editing a menu."""

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
    # the default is documented, so that no one gets a menu in a foreign currency by mistake
    currency: Annotated[
        Currency,
        Field(description="Currency code (ISO 4217), such as EUR. Defaults to the account's currency, or USD."),
    ]


class MenuChanges(MenuFields, total=False):
    currency: Currency
    restaurant_name: RestaurantName


class ServiceChanges(TypedDict, total=False):
    """Fields that change during service."""

    price: Price
    sold_out: Annotated[bool, Field(description="Whether the item is sold out.")]
    hidden: Annotated[bool, Field(description="Whether the item is hidden from guests.")]
    name: ItemName
    description: Words
    price_note: PriceNote


NewSections = Annotated[
    list[NewSection],
    Field(max_length=MAX_SECTIONS, description="Sections with their items, in order."),
]
Sections = Annotated[list[SavedSection], Field(max_length=MAX_SECTIONS, description="Sections to create or update.")]
ReplacedMenuId = Annotated[
    Id,
    Field(description="Menu whose sections are replaced. Settings that you omit stay. svc_undo reverts this."),
]
Items = Annotated[list[SavedItem], Field(max_length=MAX_ITEMS, description="Items to create or update.")]
SectionOrder = Annotated[
    list[Id],
    Field(max_length=MAX_ITEMS, description="All section IDs, in their new order. New sections follow."),
]
ItemOrder = Annotated[
    list[Id],
    Field(max_length=MAX_ITEMS, description="All item IDs of a section, in their new order. New items follow."),
]
