"""Types of the fields of sections and items in arguments."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired, Required

from pydantic import AfterValidator, BeforeValidator, ConfigDict, Field, StringConstraints, WithJsonSchema, with_config
from typing_extensions import TypedDict

from workspace.lib.money import Amount, ClearableAmount, parse_wire_amount
from workspace.products.menu import messages
from workspace.products.menu.rules.diets_and_allergens import ALLERGENS
from workspace.products.menu.rules.limits import MAX_ITEMS
from workspace.products.menu.rules.translations import ChoiceTranslations, ItemTranslations, SectionTranslations
from workspace.publishing.diets import DIETS
from workspace.tools.argument_types import Label, Line, Lines, MomentText
from workspace.tools.time_windows import Windows

SectionName = Annotated[str, Line(80), Field(description="Section name, such as Starters.")]
ItemName = Annotated[str, Line(120), Label("Name"), Field(description="Name of the dish or drink.")]
Words = Annotated[str, Lines(600), Field(description="Description below the name.")]
PriceNote = Annotated[
    str,
    Line(60, least=0),
    Label("Price text"),
    Field(description="Text shown instead of prices, such as market price. An empty string removes it."),
]
UploadId = Annotated[
    str,
    StringConstraints(max_length=64),
    Field(description="upload_id of an image, from svc_upload_file. An empty string removes it."),
]


def _explain_price(value: Any) -> Any:
    """Explain where text that was given as a price belongs. Models tend to copy such text from printed menus."""
    if isinstance(value, str) and value:
        try:
            parse_wire_amount(value)
        except ValueError as problem:
            raise ValueError(str(messages.INVALID_PRICE(problem=problem))) from None
    return value


_PRICE_DESCRIPTION = "Price in the menu's currency."
Price = Annotated[Amount, BeforeValidator(_explain_price), Label("Price"), Field(description=_PRICE_DESCRIPTION)]
PriceOrNone = Annotated[
    ClearableAmount,
    BeforeValidator(_explain_price),
    Label("Price"),
    Field(description=f"{_PRICE_DESCRIPTION} An empty string removes it."),
]
PriceFrom = Annotated[
    bool,
    Label("Starting price"),
    Field(description='Whether the price is a minimum ("from €8.00").'),
]


def _require_known(text: str, known: Any) -> str:
    if text not in known:
        raise ValueError(str(messages.NOT_ONE_OF(values=", ".join(known))))
    return text


Hours = Annotated[Windows, Field(description="Times when the dishes are served. An empty list means always.")]
Tag = Annotated[
    str, AfterValidator(lambda text: _require_known(text, DIETS)), Field(json_schema_extra={"enum": list(DIETS)})
]
Tags = Annotated[
    list[Tag],
    AfterValidator(lambda value: [key for key in DIETS if key in value]),
    Label("Suitable for"),
    Field(
        max_length=len(DIETS),
        description=(
            "All dietary tags. gluten_free, dairy_free and nut_free also declare that the item does not contain "
            "that allergen."
        ),
    ),
]


def _sort_allergens(fields: dict[str, str]) -> dict[str, str]:
    """Return the declared allergens in the order of the regulation."""
    for key in fields:
        _require_known(key, ALLERGENS)
    return {key: fields[key] for key in ALLERGENS if fields.get(key, "not_declared") != "not_declared"}


State = Literal["contains", "may_contain", "not_declared"]
Allergens = Annotated[
    dict[str, State],
    AfterValidator(_sort_allergens),
    WithJsonSchema(
        {
            "type": "object",
            "properties": {key: {"enum": ["contains", "may_contain", "not_declared"]} for key in ALLERGENS},
            "additionalProperties": False,
            "description": (
                "Names of all allergens in the item. Use the 14 allergens of EU 1169/2011. Replaces the whole list. An "
                "omitted allergen is undeclared, which doesn't mean that the item is free of it."
            ),
        }
    ),
]
AllergensChecked = Annotated[
    bool,
    Field(
        description=(
            "Whether all 14 allergens were checked. If true, guests read that it contains no allergens except "
            "those listed."
        )
    ),
]


@with_config(ConfigDict(extra="forbid", strict=True))
class Choice(TypedDict):
    """A variant (small, large) or an add-on (extra cheese) with its price."""

    name: Annotated[str, Line(60), Field(description="Name, such as Large.")]
    price: Price
    translations: NotRequired[ChoiceTranslations]


Variants = Annotated[
    list[Choice],
    Label("Sizes and variants"),
    Field(max_length=20, description="Sizes or servings, each with its price. Replaces the whole list."),
]
AddOns = Annotated[
    list[Choice],
    Label("Extras"),
    Field(max_length=20, description="Extras, each with its surcharge. Replaces the whole list."),
]


class ItemFields(TypedDict, total=False):
    """Arguments for creating and editing an item."""

    description: Annotated[Words, Label("Description")]
    price: PriceOrNone
    price_from: PriceFrom
    price_note: PriceNote
    dietary_tags: Tags
    allergens: Allergens
    allergens_checked: AllergensChecked
    variants: Variants
    add_ons: AddOns
    photo_id: Annotated[UploadId, Label("Photo")]
    sold_out: Annotated[bool, Label("Sold out"), Field(description="Whether the item is sold out.")]
    sold_out_until: Annotated[
        MomentText,
        Label("Available again at"),
        Field(description="When the item becomes available again. An empty string means never."),
    ]
    hidden: Annotated[bool, Label("Hide from guests"), Field(description="Whether the item is hidden from guests.")]
    translations: ItemTranslations


@with_config(ConfigDict(extra="forbid", strict=True))
class NewItem(ItemFields, total=False):
    name: Required[ItemName]


class SectionFields(TypedDict, total=False):
    description: Words
    hours: Hours
    hidden: Annotated[bool, Field(description="Whether the section and its items are hidden from guests.")]
    translations: SectionTranslations


@with_config(ConfigDict(extra="forbid", strict=True))
class NewSection(SectionFields, total=False):
    name: Required[SectionName]
    items: Annotated[list[NewItem], Field(max_length=MAX_ITEMS, description="Items of the section, in order.")]
