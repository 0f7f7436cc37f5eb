"""A page as guests see it at a given time: visible elements, their destinations, and the time of the next change."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.template.loader import render_to_string

from workspace.accounts.models import Account
from workspace.brand.models import Brand
from workspace.products.links.models import Element, ElementKind, Page
from workspace.products.links.rules.button_targets import format_target
from workspace.products.links.rules.social_networks import NETWORKS, Network
from workspace.products.links.rules.themes import THEMES, css_url, render_css
from workspace.public_site.page_cache import RenderedPage
from workspace.public_site.share_preview import SharePreview, build_metadata
from workspace.publishing import live_blocks
from workspace.publishing.live_blocks import LiveBlock
from workspace.publishing.models import Address
from workspace.storage.files.images import image_url

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class PageItem:
    """An element in the column. `title` is the text of a button, and `block` the content of a live block."""

    id: str
    kind: str
    title: str
    icon: str = ""
    picture: str = ""  # the id of an upload
    text: str = ""
    block: LiveBlock | None = None


@dataclass(frozen=True, slots=True)
class SocialLink:
    """A social profile, shown as an icon."""

    network: Network
    url: str


def render_page(page: Page, elements: Sequence[Element], address: Address, now: datetime) -> RenderedPage:
    """Return the page, and the time when a schedule or a live block will next change it."""
    items, edges = [], []
    for element in elements:
        edges.append(element.next_change(now))
        if not element.is_visible(now):
            continue
        item = _build_item(element, page.account)
        if item is not None:
            items.append(item)
            edges.append(item.block.fresh_until if item.block else None)
    html = render_to_string("links/page.html", build_context(page, address, items))
    return RenderedPage(html, min((edge for edge in edges if edge is not None), default=None))


def build_context(page: Page, address: Address, items: Sequence[PageItem]) -> dict[str, Any]:
    face = page.avatar_id or Brand.for_account(page.account).logo_id
    return {
        "page": page,
        "items": items,
        "slug": address.slug,
        "share": build_metadata(address, share_preview(page)),
        "signs": list_social_links(page),
        "avatar": image_url(face, 192) if face else "",
        "is_logo": not page.avatar_id,
        "initial": next((char for char in page.title if char.isalnum()), "").upper(),
        **_theme_context(page.theme),
    }


def share_preview(page: Page) -> SharePreview:
    """Return the share preview of a page. If a picture was chosen for previews, it is shown without text."""
    title, text = page.share_title or page.title, page.share_description or page.bio
    face = SharePreview.from_brand(page.account, title, text, photo=page.share_image_id or page.avatar_id or "")
    if theme := THEMES.get(page.theme):
        face = replace(face, ground=(theme.ground[0], theme.ground[-1]), ink=theme.ink)
    return replace(face, whole=bool(page.share_image_id))


def _theme_context(name: str) -> dict[str, Any]:
    """Return the theme and its style sheet, or None for a page in the brand's style."""
    if name not in THEMES:
        return {"theme": None}
    return {"theme": THEMES[name], "theme_css": render_css(name), "sheet": css_url(name)}


def list_social_links(page: Page) -> list[SocialLink]:
    return [
        SocialLink(NETWORKS[profile["network"]], profile["url"])
        for profile in page.social_profiles
        if profile["network"] in NETWORKS
    ]


def _build_item(element: Element, account: Account) -> PageItem | None:
    if element.kind != ElementKind.LIVE:
        return PageItem(
            element.pk,
            element.kind,
            element.title or format_target(element.url),
            icon=element.icon,
            picture=element.image_id or "",
            text=element.text,
        )
    block = find_live_block(element, account)
    return PageItem(element.pk, element.kind, block.heading, block=block) if block else None


def find_live_block(element: Element, account: Account) -> LiveBlock | None:
    """Return the current content of a live block, or None. An error in a block never breaks the page."""
    try:
        return live_blocks.find_block(element.live_block_kind, account, element.live_block_item_id)
    except Exception:
        logger.exception("The live block %s of %s is left out", element.pk, account.pk)
        return None
