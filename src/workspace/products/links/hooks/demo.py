"""Demo data: a café's link page with some weeks of views and clicks. It is the same each time."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from random import Random

from workspace.accounts import demo
from workspace.accounts.models import Account, Upload
from workspace.analytics.demo_traffic import DemoTraffic, save_visits
from workspace.analytics.ingest import IncomingVisit
from workspace.lib import clock
from workspace.products.links.models import CLICK, Element, ElementKind, Page
from workspace.publishing import items, live_blocks
from workspace.publishing.models.visit import VIEW_EVENT

DAYS = 40
HOUR_WEIGHTS = (0, 0, 0, 0, 0, 0, 2, 5, 8, 8, 7, 9, 12, 9, 7, 7, 8, 9, 11, 12, 11, 8, 4, 1)
GUESTS = DemoTraffic(
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
# each button with its picture, and its share of the clicks
BUTTONS = (
    ("Breakfast, all day", "breakfast", "https://example.com/breakfast", 40),
    ("Book a table", "booking", "https://example.org/book/cafe-morgenrot", 26),
    ("Gift vouchers", "vouchers", "https://example.net/vouchers", 9),
    ("Order our coffee beans", "beans", "https://example.com/beans", 12),
    ("Leave us a review", "reviews", "https://example.org/reviews/cafe-morgenrot", 7),
    ("Call us", "marta", "tel:+43123456789", 6),
)

ITEM_KINDS = {"Leave us a review": "review"}  # opens the account's item of this kind


def fill_account(account: Account) -> None:
    """Fill an account that has no link pages. Call it once."""
    page = Page.open(
        account,
        title=account.name,
        bio="Slow breakfasts, good bread and our own roast.\nOpen daily from 7:30 to 22:00.",
        social_profiles=PROFILES,
        avatar_id=demo.create_image(account, "sign"),
    )
    own = {item.kind: item.public_url for item in items.items_for(account)}
    buttons = [
        _create_button(account, title, picture, own.get(ITEM_KINDS.get(title, ""), url))
        for title, picture, url, _ in BUTTONS
    ]
    heading = Element(kind=ElementKind.HEADING, title="Say hello")
    # items of other products, if they exist
    choices = {choice.kind: choice for choice in live_blocks.list_choices(account)}
    live = [
        Element(kind=ElementKind.LIVE, live_block_kind=kind, live_block_item_id=choices[kind].id)
        for kind in sorted(choices)
    ]
    page.add_elements([*buttons[:2], *live[:1], *buttons[2:4], heading, *live[1:], *buttons[4:]])
    random = Random(1911)  # noqa: S311 - the same weeks every time
    save_visits(_generate_visits(page, buttons, clock.now().astimezone(account.zone), random))


def _create_button(account: Account, title: str, picture: str, url: str) -> Element:
    upload = Upload.claim(account, demo.create_image(account, picture), "image_id")
    return Element(kind=ElementKind.LINK, title=title, url=url, image=upload)


def _generate_visits(page: Page, buttons: list[Element], now: datetime, random: Random) -> Iterator[IncomingVisit]:
    weights = [weight for *_, weight in BUTTONS]
    for ago in range(DAYS, -1, -1):
        day = now - timedelta(days=ago)
        for number in range(
            round(18 * random.uniform(0.6, 1.5) * (1.4 if day.weekday() > 3 else 1) * demo.growth_factor(DAYS - ago))
        ):
            hour = random.choices(range(24), HOUR_WEIGHTS)[0]
            at = day.replace(hour=hour, minute=random.randrange(60), second=random.randrange(60))
            if at >= now:
                continue
            guest = GUESTS.create_visitor(f"{page.pk} {ago} {number}", random)
            yield IncomingVisit(page.publication_id, VIEW_EVENT, "", at.astimezone(UTC), guest)
            if random.random() < 0.46:
                clicked = random.choices(buttons, weights)[0]
                yield IncomingVisit(
                    page.publication_id, CLICK, clicked.pk, (at + timedelta(seconds=9)).astimezone(UTC), guest
                )
