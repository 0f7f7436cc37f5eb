"""Demo data: a café's codes with some weeks of scans. They are the same each time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

from workspace.accounts import demo
from workspace.accounts.models import Account
from workspace.analytics.demo_traffic import DemoTraffic, choose_weighted, save_visits
from workspace.analytics.ingest import IncomingVisit
from workspace.analytics.visitor import Visitor
from workspace.lib import clock
from workspace.products.qr.models import SCAN_EVENT, Code, DestinationChange
from workspace.publishing import items
from workspace.qr_symbols.style import PRESETS
from workspace.storage.client_address import compute_digest

SAMPLE_DAYS = 45


@dataclass(frozen=True, slots=True)
class SampleCode:
    """A sample code.

    `daily_scans` is the number of scans on an ordinary day, and `age_days` the number of days since it was created.
    `static` is the content of a static code.
    """

    name: str
    target: str
    folder: str
    preset: str
    daily_scans: float
    age_days: int = SAMPLE_DAYS
    earlier_target: str = ""
    is_paused: bool = False
    target_kind: str = ""  # its target is the account's item of this kind
    static: Mapping[str, Any] = field(default_factory=dict)


WIFI_CONTENT = {"kind": "wifi", "ssid": "Morgenrot Guests", "password": "melange-2026"}
# created from last to first, so that the list starts with the first
SAMPLES = (
    SampleCode("Menu on the tables", "https://example.com/menu", "Tables", "bistro", 21, target_kind="menu"),
    SampleCode(
        "Leave us a review", "https://example.org/reviews/cafe-morgenrot", "Tables", "midnight", 5, target_kind="review"
    ),
    SampleCode("Guest Wi-Fi", "", "Tables", "soft", 0, static=WIFI_CONTENT),
    SampleCode(
        "Autumn flyer", "https://example.com/winter-specials", "Flyers", "sunset", 6, 30, "https://example.com/autumn"
    ),
    SampleCode("Gift vouchers", "https://example.net/vouchers?from=flyer", "Flyers", "ocean", 3, 38),
    SampleCode("Opening hours", "https://example.com/hours", "Shop window", "ink", 4),
    SampleCode("Book a table", "https://example.org/book/cafe-morgenrot", "Shop window", "forest", 7),
    SampleCode("Summer terrace", "https://example.com/terrace", "", "classic", 2, 44, is_paused=True),
)
SCAN_HOURS = (0, 0, 0, 0, 0, 0, 1, 4, 8, 9, 8, 9, 14, 13, 8, 9, 10, 9, 8, 7, 5, 3, 1, 0)
WEEKDAY_FACTORS = (0.8, 0.8, 0.9, 1.0, 1.25, 1.6, 1.3)
SCAN_TRAFFIC = DemoTraffic(
    devices=(("phone", 88), ("tablet", 5), ("desktop", 6), ("other", 1)),
    places=(
        (("Vienna", "Austria"), 44),
        (("Graz", "Austria"), 17),
        (("Linz", "Austria"), 9),
        (("Munich", "Germany"), 8),
        (("Berlin", "Germany"), 6),
        (("Bratislava", "Slovakia"), 5),
        (("Milan", "Italy"), 3),
        (("Zurich", "Switzerland"), 3),
        (("London", "United Kingdom"), 2),
        (("Unknown", "Unknown"), 3),
    ),
    referrers=(("", 90), ("instagram.com", 6), ("google.com", 3), ("facebook.com", 1)),
)


def fill_account(account: Account) -> None:
    """Fill an account that has no codes. Call it once."""
    random = Random(1907)  # noqa: S311 - the same café every time
    now = clock.now().astimezone(account.zone)
    arrivals: list[IncomingVisit] = []
    own = {item.kind: item.public_url for item in items.items_for(account)}
    for sample in reversed(SAMPLES):
        sample = replace(sample, target=own.get(sample.target_kind, sample.target))
        code = _create_code(account, sample, now)
        arrivals += _generate_scans(code, sample, now, random)
    save_visits(arrivals)


def _create_code(account: Account, sample: SampleCode, now: datetime) -> Code:
    target = sample.earlier_target or sample.target
    code = Code.open(
        account,
        name=sample.name,
        **(Code.static_fields(account, sample.static) if sample.static else {"target_url": target}),
        folder=sample.folder,
        created_at=now - timedelta(days=sample.age_days),
        style=PRESETS[sample.preset].model_dump(exclude_defaults=True),
        live=not sample.is_paused,
    )
    if sample.earlier_target:
        code.change(target_url=sample.target)
        DestinationChange.objects.filter(code=code).update(created_at=now - timedelta(days=6))
    return code


def _generate_scans(code: Code, sample: SampleCode, now: datetime, random: Random) -> Iterator[IncomingVisit]:
    """Yield visits by people and a few bots since the code was created.

    Visits to a paused code ended three weeks ago.
    """
    last = 21 if sample.is_paused else 0
    for ago in range(sample.age_days, last - 1, -1):
        day = now - timedelta(days=ago)
        expected = (
            sample.daily_scans
            * WEEKDAY_FACTORS[day.weekday()]
            * random.uniform(0.6, 1.4)
            * demo.growth_factor(SAMPLE_DAYS - ago)
        )
        for number in range(round(expected)):
            hour = choose_weighted(enumerate(SCAN_HOURS), random)
            at = day.replace(hour=hour, minute=random.randrange(60), second=random.randrange(60))
            if at < now:
                # sometimes the same guest comes again on that day
                who = number - 1 if number and random.random() < 0.12 else number
                yield IncomingVisit(
                    code.publication_id,
                    SCAN_EVENT,
                    "",
                    at.astimezone(UTC),
                    SCAN_TRAFFIC.create_visitor(f"{code.pk} {ago} {who}", random),
                )
        if random.random() < sample.daily_scans / 40 and (at := day.replace(hour=3, minute=random.randrange(60))) < now:
            yield IncomingVisit(code.publication_id, SCAN_EVENT, "", at.astimezone(UTC), _build_bot(f"{code.pk} {ago}"))


def _build_bot(name: str) -> Visitor:
    return Visitor(True, "other", "Unknown", "Unknown", "", compute_digest("demo machine", name))
