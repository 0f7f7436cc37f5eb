"""A tool that changes many prices of a menu at once."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import ROUND_HALF_UP, Decimal
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, WithJsonSchema
from typing_extensions import TypedDict

from workspace.accounts.models import Account
from workspace.lib import money
from workspace.lib.errors import InvalidInputError, Issue
from workspace.lib.money import Amount, parse_wire_amount
from workspace.lib.text import escape_markdown, format_count
from workspace.products.menu import messages
from workspace.products.menu.api.arguments import MenuId
from workspace.products.menu.api.text import format_names
from workspace.products.menu.api.tools import box
from workspace.products.menu.domain.queries import get_menu, items_for
from workspace.products.menu.domain.sections_and_items import to_minor_units
from workspace.products.menu.models import Item, Menu
from workspace.products.menu.rules.limits import MAX_ITEMS, MAX_SECTIONS
from workspace.storage import journal
from workspace.tools.answer import Answer
from workspace.tools.argument_types import Id
from workspace.tools.object_parser import Issues


def _parse_signed(value: Any) -> Decimal:
    if isinstance(value, str) and value.startswith("-"):
        return -parse_wire_amount(value[1:])
    if isinstance(value, (int, float)) and not isinstance(value, bool) and value < 0:
        return -parse_wire_amount(-value)
    return parse_wire_amount(value)


def _number_schema(minimum: float, maximum: float) -> Any:
    return WithJsonSchema({"type": "number", "minimum": minimum, "maximum": maximum})


Percent = Annotated[
    Decimal,
    BeforeValidator(_parse_signed),
    Field(ge=-100, le=1000, description="Percentage. 5 raises prices by 5 %; -10 lowers them by 10 %."),
    _number_schema(-100, 1000),
]
Step = Annotated[
    Decimal,
    BeforeValidator(_parse_signed),
    _number_schema(-money.MAX_MINOR_UNITS, money.MAX_MINOR_UNITS),
    Field(description=("Amount to add to each price, instead of percent. A negative amount lowers prices.")),
]
RoundTo = Annotated[
    Amount,
    Field(
        description=(
            "Multiple to round prices to, such as 0.10 or 0.50. Defaults to the smallest unit of the currency."
        )
    ),
]
SectionIds = Annotated[
    list[Id], Field(max_length=MAX_SECTIONS, description="Section IDs, from svc_menu_items. Defaults to all sections.")
]
ItemIds = Annotated[
    list[Id], Field(max_length=MAX_ITEMS, description="Item IDs, from svc_menu_items. Defaults to all items.")
]


class PriceChange(TypedDict):
    """A changed price. `variant` is empty for the dish's own price."""

    item_id: str
    item: str
    section: str
    variant: str
    price_before: float
    price: float


class PriceChanges(TypedDict):
    menu_id: str
    currency: str
    changed: int
    unchanged: Annotated[int, Field(description="Number of prices that rounding left unchanged.")]
    prices: list[PriceChange]
    without_price: Annotated[list[str], Field(description="Items without a price or with a price note.")]


@box.tool(
    "svc_menu_change_prices",
    title="Raise or lower menu prices",
    about="Raise or lower the prices of a menu, or of some sections or items, by a percentage or an amount, rounded "
    "to round_to. Variants are included, but add-ons are not. Returns each price before and after. Use dry_run "
    "to preview and svc_undo to revert.",
    short="Raise or lower prices by a percentage or amount.",
    synonyms="increase, decrease, more expensive, cheaper, inflation, discount, happy hour, adjust prices, "
    "preise erhöhen, teurer, preise senken, prozent, subir precios, bajar precios, aumentar, por "
    "ciento, más caro, all prices, lower prices, one dollar off, price change, whole menu, alle preise, "
    "todos los precios",
)
def change_prices(
    account: Account,
    menu_id: MenuId,
    percent: Percent | None = None,
    amount: Step | None = None,
    round_to: RoundTo | None = None,
    section_ids: SectionIds | None = None,
    item_ids: ItemIds | None = None,
) -> Answer[PriceChanges]:
    menu = get_menu(account, menu_id)
    rule = _PriceRule.from_arguments(menu, percent, amount, round_to)
    items = _select_items(menu, section_ids, item_ids)
    changes: list[tuple[Item, dict[str, Any]]] = []
    price_changes: list[PriceChange] = []
    for item in items:
        price = None if item.price_minor is None else rule.apply_to(item.price_minor, item.name)
        variants = [
            {**variant, "minor": rule.apply_to(variant["minor"], f"{item.name}, {variant['name']}")}
            for variant in item.variants
        ]
        changes.append((item, {"price_minor": price, "variants": variants}))
        price_changes += _list_changes(menu, item, price, variants)
    if journal.update_rows(changes):
        menu.mark_changed()
    moved = [row for row in price_changes if row["price"] != row["price_before"]]
    data: PriceChanges = {
        "menu_id": menu.pk,
        "currency": menu.currency,
        "changed": len(moved),
        "unchanged": len(price_changes) - len(moved),
        "prices": price_changes,
        "without_price": [item.name for item in items if item.price_note or not (item.variants or item.price_minor)],
    }
    return Answer(data, _format_changes(data, menu))


class _PriceRule:
    """The rule that computes a new price, in minor units."""

    def __init__(self, menu: Menu, path: str, factor: Decimal, added_minor: int, rounding_step: int) -> None:
        self.menu, self.path, self.factor, self.plus, self.step = menu, path, factor, added_minor, rounding_step

    @classmethod
    def from_arguments(
        cls, menu: Menu, percent: Decimal | None, amount: Decimal | None, round_to: Decimal | None
    ) -> _PriceRule:
        if (percent is None) == (amount is None):
            raise InvalidInputError.at_path("percent", messages.PERCENT_OR_AMOUNT)
        step = to_minor_units(menu, round_to, "round_to") if round_to is not None else 1
        if not step:
            raise InvalidInputError.at_path("round_to", messages.ROUND_TO_TOO_SMALL)
        plus = 0
        if amount is not None:
            plus = (to_minor_units(menu, abs(amount), "amount") or 0) * (-1 if amount < 0 else 1)
        path = "percent" if amount is None else "amount"
        return cls(menu, path, 1 + (percent or Decimal(0)) / 100, plus, step)

    def apply_to(self, minor: int, name: str) -> int:
        """Return the new price. Raise InvalidInputError if it would be zero, negative or too large."""
        steps = ((minor * self.factor + self.plus) / self.step).to_integral_value(ROUND_HALF_UP)
        new = int(steps) * self.step
        if new < 0 or (new == 0 and minor > 0):
            raise InvalidInputError.at_path(self.path, messages.PRICE_TOO_LOW(name=name))
        if new > money.MAX_MINOR_UNITS:
            raise InvalidInputError.at_path(self.path, messages.PRICE_TOO_HIGH(name=name))
        return new


def _select_items(menu: Menu, section_ids: list[str] | None, item_ids: list[str] | None) -> list[Item]:
    """Return the dishes of these sections and these dishes, or all if neither is given."""
    items, issues = items_for(menu), Issues()
    known = {"section_ids": set(menu.sections.values_list("pk", flat=True)), "item_ids": {item.pk for item in items}}
    requested = (
        ("section_ids", section_ids, messages.SECTION_NOT_FOUND),
        ("item_ids", item_ids, messages.ITEM_NOT_FOUND),
    )
    for path, ids, missing in requested:
        issues += [Issue(f"{path}.{number}", missing) for number, id in enumerate(ids or []) if id not in known[path]]
    issues.raise_if_any()
    if section_ids is None and item_ids is None:
        return items
    sections, dishes = set(section_ids or []), set(item_ids or [])
    return [item for item in items if item.section_id in sections or item.pk in dishes]


def _list_changes(menu: Menu, item: Item, price: int | None, variants: list[dict[str, Any]]) -> Iterator[PriceChange]:
    pairs = [("", item.price_minor, price)] if price is not None else []
    pairs += [
        (variant["name"], variant["minor"], new["minor"]) for variant, new in zip(item.variants, variants, strict=True)
    ]
    for variant, before, after in pairs:
        yield {
            "item_id": item.pk,
            "item": item.name,
            "section": item.section.name,
            "variant": variant,
            "price_before": money.to_wire_number(before, menu.currency) or 0.0,
            "price": money.to_wire_number(after, menu.currency) or 0.0,
        }


def _format_changes(data: PriceChanges, menu: Menu) -> str:
    def format_value(price: float) -> str:
        return money.format_amount(money.to_minor_units(parse_wire_amount(price), menu.currency), menu.currency)

    head = f"Updated {format_count(data['changed'], 'price')}" if data["changed"] else "No prices changed"
    lines = [f"{head} on the menu of {escape_markdown(menu.restaurant_name)} `{menu.pk}`, in {menu.currency}:"]
    for row in data["prices"]:
        name = f"{row['item']}, {row['variant']}" if row["variant"] else row["item"]
        same = row["price"] == row["price_before"]
        change = (
            f"unchanged {format_value(row['price'])}"
            if same
            else f"{format_value(row['price_before'])} → {format_value(row['price'])}"
        )
        lines.append(f"- {escape_markdown(row['section'])}: {escape_markdown(name)} {change} `{row['item_id']}`")
    if data["unchanged"]:
        lines.append(f"{format_count(data['unchanged'], 'price')} unchanged after rounding.")
    if data["without_price"]:
        lines.append(
            f"Guests see wording instead of a price for {format_names(data['without_price'])}. Check this wording."
        )
    return "\n".join(lines)
