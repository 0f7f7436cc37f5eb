"""Demo data: three proposals of a café with catering, one draft, one opened and one approved."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from workspace.accounts import demo
from workspace.accounts.models import Account
from workspace.lib import clock
from workspace.lib.text import search_key
from workspace.products.bid.domain import revisions
from workspace.products.bid.domain.owner_decisions import decide_as_owner
from workspace.products.bid.models import BidEvent, DecisionOutcome, EventKind, LibraryItem, Proposal, Status
from workspace.products.bid.models.decision import CLIENT_ACTOR
from workspace.products.bid.rules.offer import Selection, dump_line, dump_package, dump_share
from workspace.products.bid.rules.offer_input import parse_lines, parse_packages, parse_share

_SAMPLE_LINES = [
    {"name": "Hot and cold buffet", "quantity": 60, "unit": "guests", "unit_price": 28.5, "section": "Food"},
    {"name": "Cardamom buns", "quantity": 6, "unit": "dozen", "unit_price": 26, "section": "Food"},
    {"name": "Service for five hours", "quantity": 3, "unit": "people", "unit_price": 190, "section": "Service"},
    {"name": "Espresso bar with barista", "unit_price": 420, "optional": True, "selected": True},
    {"name": "Three-tier wedding cake", "unit_price": 560, "optional": True},
]
_SAMPLE_PACKAGES = [
    {"name": "Morning", "price": 480, "features": ["Coffee and tea", "Two kinds of cake", "Until noon"]},
    {
        "name": "All day",
        "price": 890,
        "features": ["Coffee, tea and water", "Lunch with three salads", "Afternoon cake"],
        "recommended": True,
    },
    {
        "name": "All day and evening",
        "price": 1490,
        "features": ["Everything in All day", "Tapas and wine", "Until 10 p.m."],
    },
]
_SAMPLE_TERMS = (
    "You can change the number of guests by up to 10% until 7 days before the event. The deposit is due on approval, "
    "and the balance within 14 days after the event. You can cancel free of charge until 30 days before."
)


def fill_account(account: Account) -> None:
    if account.proposals.exists():
        return
    wedding = _create_proposal(
        account,
        title="Garden wedding party, June 12",
        client_name="Amira Said",
        client_email="amira@example.net",
        intro="Thank you for the tasting on Thursday. Here is what we’d love to cook for you and your guests.",
        line_items=_SAMPLE_LINES,
        discount={"percent": 5, "label": "Weekday"},
        tax_rate="10",
        tax_label="VAT",
        deposit={"percent": 30},
        notes=_SAMPLE_TERMS,
        image_id=demo.create_image(account, "strawberry-cake"),
    )
    retreat = _create_proposal(
        account,
        title="Team day for 40 people",
        client_name="Ben Okafor",
        client_company="Okafor & Partners",
        client_email="ben@example.org",
        intro="A day out of the office. Choose the package that suits you, and add any extras.",
        packages=_SAMPLE_PACKAGES,
        line_items=[{"name": "Projector and screen", "unit_price": 60, "optional": True}],
        tax_rate="10",
        tax_label="VAT",
        deposit={"amount": 200},
        notes=_SAMPLE_TERMS,
        image_id=demo.create_image(account, "cover"),
    )
    _create_proposal(
        account, title="Weekly bread delivery", client_company="Corner Shop", line_items=_SAMPLE_LINES[1:2]
    )
    now = clock.now()
    revisions.mark_sent(retreat)
    for days, device in ((2, "phone"), (1, "desktop")):
        event = BidEvent.record_event(retreat, EventKind.VIEWED, CLIENT_ACTOR, device=device)
        BidEvent.objects.filter(pk=event.pk).update(created_at=now - timedelta(days=days), status=Status.VIEWED)
    seen = now - timedelta(days=2)
    Proposal.objects.filter(pk=retreat.pk).update(
        status=Status.VIEWED, viewed_at=seen, last_viewed_at=now - timedelta(days=1), views=2
    )
    chosen = frozenset(line.id for line in wedding.offer.lines if line.selected)
    decide_as_owner(wedding, DecisionOutcome.APPROVED, Selection(None, chosen), "By phone, after the tasting")
    for place, sample_line in enumerate(_SAMPLE_LINES):
        name = str(sample_line["name"])
        LibraryItem.objects.create(
            account=account,
            name=name,
            unit=str(sample_line.get("unit", "")),
            unit_price=f"{sample_line['unit_price']:g}",
            position=place,
            search=search_key(name),
        )


def _create_proposal(account: Account, **values: Any) -> Proposal:
    fields: dict[str, Any] = {
        **values,
        "line_items": [dump_line(line) for line in parse_lines(values.get("line_items", []))[0]],
        "packages": [dump_package(package) for package in parse_packages(values.get("packages", []))[0]],
        "discount": dump_share(parse_share(values.get("discount", {}))[0]),
        "deposit": dump_share(parse_share(values.get("deposit", {}))[0]),
    }
    return Proposal.create_draft(account, **fields)
