"""Menus when an account moves."""

from __future__ import annotations

from typing import Annotated

from workspace.accounts.carrying import readers
from workspace.accounts.carrying.tables import Carried
from workspace.products.menu import arguments
from workspace.products.menu.models import Item, Menu, Section
from workspace.products.menu.rules import types
from workspace.products.menu.translations import ChoiceTranslations
from workspace.toolkit.types import Line

Choice = readers.shape({"translations": ChoiceTranslations}, name=Annotated[str, Line(60)], minor=readers.Money)
Choices = readers.list_of(Choice, 20)
CARRIED = (
    Carried(
        model=Menu,
        reads={
            **readers.as_given(arguments.MenuChanges, "restaurant_name", "address", "intro", "theme", "hours"),
            **readers.as_given(arguments.MenuChanges, "languages", "translations", "sold_out_resets_at"),
        },
    ),
    Carried(model=Section, reads=readers.as_given(types.SectionFields, "translations", "hours", "description")),
    Carried(
        model=Item,
        reads={
            **readers.as_given(types.ItemFields, "description", "translations", "price_note", "allergens"),
            "tags": types.Tags,
            "variants": Choices,
            "add_ons": Choices,
        },
    ),
)
