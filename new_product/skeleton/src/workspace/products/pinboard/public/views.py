"""The guest page of a notice board: `/pinboard/SLUG`."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string

from workspace.products.pinboard.models import NoticeBoard
from workspace.public_site import guest_page
from workspace.public_site.page_cache import RenderedPage
from workspace.public_site.share_preview import SharePreview, build_metadata
from workspace.publishing.models import Address


def show_page(request: HttpRequest, address: Address) -> HttpResponse:
    """Show the page and count a view. The page is cached until the notice board changes."""
    return guest_page.render_page(request, address, _render_page)


def _render_page(address: Address) -> RenderedPage:
    notice_board = NoticeBoard.from_address(address)
    context = {
        "notice_board": notice_board,
        "slug": address.slug,
        "share": build_metadata(address, _build_preview(notice_board)),
    }
    return RenderedPage(render_to_string("pinboard/page.html", context))


def share_preview_at(address: Address) -> SharePreview:
    """Return the preview that messengers and social networks show for a link to the page."""
    return _build_preview(NoticeBoard.from_address(address))


def _build_preview(notice_board: NoticeBoard) -> SharePreview:
    return SharePreview.from_brand(notice_board.account, notice_board.title, notice_board.text)
