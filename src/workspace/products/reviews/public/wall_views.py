"""Pages for readers: the wall at `/r/SLUG/wall`, and the widget in frames on other websites."""

from __future__ import annotations

from dataclasses import dataclass, replace

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from workspace.brand.fonts import SYSTEM
from workspace.lib.content_security_policy import style_sources
from workspace.products.reviews.domain.wall_content import (
    PAGE_SIZE,
    WALL_EVENT,
    WIDGET_EVENT,
    ReviewStats,
    get_page_stats,
    list_shown_testimonials,
)
from workspace.products.reviews.models import KIND, ReviewPage, Testimonial
from workspace.products.reviews.models.page import LAYOUTS
from workspace.products.reviews.models.testimonial import RELATIONSHIPS, SOURCE_PAGE
from workspace.products.reviews.public import views
from workspace.products.reviews.public.structured_data import render_json_ld
from workspace.public_site.current_embed import current_frame
from workspace.public_site.guest_page import render_page
from workspace.public_site.page_cache import RenderedPage
from workspace.public_site.share_preview import build_metadata
from workspace.publishing.language import format_number
from workspace.publishing.locale import current_locale
from workspace.publishing.models import Address
from workspace.storage.files.images import image_url

MAX_WIDGET_ITEMS = 12
MAX_PAGE = 999
# five of the form's stars in a box of 120 by 24
FIVE_STARS_PATH = "".join(
    f"M{x} 2.6l2.9 5.9 6.5.9-4.7 4.6 1.1 6.5-5.8-3.1-5.8 3.1 1.1-6.5-4.7-4.6 6.5-.9z" for x in range(12, 120, 24)
)
LONG_TEXT_LENGTH, LONG_TEXT_LINES = 260, 6  # characters and lines of text above which a row shows only the start


def build_frame_policy(frame_ancestors: str) -> str:
    """Return the content security policy of a frame. It allows our styles, pictures and scripts, but no forms."""
    return (
        f"default-src 'none'; img-src 'self'; style-src {style_sources()}; script-src 'self'; base-uri 'none'; "
        f"form-action 'none'; frame-ancestors {frame_ancestors}"
    )


@dataclass(frozen=True, slots=True)
class TestimonialCard:
    """A testimonial for readers.

    `has_text_before` and `has_text_after` say whether the excerpt omits text before and after it.
    """

    testimonial: Testimonial
    words: str
    has_text_before: bool
    has_text_after: bool
    photo: str
    initials: str
    relationship_label: str

    @classmethod
    def from_testimonial(cls, testimonial: Testimonial) -> TestimonialCard:
        text, words = testimonial.text.strip(), (testimonial.excerpt or testimonial.text).strip()
        return cls(
            testimonial=testimonial,
            words=words,
            has_text_before=not text.startswith(words),
            has_text_after=not text.endswith(words),
            photo=image_url(testimonial.photo_id, 192) if testimonial.photo_id else "",
            initials="".join(part[0] for part in testimonial.name.split()[:2]).upper(),
            relationship_label=""
            if testimonial.relationship == "customer"
            else gettext(RELATIONSHIPS.get(testimonial.relationship, "")),
        )

    @property
    def is_excerpt(self) -> bool:
        return self.has_text_before or self.has_text_after

    @property
    def is_long(self) -> bool:
        return len(self.words) > LONG_TEXT_LENGTH or self.words.count("\n") >= LONG_TEXT_LINES

    @property
    def stars(self) -> str:
        return "★" * (self.testimonial.rating or 0)

    @property
    def empty_stars(self) -> str:
        return "☆" * (5 - (self.testimonial.rating or 0))

    @property
    def is_from_page(self) -> bool:
        return self.testimonial.source == SOURCE_PAGE


def wall(request: HttpRequest, address: Address) -> HttpResponse:
    """Show the selected testimonials, and the average rating by guests who agreed: `/r/SLUG/wall?page=`."""
    at = _parse_page_number(request.GET.get("page", ""))
    query = f"page={at}" if at > 1 else ""
    return render_page(
        request, address, lambda address: _render_wall(address, at), event=WALL_EVENT, part=f"wall/{at}", query=query
    )


def _render_wall(address: Address, page_number: int) -> RenderedPage:
    page = ReviewPage.from_address(address)
    figures = get_page_stats(page).public_stats
    testimonials = list_shown_testimonials(page, (page_number - 1) * PAGE_SIZE, PAGE_SIZE)
    title = gettext("What people say about %(who)s") % {"who": page.account.name}
    text = gettext("Selected testimonials about %(who)s") % {"who": page.account.name}
    context = {
        **_context(page, testimonials, figures),
        "share": build_metadata(address, views.share_preview(page), title=title, text=text, part="/wall"),
        "json_ld": render_json_ld(page, figures, testimonials),
        "before": page_number - 1,
        "after": page_number + 1 if page_number * PAGE_SIZE < figures.shown_count else 0,
    }
    return RenderedPage(render_to_string("reviews/wall.html", context))


@require_safe
def embed(request: HttpRequest, address: Address) -> HttpResponse:
    """Show `/r/SLUG/embed?theme=light|dark|auto&layout=` in a frame. The layout defaults to that of the page."""
    page = ReviewPage.from_address(address)
    layout = request.GET.get("layout", "")
    layout = layout if layout in LAYOUTS else page.layout
    return render_page(request, address, lambda _: _render_widget(page, layout), event=WIDGET_EVENT, part=layout)


def _render_widget(page: ReviewPage, layout: str) -> RenderedPage:
    testimonials, figures = (
        [] if layout == "badge" else list_shown_testimonials(page, 0, MAX_WIDGET_ITEMS),
        get_page_stats(page).public_stats,
    )
    made_with = page.account.limits(KIND).made_with
    # fonts are not loaded on other websites
    look = replace(page.style, fonts=SYSTEM)
    context = {
        **_context(page, testimonials, figures),
        "frame": current_frame(),
        "layout": layout,
        "look": look,
        "made_with": made_with,
        "version": page.publication.version,
        "five_stars": FIVE_STARS_PATH,
        "filled": _star_bar_width(figures.average or 0),
    }
    return RenderedPage(render_to_string("reviews/embed.html", context))


def _context(page: ReviewPage, testimonials: list[Testimonial], stats: ReviewStats) -> dict[str, object]:
    return {
        "page": page,
        "look": page.style,
        "business": page.account.name,
        "base_url": settings.BASE_URL,
        "figures": stats,
        "average": format_number(stats.average, current_locale().language, decimals=1)
        if stats.average is not None
        else "",
        "wall_url": f"{page.public_url}/wall",
        "items": [TestimonialCard.from_testimonial(testimonial) for testimonial in testimonials],
    }


def _star_bar_width(average: float) -> str:
    """Return the width of the colored part of `FIVE_STARS_PATH`, taking the gaps between stars into account."""
    whole, part = divmod(average, 1)
    return f"{24 * whole + (2.6 + 18.8 * part if part else 0):.1f}"


def _parse_page_number(text: str) -> int:
    return min(int(text), MAX_PAGE) if text.isascii() and text.isdigit() and len(text) < 6 and int(text) else 1
