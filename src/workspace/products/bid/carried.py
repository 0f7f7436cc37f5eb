"""Proposals when an account moves. Their figures are texts, as `offer.py` keeps them."""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from typing import Annotated, Any

from workspace.accounts.carrying import readers
from workspace.accounts.carrying.tables import Carried, Numbered
from workspace.products.bid.arguments import BidEdit, LibraryEntry
from workspace.products.bid.deciding import clean_strokes
from workspace.products.bid.figures import MOST_MONEY, MOST_QUANTITY
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
from workspace.products.bid.offer import AMOUNT, PERCENT
from workspace.products.bid.shapes import MOST_FEATURES, MOST_LINES, MOST_PACKAGES
from workspace.toolkit.types import Day, Line, Lines

_FIGURE = re.compile(r"[0-9]{1,7}(\.[0-9]{1,4})?", re.ASCII)


def _figure(most: Decimal, least: Decimal = Decimal(0)) -> Callable[[str], str]:
    def check(text: str) -> str:
        if not _FIGURE.fullmatch(text):
            raise ValueError("Use digits with at most 4 decimals, such as 12.5")
        if not least <= Decimal(text) <= most:
            raise ValueError(f"Use a number from {least} to {most}")
        return text

    return check


Price = readers.checked_by(str, _figure(MOST_MONEY))
Quantity = readers.checked_by(str, _figure(MOST_QUANTITY, Decimal("0.0001")))
Percent = readers.checked_by(str, _figure(Decimal(100)))
Id = readers.matching(r"[A-Za-z0-9_-]{1,40}", "Use letters, digits, - and _, up to 40 of them")
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
PricedLine = readers.shape(**_LINE, unit_price=Price)
PackageLine = readers.shape(**_LINE, unit_price=readers.any_of(Price, None))  # a package may have the only price


def _priced(package: dict[str, Any]) -> dict[str, Any]:
    if package["price"] is None and any(line["unit_price"] is None for line in package["line_items"]):
        raise ValueError("Give the package a price, or give each of its lines one")
    return package


def _once(found: list[Any]) -> list[Any]:
    if len({one["id"] for one in found}) < len(found):
        raise ValueError("Give each ID once")
    return found


Package = readers.checked_by(
    readers.shape(
        id=Id,
        name=Annotated[str, Line(200, least=0)],
        description=Annotated[str, Lines(2000)],
        price=readers.any_of(Price, None),
        features=readers.list_of(Annotated[str, Line(200, least=0)], MOST_FEATURES),
        recommended=bool,
        taxable=bool,
        line_items=readers.list_of(PackageLine, MOST_LINES),
    ),
    _priced,
)
_LABEL = {"label": Annotated[str, Line(60, least=0)]}
Share = readers.any_of(
    readers.shape(_LABEL, type=readers.one_of(PERCENT), value=Percent),
    readers.shape(_LABEL, type=readers.one_of(AMOUNT), value=Price),
    readers.shape(),
)
OFFER: dict[str, Any] = {
    **readers.as_given(BidEdit, "title", "intro", "tax_label", "notes", "numbers"),
    "currency": readers.Currency,
    "line_items": readers.checked_by(readers.list_of(PricedLine, MOST_LINES), _once),
    "packages": readers.checked_by(readers.list_of(Package, MOST_PACKAGES), _once),
    "discount": Share,
    "deposit": Share,
    "tax_rate": Percent,
}
VIDEO = readers.as_given(BidEdit, "video_url")
_WHOLE = {**OFFER, "tax_inclusive": bool}
Body = readers.shape(
    {"picture_id": readers.Identifier, **VIDEO},
    **_WHOLE,
    format=readers.OneLine,
    id=readers.Identifier,
    number=readers.up_to(2**31 - 1),
    revision=readers.up_to(2**31 - 1),
    valid_until=readers.as_stored(Day),
)
Selected = readers.shape(package=readers.any_of(Id, None), options=readers.list_of(Id, MOST_LINES))
_SUMS = ("subtotal", "discount", "tax", "total", "deposit", "balance")
Totals = readers.shape(currency=readers.Currency, **dict.fromkeys(_SUMS, readers.Money))
Seconds = readers.keyed(readers.EventName, readers.up_to(36_000), 100)
Told = readers.keyed(readers.Token, readers.any_of(readers.OneLine, readers.up_to(2**31 - 1), bool, Seconds, None), 20)


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
            "client_name": readers.OneLine,
            "client_company": readers.OneLine,
            "revision_hash": readers.Digest,
        },
        # the one that a draft will send is not kept yet
        numbered={"revision": Numbered(Revision, "proposal", unless=lambda row: not row.revision_hash, newest=True)},
    ),
    Carried(model=LibraryItem, reads=readers.as_given(LibraryEntry, "description", "unit") | {"unit_price": Price}),
    Carried(model=Template, reads={"content": readers.shape(VIDEO, **_WHOLE)}, agrees=_check_content),
    Carried(model=Message, reads={"text": readers.PlainText}),
    Carried(model=Revision, reads={"body": readers.json_text(Body)}),
    Carried(model=BidEvent, reads={"told": Told}),
    Carried(
        model=Decision,
        files=("pdf_key",),
        hashed={"pdf_key": "pdf_sha256"},
        reads={
            "drawn": readers.checked_by(list, clean_strokes),
            "consent_version": readers.Identifier,
            "selection": Selected,
            "totals": Totals,
            "reason": readers.one_of(*REASONS),
            "words": readers.PlainText,
        },
    ),
)
