"""Pages and their elements as data, the same in every answer."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from django.conf import settings
from django.db.models import QuerySet
from typing_extensions import TypedDict

from workspace.accounts.models import Account
from workspace.products.links.models import VIEW, Element, Kind, Page
from workspace.publishing.statistics import totals
from workspace.toolkit import clock
from workspace.toolkit.errors import NotFound
from workspace.toolkit.text import escape_markdown


class ButtonRow(TypedDict):
    id: str
    title: str
    url: str
    icon: str
    is_on: bool
    shows_from: str | None
    shows_until: str | None
    shows_now: bool


class ElementRow(ButtonRow):
    """`kind` is link, heading, text or live; what a kind does not have is empty."""

    page_id: str
    kind: str
    text: str
    live: str
    position: int


class ProfileRow(TypedDict):
    network: str
    url: str


class PageRow(TypedDict):
    id: str
    title: str
    public_url: str
    slug: str
    state: str
    views: int
    buttons: list[ButtonRow]
    social_profiles: list[ProfileRow]
    bio: str
    theme: str
    created_at: str | None
    updated_at: str | None


class PageWhole(PageRow):
    elements: list[ElementRow]
    avatar_id: str | None
    share_title: str
    share_description: str
    share_picture_id: str | None
    slugs: list[str]
    printed_url: str
    svg_url: str
    png_url: str


def pages_of(account: Account) -> QuerySet[Page]:
    """The account's pages with all that a row shows: four queries, however many there are."""
    return account.link_pages.select_related("publication", "avatar", "share_picture").prefetch_related(
        "publication__addresses", "elements"
    )


def page_of(account: Account, id: str) -> Page:
    """Raises NotFound for a page that there is not, or that is another account's."""
    page = pages_of(account).filter(pk=id).first()
    if page is None:
        raise NotFound("There is no such link page: svc_links_pages shows yours with their ids")
    return page


def element_of(account: Account, page_id: str, link_id: str) -> Element:
    """Raises NotFound for an element that there is not on this page."""
    page = page_of(account, page_id)
    element = page.elements.filter(pk=link_id).first()
    if element is None:
        raise NotFound("There is no such button on this page: svc_links_get_page shows its elements with their ids")
    element.page = page
    return element


def rows(pages: Iterable[Page]) -> list[PageRow]:
    pages = list(pages)
    views = totals([page.publication_id for page in pages], VIEW)
    return [_row(page, views[page.publication_id].total) for page in pages]


def whole(page: Page) -> PageWhole:
    address = f"{settings.BASE_URL}/l/{page.publication.slug}"
    now = clock.now()
    return {
        **rows([page])[0],
        "elements": [element_row(element, now) for element in page.elements.all()],
        "avatar_id": page.avatar_id,
        "share_title": page.share_title,
        "share_description": page.share_description,
        "share_picture_id": page.share_picture_id,
        "slugs": [address.slug for address in sorted(page.publication.addresses.all(), key=lambda a: -a.pk)],
        "printed_url": address.upper(),
        "svg_url": f"{address}.svg",
        "png_url": f"{address}.png",
    }


def _row(page: Page, views: int) -> PageRow:
    slug = page.publication.slug
    now = clock.now()
    return {
        "id": page.pk,
        "title": page.title,
        "public_url": f"{settings.BASE_URL}/l/{slug}",
        "slug": slug,
        "state": page.publication.state.value,
        "views": views,
        "buttons": [_button(element, now) for element in page.elements.all() if element.kind == Kind.LINK],
        "social_profiles": [{"network": one["network"], "url": one["url"]} for one in page.social_profiles],
        "bio": page.bio,
        "theme": page.theme,
        "created_at": clock.iso(page.created_at),
        "updated_at": clock.iso(page.updated_at),
    }


def _button(element: Element, now: datetime) -> ButtonRow:
    return {
        "id": element.pk,
        "title": element.title or element.url,
        "url": element.url,
        "icon": element.icon,
        "is_on": element.is_on,
        "shows_from": clock.iso(element.shows_from),
        "shows_until": clock.iso(element.shows_until),
        "shows_now": element.shows(now),
    }


def element_row(element: Element, now: datetime) -> ElementRow:
    return {
        **_button(element, now),
        "page_id": element.page_id,
        "kind": element.kind,
        "text": element.text,
        "live": element.live,
        "position": element.position,
    }


def one_line(found: PageRow) -> str:
    state = "" if found["state"] == "live" else f", {found['state']}"
    head = (
        f"**{escape_markdown(found['title'])}** {found['public_url']} ({found['views']} views{state}) `{found['id']}`"
    )
    return "\n".join([head, *(f"  - {button_line(button)}" for button in found["buttons"])])


def button_line(button: ButtonRow) -> str:
    icon = f"{escape_markdown(button['icon'])} " if button["icon"] else ""
    off = "" if button["shows_now"] else " (off)" if not button["is_on"] else " (not at this time)"
    return f"{icon}{escape_markdown(button['title'])} → {escape_markdown(button['url'])}{off} `{button['id']}`"
