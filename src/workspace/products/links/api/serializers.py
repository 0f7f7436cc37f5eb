"""Serializers of pages and their elements, which all answers use."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Annotated, NotRequired

from django.conf import settings
from pydantic import Field
from typing_extensions import TypedDict

from workspace.accounts.models import Account
from workspace.analytics.queries import load_totals
from workspace.lib import clock
from workspace.products.links.models import Element, Page
from workspace.publishing import live_blocks
from workspace.publishing.models.visit import VIEW_EVENT
from workspace.publishing.serializers import (
    ItemSummary,
    ItemUrls,
    item_summary,
    item_urls,
)
from workspace.storage.files.images import image_url


class ElementData(TypedDict):
    """An element. Fields that its kind does not have, and empty ones, are omitted."""

    id: str
    kind: Annotated[str, Field(description="link (a button), heading, text or live.")]
    title: Annotated[str, Field(description="Title. For a live block, the title of the item that it shows.")]
    is_on: bool
    shows_now: Annotated[bool, Field(description="Whether it is on and its dates include today.")]
    url: NotRequired[str]
    icon: NotRequired[str]
    image_id: NotRequired[str]
    image_url: NotRequired[str]
    text: NotRequired[str]
    thing: NotRequired[Annotated[str, Field(description="ID of the menu or review page that a live block shows.")]]
    shows_from: NotRequired[str]
    shows_until: NotRequired[str]


class ProfileData(TypedDict):
    network: str
    url: str


class PageData(ItemSummary, ItemUrls):
    """A page with all of its content, in order."""

    title: str
    bio: str
    theme: str
    views: int
    social_profiles: list[ProfileData]
    avatar_id: str | None
    share_title: str
    share_description: str
    share_image_id: str | None
    elements: list[ElementData]


def list_page_data(account: Account, pages: Iterable[Page]) -> list[PageData]:
    """Return pages of the account as data, with a few queries."""
    pages = list(pages)
    views = load_totals([page.publication_id for page in pages], VIEW_EVENT)
    items = {
        element.live_block_item_id for page in pages for element in page.elements.all() if element.live_block_item_id
    }
    titles = {choice.id: choice.title for choice in live_blocks.list_choices(account, items)}
    return [_page_data(page, views[page.publication_id].total, titles) for page in pages]


def page_detail(page: Page) -> PageData:
    """Return all data of a page that was loaded with `get_page`."""
    return list_page_data(page.account, [page])[0]


def _page_data(page: Page, views: int, titles: Mapping[str, str]) -> PageData:
    now = clock.now()
    return {
        **item_summary(page),
        **item_urls(page),
        "title": page.title,
        "bio": page.bio,
        "theme": page.theme,
        "views": views,
        "social_profiles": [{"network": profile["network"], "url": profile["url"]} for profile in page.social_profiles],
        "avatar_id": page.avatar_id,
        "share_title": page.share_title,
        "share_description": page.share_description,
        "share_image_id": page.share_image_id,
        "elements": [element_data(element, now, titles) for element in page.elements.all()],
    }


def element_data(element: Element, now: datetime, titles: Mapping[str, str]) -> ElementData:
    """Return an element as data. `titles` contains the titles, keyed by id, of the items that live blocks show."""
    title = titles.get(element.live_block_item_id, "Deleted item") if element.live_block_item_id else element.title
    element_data: ElementData = {
        "id": element.pk,
        "kind": element.kind,
        "title": title or element.url,
        "is_on": element.is_on,
        "shows_now": element.is_visible(now),
    }
    if element.url:
        element_data["url"] = element.url
    if element.icon:
        element_data["icon"] = element.icon
    if element.image_id:
        element_data["image_id"] = element.image_id
        element_data["image_url"] = f"{settings.BASE_URL}{image_url(element.image_id, 192)}"
    if element.text:
        element_data["text"] = element.text
    if element.live_block_item_id:
        element_data["thing"] = element.live_block_item_id
    if begin := clock.to_iso(element.shows_from):
        element_data["shows_from"] = begin
    if end := clock.to_iso(element.shows_until):
        element_data["shows_until"] = end
    return element_data
