"""Tools for a menu's views, and for its export as a file."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from workspace.accounts.models import Account
from workspace.analytics.queries import compute_statistics
from workspace.analytics.serializers import (
    DayStats,
    VisitStats,
    add_previous_counts,
    format_stats,
    list_day_stats,
    visit_stats,
)
from workspace.lib import clock
from workspace.lib.money import format_decimal
from workspace.lib.tabular import csv_table
from workspace.lib.text import escape_markdown
from workspace.products.menu.api.arguments import MenuId
from workspace.products.menu.api.tools import box
from workspace.products.menu.domain.importer.draft import format_choices
from workspace.products.menu.domain.menu_languages import further_languages
from workspace.products.menu.domain.queries import get_menu, items_for
from workspace.products.menu.domain.sections_and_items import TEXT_FIELDS
from workspace.products.menu.models import KIND, Choice, Item
from workspace.products.menu.rules.diets_and_allergens import ALLERGENS
from workspace.products.menu.rules.translations import translation_columns
from workspace.publishing.export_answers import Export, export_text
from workspace.publishing.models.visit import VIEW_EVENT
from workspace.publishing.shared_item_arguments import Days, limit_days
from workspace.tools.answer import Answer, format_fact_list

ExportKind = Annotated[
    Literal["items", "allergens"],
    Field(description="Data to export: items, or the table of the 14 allergens. Defaults to items."),
]
_FIRST_COLUMNS = (
    "section",
    "section_description",
    "name",
    "description",
    "price",
    "price_from",
    "price_note",
    "variants",
    "add_ons",
    "dietary_tags",
    "allergens",
    "allergens_checked",
    "sold_out",
    "hidden",
)
EXPORT_COLUMNS = (*_FIRST_COLUMNS, *(name for name in TEXT_FIELDS if name not in _FIRST_COLUMNS), "id")


class MenuStats(VisitStats):
    id: str
    restaurant_name: str
    by_day: list[DayStats]


@box.tool(
    "svc_menu_stats",
    title="Get menu views",
    about="Get the views of a menu: in total, in the last 7 days, and by day, hour, device, city and country. Bots "
    "are counted separately. unique counts each visitor once a day. Days are in the account's time zone.",
    short="Get views of a menu by day, hour, device and city.",
    synonyms="analytics, statistics, how many guests, visits, scans of the menu, traffic, aufrufe, statistik, wie "
    "viele gäste, visitas, estadísticas, cuántas personas ven",
    reads=True,
)
def stats(account: Account, menu_id: MenuId, days: Days | None = None) -> Answer[MenuStats]:
    menu = get_menu(account, menu_id)
    history = account.limits(KIND).history_days
    statistics = compute_statistics(menu.publication_id, VIEW_EVENT, days=limit_days(days, history), zone=account.zone)
    data: MenuStats = {
        **add_previous_counts(visit_stats(statistics, account), history, views=statistics.before),
        "id": menu.pk,
        "restaurant_name": menu.restaurant_name,
        "by_day": list_day_stats(statistics),
    }
    return Answer(
        data, format_fact_list(f"Views of the menu of {escape_markdown(menu.restaurant_name)}", format_stats(data))
    )


@box.tool(
    "svc_menu_export",
    title="Export a menu",
    about="Export all items as CSV, which you can import again, or the allergen table for inspections. In the table, "
    "free means declared free, and an empty cell means undeclared. Cells that look like formulas are prefixed with "
    "an apostrophe.",
    short="Export menu items or the allergen table as CSV.",
    synonyms="download menu, spreadsheet, excel, csv, allergen table, allergen list, inspection, allergentabelle, "
    "speisekarte exportieren, tabla de alérgenos, exportar menú, descargar carta",
    reads=True,
)
def export(account: Account, menu_id: MenuId, kind: ExportKind = "items") -> Answer[Export]:
    menu = get_menu(account, menu_id)
    items, currency = items_for(menu), menu.currency
    name = f"{'menu' if kind == 'items' else 'allergens'}-{menu.slug}.csv"
    if kind == "allergens":
        rows = [(item.section.name, item.name, *_allergen_cells(item)) for item in items]
        text = csv_table.write(("section", "name", *ALLERGENS), rows)
        return export_text(KIND, "item", name, text, rows=len(rows), kind=kind, menu_id=menu.pk)
    now = clock.now()
    further = translation_columns(further_languages(menu))
    lines = [
        (
            *_export_values(item, currency, now),
            *(item.translations.get(code, {}).get(name, "") for code, name in further.values()),
        )
        for item in items
    ]
    text = csv_table.write((*EXPORT_COLUMNS, *further), [[_format_cell(value) for value in line] for line in lines])
    return export_text(KIND, "item", name, text, rows=len(lines), kind=kind, menu_id=menu.pk)


def _export_values(item: Item, currency: str, now: datetime) -> list[object]:
    """Return the values of `EXPORT_COLUMNS`. Values that need no conversion are the item's attributes."""
    values: dict[str, object] = {
        "section": item.section.name,
        "section_description": item.section.description,
        "price": "" if item.price_minor is None else format_decimal(item.price_minor, currency),
        "variants": _format_choices(item.variants, currency),
        "add_ons": _format_choices(item.add_ons, currency),
        "dietary_tags": " ".join(item.tags),
        "allergens": " ".join(f"{key}:{state}" for key, state in item.allergens.items()),
        "sold_out": item.is_sold_out(now),
    }
    return [values[name] if name in values else getattr(item, name) for name in EXPORT_COLUMNS]


def _format_cell(value: object) -> str:
    return ("yes" if value else "") if isinstance(value, bool) else str(value)


def _allergen_cells(item: Item) -> list[str]:
    free = item.free_allergens
    return ["free" if key in free else item.allergens.get(key, "").replace("_", " ") for key in ALLERGENS]


def _format_choices(choices: Sequence[Choice], currency: str) -> str:
    return format_choices([(choice["name"], format_decimal(choice["minor"], currency)) for choice in choices])
