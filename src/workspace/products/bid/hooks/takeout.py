"""Proposals when an account moves. Their figures are texts, as `offer.py` keeps them."""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from typing import Annotated, Any

from workspace.accounts.takeout import column_types
from workspace.accounts.takeout.tables import Carried, Numbered
from workspace.products.bid.api.arguments import BidEdit, LibraryEntry
from workspace.products.bid.domain.decisions import clean_strokes
from workspace.products.bid.models import (
    BidEvent,
    Decision,
    LibraryItem,
    Message,
    Numbering,
    Proposal,
    Revision,
    Template,
)
from workspace.products.bid.models.decision import REASONS
from workspace.products.bid.rules.number_input import MOST_MONEY, MOST_QUANTITY
from workspace.products.bid.rules.offer import AMOUNT, PERCENT
from workspace.products.bid.rules.offer_input import MOST_FEATURES, MOST_LINES, MOST_PACKAGES
from workspace.tools.argument_types import Day, Line, Lines

_FIGURE = re.compile(r"[0-9]{1,7}(\.[0-9]{1,4})?", re.ASCII)


def _figure(most: Decimal, least: Decimal = Decimal(0)) -> Callable[[str], str]:
    def check(text: str) -> str:
        if not _FIGURE.fullmatch(text):
            raise ValueError("Use digits with at most 4 decimals, such as 12.5")
        if not least <= Decimal(text) <= most:
            raise ValueError(f"Use a number from {least} to {most}")
        return text

    return check


Price = column_types.checked_by(str, _figure(MOST_MONEY))
Quantity = column_types.checked_by(str, _figure(MOST_QUANTITY, Decimal("0.0001")))
Percent = column_types.checked_by(str, _figure(Decimal(100)))
Id = column_types.matching(r"[A-Za-z0-9_-]{1,40}", "Use letters, digits, - and _, up to 40 of them")
_LINE: dict[str, Any] = {
    "id": Id,
    "name": Annotated[str, Line(200, least=0)],
    "description": Annotated[str, Lines(2000)],
    "quantity": Quantity,
    "unit": Annotated[str, Line(40, least=0)],
    "optional": bool,
    "selected": bool,
    "taxable": bool,
    "section": Annotated[str, Line(100, least=0)],
}
PricedLine = column_types.shape(**_LINE, unit_price=Price)
PackageLine = column_types.shape(
    **_LINE, unit_price=column_types.any_of(Price, None)
)  # a package may have the only price


def _priced(package: dict[str, Any]) -> dict[str, Any]:
    if package["price"] is None and any(line["unit_price"] is None for line in package["line_items"]):
        raise ValueError("Give the package a price, or give each of its lines one")
    return package


def _once(found: list[Any]) -> list[Any]:
    if len({one["id"] for one in found}) < len(found):
        raise ValueError("Give each ID once")
    return found


Package = column_types.checked_by(
    column_types.shape(
        id=Id,
        name=Annotated[str, Line(200, least=0)],
        description=Annotated[str, Lines(2000)],
        price=column_types.any_of(Price, None),
        features=column_types.list_of(Annotated[str, Line(200, least=0)], MOST_FEATURES),
        recommended=bool,
        taxable=bool,
        line_items=column_types.list_of(PackageLine, MOST_LINES),
    ),
    _priced,
)
_LABEL = {"label": Annotated[str, Line(60, least=0)]}
Share = column_types.any_of(
    column_types.shape(_LABEL, type=column_types.one_of(PERCENT), value=Percent),
    column_types.shape(_LABEL, type=column_types.one_of(AMOUNT), value=Price),
    column_types.shape(),
)
OFFER: dict[str, Any] = {
    **column_types.as_given(BidEdit, "title", "intro", "tax_label", "notes", "numbers"),
    "currency": column_types.Currency,
    "line_items": column_types.checked_by(column_types.list_of(PricedLine, MOST_LINES), _once),
    "packages": column_types.checked_by(column_types.list_of(Package, MOST_PACKAGES), _once),
    "discount": Share,
    "deposit": Share,
    "tax_rate": Percent,
}
VIDEO = column_types.as_given(BidEdit, "video_url")
_WHOLE = {**OFFER, "tax_inclusive": bool}
Body = column_types.shape(
    {"picture_id": column_types.Identifier, **VIDEO},
    **_WHOLE,
    format=column_types.OneLine,
    id=column_types.Identifier,
    number=column_types.up_to(2**31 - 1),
    revision=column_types.up_to(2**31 - 1),
    valid_until=column_types.as_stored(Day),
)
Selected = column_types.shape(package=column_types.any_of(Id, None), options=column_types.list_of(Id, MOST_LINES))
_SUMS = ("subtotal", "discount", "tax", "total", "deposit", "balance")
Totals = column_types.shape(currency=column_types.Currency, **dict.fromkeys(_SUMS, column_types.Money))
Seconds = column_types.keyed(column_types.EventName, column_types.up_to(36_000), 100)
Told = column_types.keyed(
    column_types.Token,
    column_types.any_of(column_types.OneLine, column_types.up_to(2**31 - 1), bool, Seconds, None),
    20,
)


def _check_content(row: Template) -> None:
    """Raise ValueError for an empty template: the column's default is imported unread."""
    if not row.content:
        raise ValueError("content: Give the offer that this template holds")


CARRIED = (
    Carried(
        model=Numbering,
        replaces=True,
        numbered={"last": Numbered(Proposal, "account", of="account_id", newest=True, may_be_gone=True)},
    ),
    Carried(
        model=Proposal,
        reads={
            **OFFER,
            **VIDEO,
            "client_name": column_types.OneLine,
            "client_company": column_types.OneLine,
            "revision_hash": column_types.Digest,
        },
        # the one that a draft will send is not kept yet
        numbered={"revision": Numbered(Revision, "proposal", unless=lambda row: not row.revision_hash, newest=True)},
    ),
    Carried(
        model=LibraryItem, reads=column_types.as_given(LibraryEntry, "description", "unit") | {"unit_price": Price}
    ),
    Carried(model=Template, reads={"content": column_types.shape(VIDEO, **_WHOLE)}, agrees=_check_content),
    Carried(model=Message, reads={"text": column_types.PlainText}),
    Carried(model=Revision, reads={"body": column_types.json_text(Body)}),
    Carried(model=BidEvent, reads={"told": Told}),
    Carried(
        model=Decision,
        files=("pdf_key",),
        hashed={"pdf_key": "pdf_sha256"},
        reads={
            "drawn": column_types.checked_by(list, clean_strokes),
            "consent_version": column_types.Identifier,
            "selection": Selected,
            "totals": Totals,
            "reason": column_types.one_of(*REASONS),
            "words": column_types.PlainText,
        },
    ),
)
