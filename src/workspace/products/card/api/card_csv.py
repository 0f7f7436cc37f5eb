"""A team as a table: which cards its lines create or change."""

from __future__ import annotations

from typing import Any

from workspace.accounts.models import Account
from workspace.lib.errors import InvalidInputError
from workspace.lib.tabular.list_table import ListTable
from workspace.lib.text import search_key
from workspace.products.card import messages

LIST_NAME = "card.cards"
NAME_FIELDS = frozenset({"full_name", "given_name", "family_name", "id"})


def build_items(account: Account, sheet: ListTable) -> list[dict[str, Any]]:
    """Return the lines in the format of svc_card_save.

    A line with the name and the email address of an existing card, or with its id, changes that card. Raise
    InvalidInputError at `csv` if no column contains names.
    """
    if not sheet.rows:
        raise InvalidInputError.at_path("csv", messages.CARD_LIST_EMPTY)
    if not NAME_FIELDS & set(sheet.fields):
        raise InvalidInputError.at_path("csv", messages.NAME_COLUMN_NEEDED)
    known = {(search_key(card.full_name), search_key(card.email)): card.pk for card in account.cards.all()}
    return [_build_item(dict(row.cells), known) for row in sheet.rows]


def _build_item(cells: dict[str, Any], known: dict[tuple[str, str], str]) -> dict[str, Any]:
    mobile = cells.pop("mobile", "")
    if mobile and "phone" in cells:
        cells["more_phones"] = [{"number": mobile, "label": "Mobile"}]
    elif mobile:
        cells["phone"] = mobile
    parts = " ".join(filter(None, (cells.get("given_name", ""), cells.get("family_name", ""))))
    if "full_name" not in cells and parts:
        cells["full_name"] = parts
    # each card is changed by one line; a second line with the same name and address is a new card
    id = known.pop((search_key(cells.get("full_name", "")), search_key(cells.get("email", ""))), "")
    return {"id": id, **cells} if id and "id" not in cells else cells
