"""A proposal and what belongs to it as data, the same in every answer."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from typing_extensions import TypedDict

from workspace.accounts.models import Account
from workspace.lib import clock
from workspace.products.bid.models import LibraryItem, Message, Proposal, Template
from workspace.products.bid.rules.offer import Line, Offer, Package, Share
from workspace.products.bid.rules.totals import Totals, line_total, money, package_total, totals
from workspace.publishing.serializers import PublishedRow, published_row, shown
from workspace.publishing.submissions import Left
from workspace.storage.database.compiled_query import Statement, given


class BidRow(PublishedRow):
    """`public_url` is the share link. `expired`: it is open, and its last day is over."""

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
    picture_id: str | None


class LineRow(TypedDict):
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


class PackageRow(TypedDict):
    id: str
    name: str
    description: str
    price: float | None
    features: list[str]
    recommended: bool
    taxable: bool
    line_items: list[LineRow]
    total: float


class ShareRow(TypedDict):
    type: str
    value: float
    label: str


class LineTotalRow(TypedDict):
    id: str
    total: float
    counted: bool


class TotalsRow(TypedDict):
    subtotal: float
    discount: float
    tax: float
    total: float
    deposit: float
    balance: float
    currency: str
    lines: list[LineTotalRow]
    total_from: float
    total_to: float


class MessageRow(TypedDict):
    id: str
    by: str
    name: str
    email: str
    text: str
    at: str | None
    answered: bool


class LibraryRow(TypedDict):
    """Of a template the first line's fields are empty, and `total` is what it comes to."""

    id: str
    name: str
    description: str
    unit: str
    unit_price: float | None
    taxable: bool


class TemplateRow(TypedDict):
    id: str
    name: str
    title: str
    currency: str
    total: float
    lines: int
    packages: int


def page_of(account: Account, *, status: str | None, limit: int, offset: int) -> tuple[list[BidRow], int]:
    """Some of the account's proposals, newest first, and how many there are. Archived ones are not among them."""
    if status is None:
        found, total = _LISTED.page(limit=limit, offset=offset, account=account.pk)
    else:
        found, total = _OF_STATUS.page(limit=limit, offset=offset, account=account.pk, status=status)
    for proposal in found:
        proposal.account = account
    return [bid_row(proposal) for proposal in found], total


_LISTED: Statement[Any] = Statement(
    lambda: Proposal.objects.filter(account_id=given("account"), archived_at=None), shown
)
_OF_STATUS: Statement[Any] = Statement(
    lambda: Proposal.objects.filter(account_id=given("account"), status=given("status"), archived_at=None), shown
)


def bid_row(proposal: Proposal) -> BidRow:
    return {
        **published_row(proposal),
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
        "total": money(proposal.total, proposal.currency),
        "revision": proposal.revision,
        "sent_at": clock.iso(proposal.sent_at),
        "viewed_at": clock.iso(proposal.viewed_at),
        "last_viewed_at": clock.iso(proposal.last_viewed_at),
        "views": proposal.views,
        "decided_at": clock.iso(proposal.decided_at),
        "picture_id": proposal.picture_id,
    }


def line_row(line: Line, currency: str) -> LineRow:
    return {
        "id": line.id,
        "name": line.name,
        "description": line.description,
        "quantity": float(line.quantity),
        "unit_price": _plain(line.unit_price),
        "unit": line.unit,
        "optional": line.optional,
        "selected": line.selected,
        "taxable": line.taxable,
        "section": line.section,
        "total": money(line_total(line, currency), currency),
    }


def package_row(package: Package, currency: str) -> PackageRow:
    return {
        "id": package.id,
        "name": package.name,
        "description": package.description,
        "price": _plain(package.price),
        "features": list(package.features),
        "recommended": package.recommended,
        "taxable": package.taxable,
        "line_items": [line_row(line, currency) for line in package.lines],
        "total": money(package_total(package, currency), currency),
    }


def share_row(share: Share | None) -> ShareRow | None:
    return None if share is None else {"type": share.kind, "value": float(share.value), "label": share.label}


def totals_row(found: Totals) -> TotalsRow:
    currency = found.currency
    return {
        "subtotal": money(found.subtotal, currency),
        "discount": money(found.discount, currency),
        "tax": money(found.tax, currency),
        "total": money(found.total, currency),
        "deposit": money(found.deposit, currency),
        "balance": money(found.balance, currency),
        "currency": currency,
        "lines": [
            {"id": line.id, "total": money(line.total, currency), "counted": line.counted} for line in found.lines
        ],
        "total_from": money(found.total_from, currency),
        "total_to": money(found.total_to, currency),
    }


def message_row(message: Message) -> MessageRow:
    return {
        "id": message.pk,
        "by": message.by,
        "name": message.name,
        "email": message.email,
        "text": message.text,
        "at": clock.iso(message.created_at),
        "answered": message.by != "client" or message.answered_at is not None,
    }


def library_row(item: LibraryItem) -> LibraryRow:
    return {
        "id": item.pk,
        "name": item.name,
        "description": item.description,
        "unit": item.unit,
        "unit_price": float(Decimal(item.unit_price)) if item.unit_price else None,
        "taxable": item.taxable,
    }


def template_row(template: Template, offer: Offer) -> TemplateRow:
    return {
        "id": template.pk,
        "name": template.name,
        "title": str(template.content.get("title", "")),
        "currency": offer.currency,
        "total": money(totals(offer).total, offer.currency),
        "lines": len(offer.lines),
        "packages": len(offer.packages),
    }


def left(messages: Sequence[Message]) -> list[Left]:
    """Questions as the account's lists of what came in tell them."""
    return [
        {
            "id": message.pk,
            "name": message.name,
            "email": message.email,
            "phone": "",
            "note": message.text,
            "at": clock.iso(message.created_at) or "",
            "thing_id": message.proposal_id,
            "page": f"/app/bid/{message.proposal_id}",
        }
        for message in messages
    ]


def _plain(amount: Decimal | None) -> float | None:
    return None if amount is None else float(amount)
