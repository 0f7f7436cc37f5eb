"""Export and import of menus."""

from __future__ import annotations

from typing import Annotated

from workspace.accounts.takeout import column_types
from workspace.accounts.takeout.tables import TakeoutTable
from workspace.products.menu.api import arguments
from workspace.products.menu.models import Item, Menu, Section
from workspace.products.menu.rules import section_and_item_fields
from workspace.products.menu.rules.translations import ChoiceTranslations
from workspace.tools.argument_types import Line

Choice = column_types.object_of(
    {"translations": ChoiceTranslations}, name=Annotated[str, Line(60)], minor=column_types.Money
)
Choices = column_types.list_of(Choice, 20)
TAKEOUT_TABLES = (
    TakeoutTable(
        model=Menu,
        column_types={
            **column_types.from_arguments(
                arguments.MenuChanges, "restaurant_name", "address", "intro", "theme", "hours"
            ),
            **column_types.from_arguments(arguments.MenuChanges, "languages", "translations", "sold_out_resets_at"),
        },
    ),
    TakeoutTable(
        model=Section,
        column_types=column_types.from_arguments(
            section_and_item_fields.SectionFields, "translations", "hours", "description"
        ),
    ),
    TakeoutTable(
        model=Item,
        column_types={
            **column_types.from_columns(Item, section_and_item_fields.ItemFields),
            "tags": section_and_item_fields.Tags,
            "variants": Choices,
            "add_ons": Choices,
        },
    ),
)
