"""Tools for the library of proposals: lines for reuse, and templates."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field
from typing_extensions import TypedDict

from workspace.accounts.models import Account
from workspace.lib.errors import InvalidInputError
from workspace.lib.text import format_count
from workspace.products.bid import messages
from workspace.products.bid.api.arguments import IdOrder, LibraryEntries, RemovedIds
from workspace.products.bid.api.serializers import LibraryItemData, TemplateData, library_item_data, template_data
from workspace.products.bid.api.text import format_library_item, format_template
from workspace.products.bid.api.tools import box
from workspace.products.bid.domain import library
from workspace.products.bid.rules.offer import load_offer
from workspace.tools.answer import Answer, Listing, format_bullets, listing_answer
from workspace.tools.argument_types import Limit, Offset, Query


@box.tool(
    "svc_bid_library",
    title="List library items or templates",
    about="List saved line items with prices, in your order, for use in line_items. Can also list proposal templates "
    "for use with svc_bid_copy.",
    short="List saved line items, or proposal templates.",
    synonyms="price book, rate card, saved items, catalog of services, templates, preiskatalog, bausteine, "
    "positionen, vorlagen, catálogo, conceptos guardados, plantillas",
    reads=True,
)
def list_library(
    account: Account,
    q: Annotated[Query, Field(description="Words in the name or description.")] = "",
    kind: Annotated[
        Literal["items", "templates"],
        Field(description="Type of library item: saved line items or proposal templates. Defaults to items."),
    ] = "items",
    limit: Limit = 50,
    offset: Offset = 0,
) -> Answer[Listing[LibraryItemData | TemplateData]]:
    if kind == "templates":
        templates, total = library.list_templates(account, q, limit, offset)
        rows: list[Any] = [template_data(template, load_offer(template.content)) for template in templates]
        return listing_answer(rows, total=total, offset=offset, noun="templates", line=format_template)
    items, total = library.list_items(account, q, limit, offset)
    rows = [library_item_data(item) for item in items]
    return listing_answer(rows, total=total, offset=offset, noun="library items", line=format_library_item)


class SavedItems(TypedDict):
    """The saved library items, in the order of the list, and how many were created, updated and removed."""

    added: int
    changed: int
    removed: int
    items: list[LibraryItemData]


@box.tool(
    "svc_bid_save_items",
    title="Create, update and reorder library items",
    about="Create, update, remove and reorder saved line items for future proposals. Entries without id are created; "
    "entries with id are updated. One invalid entry rejects the whole list. Existing proposals stay unchanged.",
    short="Create, update, remove or reorder saved line items.",
    synonyms="price book, rate card, save line item, standard prices, hourly rate, preise speichern, stundensatz, "
    "position speichern, guardar concepto, tarifas, precio por hora",
)
def save_items(
    account: Account,
    items: LibraryEntries | None = None,
    remove: RemovedIds | None = None,
    order: IdOrder | None = None,
) -> Answer[SavedItems]:
    if not items and not remove and order is None:
        raise InvalidInputError.at_path("items", messages.NOTHING_TO_SAVE)
    library_items, added, changed, removed = library.save_items(account, items or [], remove or [], order)
    data: SavedItems = {
        "added": added,
        "changed": changed,
        "removed": removed,
        "items": [library_item_data(item) for item in library_items],
    }
    counts = {"created": added, "updated": changed, "removed": removed}
    text = ", ".join(f"{act} {format_count(n, 'library item')}" for act, n in counts.items() if n)
    head = text[:1].upper() + text[1:] if text else "Order updated" if order is not None else "No changes"
    return Answer(data, "\n".join([f"{head}.", "", *format_bullets(data["items"], format_library_item)]))
