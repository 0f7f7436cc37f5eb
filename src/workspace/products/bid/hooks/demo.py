"""Three proposals of a café that caters: a draft, one that its client has opened, one that is approved."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from workspace.accounts import demo
from workspace.accounts.models import Account
from workspace.lib import clock
from workspace.lib.text import fold
from workspace.products.bid.domain import revisions
from workspace.products.bid.domain.owner_decisions import decide
from workspace.products.bid.models import BidEvent, Event, LibraryItem, Outcome, Proposal, Status
from workspace.products.bid.models.decision import CLIENT
from workspace.products.bid.rules.offer import Selection, line_data, package_data, share_data
from workspace.products.bid.rules.offer_input import read_lines, read_packages, read_share

_LINES = [
    {"name": "Buffet, warm and cold", "quantity": 60, "unit": "guests", "unit_price": 28.5, "section": "Food"},
    {"name": "Cardamom buns", "quantity": 6, "unit": "dozen", "unit_price": 26, "section": "Food"},
    {"name": "Service for five hours", "quantity": 3, "unit": "people", "unit_price": 190, "section": "Service"},
    {"name": "Espresso bar with barista", "unit_price": 420, "optional": True, "selected": True},
    {"name": "Wedding cake, three tiers", "unit_price": 560, "optional": True},
]
_PACKAGES = [
    {"name": "Morning", "price": 480, "features": ["Coffee and tea", "Two kinds of cake", "Until noon"]},
    {
        "name": "All day",
        "price": 890,
        "features": ["Coffee, tea, water", "Lunch of three salads", "Cake in the afternoon"],
        "recommended": True,
    },
    {"name": "All day and evening", "price": 1490, "features": ["As All day", "Tapas and wine", "Until ten at night"]},
]
_TERMS = (
    "The number of guests may change by a tenth until seven days before. The deposit is due with the approval, the "
    "balance within 14 days after the day. Cancelling is free until 30 days before."
)


def fill(account: Account) -> None:
    if account.proposals.exists():
        return
    wedding = _made(
        account,
        title="Wedding party in the garden, 12 June",
        client_name="Amira Said",
        client_email="amira@example.net",
        intro="Thank you for the tasting on Thursday. This is what we would love to cook for you and your guests.",
        line_items=_LINES,
        discount={"percent": 5, "label": "Weekday"},
        tax_rate="10",
        tax_label="VAT",
        deposit={"percent": 30},
        notes=_TERMS,
        picture_id=demo.picture(account, "strawberry-cake"),
    )
    retreat = _made(
        account,
        title="Team day for forty",
        client_name="Ben Okafor",
        client_company="Okafor & Partners",
        client_email="ben@example.org",
        intro="A day out of the office: pick what fits, and add what you like.",
        packages=_PACKAGES,
        line_items=[{"name": "Projector and screen", "unit_price": 60, "optional": True}],
        tax_rate="10",
        tax_label="VAT",
        deposit={"amount": 200},
        notes=_TERMS,
        picture_id=demo.picture(account, "cover"),
    )
    _made(account, title="Bread for the corner shop, weekly", client_company="Corner Shop", line_items=_LINES[1:2])
    now = clock.now()
    revisions.mark_sent(retreat)
    for days, device in ((2, "phone"), (1, "desktop")):
        event = BidEvent.note(retreat, Event.VIEWED, CLIENT, device=device)
        BidEvent.objects.filter(pk=event.pk).update(at=now - timedelta(days=days), status=Status.VIEWED)
    seen = now - timedelta(days=2)
    Proposal.objects.filter(pk=retreat.pk).update(
        status=Status.VIEWED, viewed_at=seen, last_viewed_at=now - timedelta(days=1), views=2
    )
    chosen = frozenset(line.id for line in wedding.offer.lines if line.selected)
    decide(wedding, Outcome.APPROVED, Selection(None, chosen), "By telephone, after the tasting")
    for place, one in enumerate(_LINES):
        name = str(one["name"])
        LibraryItem.objects.create(
            account=account,
            name=name,
            unit=str(one.get("unit", "")),
            unit_price=f"{one['unit_price']:g}",
            position=place,
            search=fold(name),
        )


def _made(account: Account, **given: Any) -> Proposal:
    fields: dict[str, Any] = {
        **given,
        "line_items": [line_data(line) for line in read_lines(given.get("line_items", []))[0]],
        "packages": [package_data(package) for package in read_packages(given.get("packages", []))[0]],
        "discount": share_data(read_share(given.get("discount", {}))[0]),
        "deposit": share_data(read_share(given.get("deposit", {}))[0]),
    }
    return Proposal.make(account, **fields)
