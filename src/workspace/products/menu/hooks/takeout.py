"""Menus when an account moves."""

from __future__ import annotations

from typing import Annotated

from workspace.accounts.takeout import column_types
from workspace.accounts.takeout.tables import Carried
from workspace.products.menu.api import arguments
from workspace.products.menu.models import Item, Menu, Section
from workspace.products.menu.rules import types
from workspace.products.menu.rules.translations import ChoiceTranslations
from workspace.tools.argument_types import Line

Choice = column_types.shape(
    {"translations": ChoiceTranslations}, name=Annotated[str, Line(60)], minor=column_types.Money
)
Choices = column_types.list_of(Choice, 20)
CARRIED = (
    Carried(
        model=Menu,
        reads={
            **column_types.as_given(arguments.MenuChanges, "restaurant_name", "address", "intro", "theme", "hours"),
            **column_types.as_given(arguments.MenuChanges, "languages", "translations", "sold_out_resets_at"),
        },
    ),
    Carried(model=Section, reads=column_types.as_given(types.SectionFields, "translations", "hours", "description")),
    Carried(
        model=Item,
        reads={
            **column_types.as_given(types.ItemFields, "description", "translations", "price_note", "allergens"),
            "tags": types.Tags,
            "variants": Choices,
            "add_ons": Choices,
        },
    ),
)
