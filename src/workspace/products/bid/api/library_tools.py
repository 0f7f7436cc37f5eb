"""Tools for the library of proposals: lines for reuse, and templates."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field
from typing_extensions import TypedDict

from workspace.accounts.models import Account
from workspace.lib.errors import InvalidInputError
from workspace.lib.text import format_count
from workspace.products.bid.api.arguments import IdOrder, LibraryEntries, RemovedIds
from workspace.products.bid.api.serializers import LibraryItemData, TemplateData, library_item_data, template_data
from workspace.products.bid.api.text import format_library_item, format_template
from workspace.products.bid.api.tools import box
from workspace.products.bid.domain import library
from workspace.products.bid.rules.offer import load_offer
from workspace.tools.answer import Answer, Listing, format_bullets, listing_answer
from workspace.tools.argument_types import Limit, Offset, Query


@box.tool("svc_bid_library", title="List library items or templates", reads=True)
def list_library(
    account: Account,
    q: Annotated[Query, Field(description="Words of the name or description")] = "",
    kind: Annotated[
        Literal["items", "templates"], Field(description="Lines with prices, or whole proposals to begin with")
    ] = "items",
    limit: Limit = 50,
    offset: Offset = 0,
) -> Answer[Listing[LibraryItemData | TemplateData]]:
    """What you keep for proposals to come: lines with their prices for line_items, in your order, or templates, which
    svc_bid_copy makes proposals of."""
    if kind == "templates":
        templates, total = library.list_templates(account, q, limit, offset)
        rows: list[Any] = [template_data(template, load_offer(template.content)) for template in templates]
        return listing_answer(rows, total=total, offset=offset, noun="templates", line=format_template)
    items, total = library.list_items(account, q, limit, offset)
    rows = [library_item_data(item) for item in items]
    return listing_answer(rows, total=total, offset=offset, noun="library items", line=format_library_item)


class SavedItems(TypedDict):
    """`items`: those made and named, as they are now, in the order of the list."""

    added: int
    changed: int
    removed: int
    items: list[LibraryItemData]


@box.tool("svc_bid_save_items", title="Save library items")
def save_items(
    account: Account,
    items: LibraryEntries | None = None,
    remove: RemovedIds | None = None,
    order: IdOrder | None = None,
) -> Answer[SavedItems]:
    """Keep lines for proposals to come: entries without an id are made, those with one changed. All of it or, where
    something is refused, nothing. Proposals that hold such a line stay as they are."""
    if not items and not remove and order is None:
        raise InvalidInputError.at_path("items", "Give lines to keep or to change, ids to remove, or an order")
    library_items, added, changed, removed = library.save_items(account, items or [], remove or [], order)
    data: SavedItems = {
        "added": added,
        "changed": changed,
        "removed": removed,
        "items": [library_item_data(item) for item in library_items],
    }
    counts = {"Added": added, "Changed": changed, "Removed": removed}
    text = ", ".join(f"{act.lower()} {format_count(n, 'library item')}" for act, n in counts.items() if n)
    head = text[:1].upper() + text[1:] if text else "The order is saved" if order is not None else "Nothing changed"
    return Answer(data, "\n".join([f"{head}.", "", *format_bullets(data["items"], format_library_item)]))
