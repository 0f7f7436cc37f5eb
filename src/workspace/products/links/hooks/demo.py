"""A café's link page with some weeks of views and clicks, the same at every filling."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from random import Random

from workspace.accounts import demo
from workspace.accounts.models import Account, Upload
from workspace.analytics.demo_traffic import Crowd, come
from workspace.analytics.ingest import Arrival
from workspace.lib import clock
from workspace.products.links.models import CLICK, Element, Kind, Page
from workspace.publishing import items, live_blocks
from workspace.publishing.models.visit import VIEW

DAYS = 40
HOURS = (0, 0, 0, 0, 0, 0, 2, 5, 8, 8, 7, 9, 12, 9, 7, 7, 8, 9, 11, 12, 11, 8, 4, 1)
GUESTS = Crowd(
    devices=(("phone", 86), ("desktop", 11), ("tablet", 3)),
    places=(
        (("Vienna", "Austria"), 60),
        (("Graz", "Austria"), 14),
        (("Munich", "Germany"), 9),
        (("Milan", "Italy"), 4),
    ),
    referrers=(("instagram.com", 55), ("", 28), ("google.com", 11), ("facebook.com", 6)),
)
PROFILES = [
    {"network": "instagram", "url": "https://www.instagram.com/example"},
    {"network": "facebook", "url": "https://www.facebook.com/example"},
    {"network": "maps", "url": "https://www.openstreetmap.org/"},
    {"network": "email", "url": "mailto:hello@example.com"},
]
# each button with its picture, and how much of the clicking it draws
BUTTONS = (
    ("Breakfast, all day", "breakfast", "https://example.com/breakfast", 40),
    ("Book a table", "booking", "https://example.org/book/cafe-morgenrot", 26),
    ("Gift vouchers", "vouchers", "https://example.net/vouchers", 9),
    ("Our roastery: beans by post", "beans", "https://example.com/beans", 12),
    ("Leave us a review", "reviews", "https://example.org/reviews/cafe-morgenrot", 7),
    ("Call us", "marta", "tel:+43123456789", 6),
)

OF = {"Leave us a review": "review"}  # leads to what the account has of this kind


def fill(account: Account) -> None:
    """Called once, for an account without link pages."""
    page = Page.open(
        account,
        title=account.name,
        bio="Slow breakfasts, good bread and our own roast.\nOpen daily from 7:30 to 22:00.",
        social_profiles=PROFILES,
        avatar_id=demo.picture(account, "sign"),
    )
    own = {thing.kind: thing.public_url for thing in items.of(account)}
    buttons = [_button(account, title, picture, own.get(OF.get(title, ""), url)) for title, picture, url, _ in BUTTONS]
    heading = Element(kind=Kind.HEADING, title="Say hello")
    # what the other tools have to show, when they are here
    choices = {choice.kind: choice for choice in live_blocks.choices(account)}
    live = [Element(kind=Kind.LIVE, live=kind, thing=choices[kind].id) for kind in sorted(choices)]
    page.fill([*buttons[:2], *live[:1], *buttons[2:4], heading, *live[1:], *buttons[4:]])
    chance = Random(1911)  # noqa: S311 - the same weeks every time
    come(_visits(page, buttons, clock.now().astimezone(account.zone), chance))


def _button(account: Account, title: str, picture: str, url: str) -> Element:
    upload = Upload.claim(account, demo.picture(account, picture), "picture_id")
    return Element(kind=Kind.LINK, title=title, url=url, picture=upload)


def _visits(page: Page, buttons: list[Element], now: datetime, chance: Random) -> Iterator[Arrival]:
    weights = [weight for *_, weight in BUTTONS]
    for ago in range(DAYS, -1, -1):
        day = now - timedelta(days=ago)
        for number in range(
            round(18 * chance.uniform(0.6, 1.5) * (1.4 if day.weekday() > 3 else 1) * demo.growth(DAYS - ago))
        ):
            hour = chance.choices(range(24), HOURS)[0]
            at = day.replace(hour=hour, minute=chance.randrange(60), second=chance.randrange(60))
            if at >= now:
                continue
            guest = GUESTS.guest(f"{page.pk} {ago} {number}", chance)
            yield Arrival(page.publication_id, VIEW, "", at.astimezone(UTC), guest)
            if chance.random() < 0.46:
                clicked = chance.choices(buttons, weights)[0]
                yield Arrival(
                    page.publication_id, CLICK, clicked.pk, (at + timedelta(seconds=9)).astimezone(UTC), guest
                )
