"""Making menus, sections and items within the plan. Called under the account's lock, so that a limit holds under
parallel calls."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from workspace.accounts.models import Account, Upload
from workspace.products.menu.arguments import (
    Choice,
    NewItem,
    NewSection,
    stored_allergens,
    stored_hours,
    stored_tags,
)
from workspace.products.menu.models import KIND, Item, Menu, Section
from workspace.products.menu.models.item import Choice as StoredChoice
from workspace.toolkit import money
from workspace.toolkit.errors import InvalidInput, Issue, ToolError


def check_menus(account: Account) -> None:
    """Raises ToolError when the plan holds no further menu."""
    most = account.limits(KIND).menus
    if most is not None and account.menus.count() >= most:
        way_out = account.or_larger(KIND, "delete one")
        raise ToolError(f"Your plan holds {most} menu{'' if most == 1 else 's'}: {way_out}")


def check_room(menu: Menu, *, sections: int = 0, items: int = 0) -> None:
    """Raises ToolError when the menu cannot grow by so much."""
    limits = menu.account.limits(KIND)
    if sections and menu.sections.count() + sections > limits.sections:
        way_out = menu.account.or_larger(KIND, "delete some")
        raise ToolError(f"A menu holds {limits.sections} sections on your plan: {way_out}")
    if items and Item.objects.filter(section__menu=menu).count() + items > limits.items:
        way_out = menu.account.or_larger(KIND, "delete some")
        raise ToolError(f"A menu holds {limits.items} items on your plan: {way_out}")


def check_photos(account: Account) -> None:
    if not account.limits(KIND).photos:
        raise ToolError(f"Your plan has no photos of dishes: to have them, {account.larger(KIND)}")


def make_sections(menu: Menu, wanted: Sequence[NewSection], *, path: str = "sections") -> list[Section]:
    """The sections with their items, after those that are there. Nothing is made when one price is wrong."""
    check_room(menu, sections=len(wanted), items=sum(len(section.items) for section in wanted))
    _check_prices(menu, wanted, path)
    first = menu.next_position()
    made = Section.objects.bulk_create(
        Section(
            menu=menu,
            name=one.name,
            description=one.description,
            hours=stored_hours(one.hours),
            hidden=one.hidden,
            position=first + number,
        )
        for number, one in enumerate(wanted)
    )
    items = [
        new_item(section, one, position, path=f"{path}.{number}.items.{position}.")
        for number, (section, given) in enumerate(zip(made, wanted, strict=True))
        for position, one in enumerate(given.items)
    ]
    Item.objects.bulk_create(items)
    return made


def new_item(section: Section, given: NewItem, position: int, *, path: str = "") -> Item:
    """An item that is not saved yet. Its photo is claimed; raises ToolError or InvalidInput where it cannot be."""
    photo = None
    if given.photo_id:
        check_photos(section.menu.account)
        photo = Upload.claim(section.menu.account, given.photo_id, f"{path}photo_id")
    return Item(
        section=section,
        name=given.name,
        description=given.description,
        price_minor=priced(section.menu, given.price, f"{path}price"),
        price_note=given.price_note,
        tags=stored_tags(given.dietary_tags),
        allergens=stored_allergens(dict(given.allergens)),
        variants=stored_choices(section.menu, given.variants, f"{path}variants"),
        add_ons=stored_choices(section.menu, given.add_ons, f"{path}add_ons"),
        photo=photo,
        hidden=given.hidden,
        marked_sold_out=given.sold_out,
        sold_out_until=section.menu.sold_out_until() if given.sold_out else None,
        position=position,
    )


def priced(menu: Menu, amount: Decimal | None, path: str) -> int | None:
    """A price in minor units. Raises InvalidInput at the path for one that the menu's currency cannot pay."""
    try:
        return None if amount is None else money.minor_of(amount, menu.currency)
    except ValueError as problem:
        raise InvalidInput.at(path, str(problem)) from None


def stored_choices(menu: Menu, choices: Sequence[Choice], path: str) -> list[StoredChoice]:
    return [
        {"name": choice.name, "minor": priced(menu, choice.price, f"{path}.{number}.price") or 0}
        for number, choice in enumerate(choices)
    ]


def reprice(menu: Menu, currency: str) -> None:
    """Let all prices keep their numbers in another currency. Raises InvalidInput where that has no such coin."""
    items = list(Item.objects.filter(section__menu=menu))
    for item in items:
        try:
            if item.price_minor is not None:
                item.price_minor = money.moved(item.price_minor, menu.currency, currency)
            for choice in (*item.variants, *item.add_ons):
                choice["minor"] = money.moved(choice["minor"], menu.currency, currency)
        except ValueError as problem:
            raise InvalidInput.at("currency", f"The price of “{item.name}” does not fit. {problem}") from None
    Item.objects.bulk_update(items, ["price_minor", "variants", "add_ons"], batch_size=100)


def _check_prices(menu: Menu, wanted: Sequence[NewSection], path: str) -> None:
    """All that are wrong at once, before anything is made."""
    issues: list[Issue] = []
    for number, section in enumerate(wanted):
        for position, item in enumerate(section.items):
            at = f"{path}.{number}.items.{position}."
            prices = [(f"{at}price", item.price)]
            for name, choices in (("variants", item.variants), ("add_ons", item.add_ons)):
                prices += [(f"{at}{name}.{place}.price", choice.price) for place, choice in enumerate(choices)]
            for where, price in prices:
                try:
                    priced(menu, price, where)
                except InvalidInput as refusal:
                    issues += refusal.issues
    if issues:
        raise InvalidInput(issues[:50])
