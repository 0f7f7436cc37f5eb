"""Proposals in exports and imports of an account. Numbers are strings in the format of `offer.py`."""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from typing import Annotated, Any

from workspace.accounts.takeout import column_types
from workspace.accounts.takeout.tables import NumberReference, TakeoutTable
from workspace.products.bid import messages
from workspace.products.bid.api.arguments import BidEdit, LibraryEntry
from workspace.products.bid.domain.decisions import clean_signature_strokes
from workspace.products.bid.models import (
    BidEvent,
    Decision,
    LibraryItem,
    Message,
    NumberSequence,
    Proposal,
    Revision,
    Template,
)
from workspace.products.bid.models.decision import DECLINE_REASONS
from workspace.products.bid.models.revision import FORMER_IMAGE_KEY
from workspace.products.bid.rules.number_input import MAX_MONEY, MAX_QUANTITY
from workspace.products.bid.rules.offer import AMOUNT, PERCENT
from workspace.products.bid.rules.offer_input import MAX_FEATURES, MAX_LINES, MAX_PACKAGES
from workspace.tools.argument_types import Day, Line, Lines

_NUMBER_PATTERN = re.compile(r"[0-9]{1,7}(\.[0-9]{1,4})?", re.ASCII)


def _number_validator(maximum: Decimal, minimum: Decimal = Decimal(0)) -> Callable[[str], str]:
    def check(text: str) -> str:
        if not _NUMBER_PATTERN.fullmatch(text):
            raise ValueError(messages.STORED_NUMBER_INVALID)
        if not minimum <= Decimal(text) <= maximum:
            raise ValueError(messages.STORED_NUMBER_OUT_OF_RANGE(minimum=minimum, maximum=maximum))
        return text

    return check


Price = column_types.with_checks(str, _number_validator(MAX_MONEY))
Quantity = column_types.with_checks(str, _number_validator(MAX_QUANTITY, Decimal("0.0001")))
Percent = column_types.with_checks(str, _number_validator(Decimal(100)))
Id = column_types.text_matching(r"[A-Za-z0-9_-]{1,40}", str(messages.ID_INVALID))
_LINE_COLUMNS: dict[str, Any] = {
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
PricedLine = column_types.object_of(**_LINE_COLUMNS, unit_price=Price)
PackageLine = column_types.object_of(
    **_LINE_COLUMNS, unit_price=column_types.any_of(Price, None)
)  # a package may have a price instead


def _check_package_prices(package: dict[str, Any]) -> dict[str, Any]:
    if package["price"] is None and any(line["unit_price"] is None for line in package["line_items"]):
        raise ValueError(messages.STORED_PRICE_MISSING)
    return package


def _check_unique_ids(results: list[Any]) -> list[Any]:
    if len({item["id"] for item in results}) < len(results):
        raise ValueError(messages.STORED_ID_REPEATED)
    return results


Package = column_types.with_checks(
    column_types.object_of(
        id=Id,
        name=Annotated[str, Line(200, least=0)],
        description=Annotated[str, Lines(2000)],
        price=column_types.any_of(Price, None),
        features=column_types.list_of(Annotated[str, Line(200, least=0)], MAX_FEATURES),
        recommended=bool,
        taxable=bool,
        line_items=column_types.list_of(PackageLine, MAX_LINES),
    ),
    _check_package_prices,
)
_LABEL_COLUMN = {"label": Annotated[str, Line(60, least=0)]}
Share = column_types.any_of(
    column_types.object_of(_LABEL_COLUMN, type=column_types.one_of(PERCENT), value=Percent),
    column_types.object_of(_LABEL_COLUMN, type=column_types.one_of(AMOUNT), value=Price),
    column_types.object_of(),
)
OFFER_COLUMNS: dict[str, Any] = {
    **column_types.from_arguments(BidEdit, "title", "intro", "tax_label", "notes", "numbers"),
    "currency": column_types.Currency,
    "line_items": column_types.with_checks(column_types.list_of(PricedLine, MAX_LINES), _check_unique_ids),
    "packages": column_types.with_checks(column_types.list_of(Package, MAX_PACKAGES), _check_unique_ids),
    "discount": Share,
    "deposit": Share,
    "tax_rate": Percent,
}
VIDEO_COLUMNS = column_types.from_arguments(BidEdit, "video_url")
_ALL_OFFER_COLUMNS = {**OFFER_COLUMNS, "tax_inclusive": bool}
Body = column_types.object_of(
    {"image_id": column_types.Identifier, FORMER_IMAGE_KEY: column_types.Identifier, **VIDEO_COLUMNS},
    **_ALL_OFFER_COLUMNS,
    format=column_types.OneLine,
    id=column_types.Identifier,
    number=column_types.integer_up_to(2**31 - 1),
    revision=column_types.integer_up_to(2**31 - 1),
    valid_until=column_types.validate_unchanged(Day),
)
Selection = column_types.object_of(package=column_types.any_of(Id, None), options=column_types.list_of(Id, MAX_LINES))
_SUM_NAMES = ("subtotal", "discount", "tax", "total", "deposit", "balance")
Totals = column_types.object_of(currency=column_types.Currency, **dict.fromkeys(_SUM_NAMES, column_types.Money))
Seconds = column_types.dict_of(column_types.EventName, column_types.integer_up_to(36_000), 100)
EventDetails = column_types.dict_of(
    column_types.Token,
    column_types.any_of(column_types.OneLine, column_types.integer_up_to(2**31 - 1), bool, Seconds, None),
    20,
)


def _check_template_content(row: Template) -> None:
    """Raise ValueError for an empty template. The import does not check the column's default."""
    if not row.content:
        raise ValueError(messages.STORED_TEMPLATE_EMPTY)


TAKEOUT_TABLES = (
    TakeoutTable(
        model=NumberSequence,
        replaces=True,
        number_references={
            "last_number": NumberReference(Proposal, "account", of="account_id", newest=True, can_be_missing=True)
        },
    ),
    TakeoutTable(
        model=Proposal,
        column_types={
            **OFFER_COLUMNS,
            **VIDEO_COLUMNS,
            "client_name": column_types.OneLine,
            "client_company": column_types.OneLine,
            "revision_hash": column_types.Digest,
        },
        # the revision that a draft will send is not saved yet
        number_references={
            "revision": NumberReference(Revision, "proposal", unless=lambda row: not row.revision_hash, newest=True)
        },
    ),
    TakeoutTable(
        model=LibraryItem,
        column_types=column_types.from_arguments(LibraryEntry, "description", "unit") | {"unit_price": Price},
    ),
    TakeoutTable(
        model=Template,
        column_types={"content": column_types.object_of(VIDEO_COLUMNS, **_ALL_OFFER_COLUMNS)},
        check_row=_check_template_content,
    ),
    TakeoutTable(model=Message, column_types={"text": column_types.PlainText}),
    TakeoutTable(model=Revision, column_types={"body": column_types.json_text(Body)}),
    TakeoutTable(model=BidEvent, column_types={"actor": column_types.Token, "details": EventDetails}),
    TakeoutTable(
        model=Decision,
        files=("pdf_key",),
        file_hashes={"pdf_key": "pdf_sha256"},
        column_types={
            "signature_strokes": column_types.with_checks(list, clean_signature_strokes),
            "consent_version": column_types.Identifier,
            "selection": Selection,
            "totals": Totals,
            "reason": column_types.one_of(*DECLINE_REASONS),
            "comment": column_types.PlainText,
        },
    ),
)
