"""Demo data: two cards of a café with some weeks of visits. They are the same each time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

from workspace.accounts import demo
from workspace.accounts.models import Account
from workspace.analytics.demo_traffic import save_visits
from workspace.analytics.ingest import IncomingVisit
from workspace.analytics.visitor import Visitor
from workspace.lib import clock
from workspace.products.card.models import KIND, SAVE_EVENT, Card, Lead
from workspace.publishing.models import Publication
from workspace.publishing.models.visit import VIEW_EVENT
from workspace.storage.client_address import compute_digest

SAMPLE_DAYS = 40


@dataclass(frozen=True, slots=True)
class SampleCard:
    """A sample card. `daily_views` is the number of views on an ordinary day."""

    daily_views: float
    photo: str
    fields: dict[str, Any]
    leads: tuple[tuple[int, str, str, str, str], ...] = ()  # days ago, name, email, phone, note


SAMPLES = (
    SampleCard(
        6,
        "marta",
        {
            "full_name": "Marta Lindqvist",
            "title": "Owner and Baker",
            "phone": "+43 1 234 56 78",
            "more_phones": [{"number": "+43 1 234 56 70", "label": "Bakery"}],
            "email": "marta@example.com",
            "more_emails": [{"email": "orders@example.com", "label": "Orders"}],
            "website": "https://example.com",
            "address": "Lindengasse 7\n1070 Vienna",
            "bio": "Sourdough, cardamom buns and the first coffee of the day. Come early.",
            "links": [
                {"url": "https://www.instagram.com/example", "label": "Instagram"},
                {"url": "https://example.com/catering", "label": "Catering for offices"},
            ],
        },
        (
            (1, "Gustav Adler", "gustav@example.org", "", "Could you cater for 40 people in May?"),
            (4, "Amira Said", "amira@example.net", "+43 660 555 01 01", ""),
            (12, "Ben Okafor", "ben@example.org", "", "We met at the market. Let’s talk about flour!"),
            (20, "Chiara Conti", "", "+39 02 555 0199", ""),
        ),
    ),
    SampleCard(
        2,
        "tomas",
        {
            "full_name": "Tomás Riedel",
            "title": "Head Pastry Chef",
            "email": "tomas@example.com",
            "phone": "+43 1 234 56 79",
            "bio": "Wedding cakes, and any other cake you can imagine.",
            "theme": "bold",
        },
        ((3, "Julia Novak", "julia@example.org", "", "I’d like a wedding cake for 80 people on June 14."),),
    ),
)
VISIT_HOURS = (8, 9, 10, 11, 11, 12, 12, 13, 14, 15, 16, 17, 18, 19, 20)
VISIT_DEVICES = ("phone",) * 9 + ("desktop",)
VISIT_PLACES = (("Vienna", "Austria"),) * 6 + (("Graz", "Austria"), ("Linz", "Austria"), ("Munich", "Germany"))
VISIT_REFERRERS = ("",) * 8 + ("instagram.com", "google.com")


def fill_account(account: Account) -> None:
    """Fill an account that has no cards."""
    random = Random(1908)  # noqa: S311 - the same guests every time
    now = clock.now().astimezone(account.zone)
    arrivals: list[IncomingVisit] = []
    for number, sample in reversed(list(enumerate(SAMPLES))):  # lists show the newest first
        card = _create_card(account, sample, now - timedelta(hours=number))
        arrivals += _generate_visits(card, sample, now, random)
    save_visits(arrivals)


def _create_card(account: Account, sample: SampleCard, now: datetime) -> Card:
    card: Card = Card.objects.create(
        account=account,
        publication=Publication.open(account, KIND),
        company=account.name,
        created_at=now - timedelta(days=SAMPLE_DAYS),
        **sample.fields,
    )
    card.attach_image("photo", demo.create_image(account, sample.photo))
    card.attach_image("logo", demo.create_image(account, "sign"))
    for number, (ago, name, email, phone, note) in enumerate(sample.leads):
        at = now - timedelta(days=ago, hours=number + 1)
        lead = Lead.build(card, dedupe_key=f"demo {number}", name=name, email=email, phone=phone, note=note)
        lead.consent, lead.created_at = card.consent, at
        lead.save(force_insert=True)
    return card


def _generate_visits(card: Card, sample: SampleCard, now: datetime, random: Random) -> Iterator[IncomingVisit]:
    for ago in range(SAMPLE_DAYS, -1, -1):
        for number in range(
            round(sample.daily_views * random.uniform(0.3, 1.7) * demo.growth_factor(SAMPLE_DAYS - ago))
        ):
            at = (now - timedelta(days=ago)).replace(hour=random.choice(VISIT_HOURS), minute=random.randrange(60))
            if at >= now:
                continue
            city, country = random.choice(VISIT_PLACES)
            who = compute_digest("demo", f"{card.pk} {ago} {number}")
            guest = Visitor(False, random.choice(VISIT_DEVICES), city, country, random.choice(VISIT_REFERRERS), who)
            yield IncomingVisit(card.publication_id, VIEW_EVENT, "", at.astimezone(UTC), guest)
            if random.random() < 0.3:
                saved = min(at + timedelta(seconds=40), now)
                yield IncomingVisit(card.publication_id, SAVE_EVENT, "", saved.astimezone(UTC), guest)
