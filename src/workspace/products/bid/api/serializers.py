"""Serializers of proposals and related items, which all answers use."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from typing_extensions import TypedDict

from workspace.accounts.models import Account
from workspace.lib import clock
from workspace.products.bid.models import LibraryItem, Message, Proposal, Template
from workspace.products.bid.rules.offer import Offer, OfferLine, Package, Share
from workspace.products.bid.rules.totals import (
    Totals,
    compute_line_total,
    compute_package_total,
    compute_totals,
    to_major_units,
)
from workspace.publishing.serializers import ItemSummary, item_summary, with_public_state
from workspace.publishing.submissions import Submission
from workspace.storage.database.compiled_query import CompiledQuery, parameter


class BidSummary(ItemSummary):
    """A proposal. `public_url` is its share link. `expired` means that valid_until has passed without a decision."""

    number: int
    title: str
    client_name: str
    client_email: str
    client_company: str
    status: str
    expired: bool
    valid_until: str
    days_left: int | None
    currency: str
    total: float
    revision: int
    sent_at: str | None
    viewed_at: str | None
    last_viewed_at: str | None
    views: int
    decided_at: str | None
    image_id: str | None


class LineData(TypedDict):
    id: str
    name: str
    description: str
    quantity: float
    unit_price: float | None
    unit: str
    optional: bool
    selected: bool
    taxable: bool
    section: str
    total: float


class PackageData(TypedDict):
    id: str
    name: str
    description: str
    price: float | None
    features: list[str]
    recommended: bool
    taxable: bool
    line_items: list[LineData]
    total: float


class ShareData(TypedDict):
    type: str
    value: float
    label: str


class LineTotalData(TypedDict):
    id: str
    total: float
    counted: bool


class TotalsData(TypedDict):
    subtotal: float
    discount: float
    tax: float
    total: float
    deposit: float
    balance: float
    currency: str
    lines: list[LineTotalData]
    total_from: float
    total_to: float


class MessageData(TypedDict):
    id: str
    by: str
    name: str
    email: str
    text: str
    at: str | None
    answered: bool


class LibraryItemData(TypedDict):
    """A saved line item. `unit_price` is null if it has none."""

    id: str
    name: str
    description: str
    unit: str
    unit_price: float | None
    taxable: bool


class TemplateData(TypedDict):
    id: str
    name: str
    title: str
    currency: str
    total: float
    lines: int
    packages: int


def paginate_bids(account: Account, *, status: str | None, limit: int, offset: int) -> tuple[list[BidSummary], int]:
    """Return a page of the account's proposals, newest first, and the total number. Archived proposals are excluded."""
    if status is None:
        rows, total = _LIST_QUERY.fetch_page(limit=limit, offset=offset, account=account.pk)
    else:
        rows, total = _STATUS_QUERY.fetch_page(limit=limit, offset=offset, account=account.pk, status=status)
    for proposal in rows:
        proposal.account = account
    return [bid_summary(proposal) for proposal in rows], total


_LIST_QUERY: CompiledQuery[Any] = CompiledQuery(
    lambda: Proposal.objects.filter(account_id=parameter("account"), archived_at=None), with_public_state
)
_STATUS_QUERY: CompiledQuery[Any] = CompiledQuery(
    lambda: Proposal.objects.filter(account_id=parameter("account"), status=parameter("status"), archived_at=None),
    with_public_state,
)


def bid_summary(proposal: Proposal) -> BidSummary:
    return {
        **item_summary(proposal),
        "number": proposal.number,
        "title": proposal.title,
        "client_name": proposal.client_name,
        "client_email": proposal.client_email,
        "client_company": proposal.client_company,
        "status": proposal.status,
        "expired": proposal.is_expired,
        "valid_until": proposal.valid_until.isoformat(),
        "days_left": proposal.days_left,
        "currency": proposal.currency,
        "total": to_major_units(proposal.total, proposal.currency),
        "revision": proposal.revision,
        "sent_at": clock.to_iso(proposal.sent_at),
        "viewed_at": clock.to_iso(proposal.viewed_at),
        "last_viewed_at": clock.to_iso(proposal.last_viewed_at),
        "views": proposal.views,
        "decided_at": clock.to_iso(proposal.decided_at),
        "image_id": proposal.image_id,
    }


def line_data(line: OfferLine, currency: str) -> LineData:
    return {
        "id": line.id,
        "name": line.name,
        "description": line.description,
        "quantity": float(line.quantity),
        "unit_price": _to_float(line.unit_price),
        "unit": line.unit,
        "optional": line.optional,
        "selected": line.selected,
        "taxable": line.taxable,
        "section": line.section,
        "total": to_major_units(compute_line_total(line, currency), currency),
    }


def package_data(package: Package, currency: str) -> PackageData:
    return {
        "id": package.id,
        "name": package.name,
        "description": package.description,
        "price": _to_float(package.price),
        "features": list(package.features),
        "recommended": package.recommended,
        "taxable": package.taxable,
        "line_items": [line_data(line, currency) for line in package.lines],
        "total": to_major_units(compute_package_total(package, currency), currency),
    }


def share_data(share: Share | None) -> ShareData | None:
    return None if share is None else {"type": share.kind, "value": float(share.value), "label": share.label}


def totals_data(totals: Totals) -> TotalsData:
    currency = totals.currency
    return {
        "subtotal": to_major_units(totals.subtotal, currency),
        "discount": to_major_units(totals.discount, currency),
        "tax": to_major_units(totals.tax, currency),
        "total": to_major_units(totals.total, currency),
        "deposit": to_major_units(totals.deposit, currency),
        "balance": to_major_units(totals.balance, currency),
        "currency": currency,
        "lines": [
            {"id": line.id, "total": to_major_units(line.total, currency), "counted": line.is_counted}
            for line in totals.lines
        ],
        "total_from": to_major_units(totals.total_from, currency),
        "total_to": to_major_units(totals.total_to, currency),
    }


def message_data(message: Message) -> MessageData:
    return {
        "id": message.pk,
        "by": message.author,
        "name": message.name,
        "email": message.email,
        "text": message.text,
        "at": clock.to_iso(message.created_at),
        "answered": message.author != "client" or message.answered_at is not None,
    }


def library_item_data(item: LibraryItem) -> LibraryItemData:
    return {
        "id": item.pk,
        "name": item.name,
        "description": item.description,
        "unit": item.unit,
        "unit_price": float(Decimal(item.unit_price)) if item.unit_price else None,
        "taxable": item.taxable,
    }


def template_data(template: Template, offer: Offer) -> TemplateData:
    return {
        "id": template.pk,
        "name": template.name,
        "title": str(template.content.get("title", "")),
        "currency": offer.currency,
        "total": to_major_units(compute_totals(offer).total, offer.currency),
        "lines": len(offer.lines),
        "packages": len(offer.packages),
    }


def question_submissions(messages: Sequence[Message]) -> list[Submission]:
    """Return questions in the format of the account's lists of submissions."""
    return [
        {
            "id": message.pk,
            "name": message.name,
            "email": message.email,
            "phone": "",
            "note": message.text,
            "at": clock.to_iso(message.created_at) or "",
            "thing_id": message.proposal_id,
            "page": f"/app/bid/{message.proposal_id}",
        }
        for message in messages
    ]


def _to_float(amount: Decimal | None) -> float | None:
    return None if amount is None else float(amount)
