"""What readers see: the wall at `/r/SLUG/wall`, and the widget that other websites frame."""

from __future__ import annotations

from dataclasses import dataclass, replace

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from workspace.brand.fonts import SYSTEM
from workspace.products.reviews.domain.wall import PER_PAGE, WALL, WIDGET, Figures, figures_of, shown_on
from workspace.products.reviews.models import KIND, ReviewPage, Testimonial
from workspace.products.reviews.models.page import LAYOUTS
from workspace.products.reviews.models.testimonial import PAGE, RELATIONSHIPS
from workspace.products.reviews.public import views
from workspace.products.reviews.public.structured_data import json_ld
from workspace.public_site.active_frame import frame
from workspace.public_site.guest_page import show
from workspace.public_site.page_cache import Drawn
from workspace.public_site.share_preview import sharing
from workspace.publishing.language import number
from workspace.publishing.locale import voice
from workspace.publishing.models import Address
from workspace.storage.files.images import picture_url

IN_WIDGET = 12
LAST_PAGE = 999
# five of the form's stars in a box of 120 by 24
FIVE_STARS = "".join(
    f"M{x} 2.6l2.9 5.9 6.5.9-4.7 4.6 1.1 6.5-5.8-3.1-5.8 3.1 1.1-6.5-4.7-4.6 6.5-.9z" for x in range(12, 120, 24)
)
LONG, LONG_LINES = 260, 6  # characters and lines of words from which the row shows the beginning


def frame_policy(frame_ancestors: str) -> str:
    """What a frame on another website may do: show our style and pictures, run our script, send nothing."""
    return (
        "default-src 'none'; img-src 'self'; style-src 'self'; script-src 'self'; base-uri 'none'; form-action 'none'; "
        f"frame-ancestors {frame_ancestors}"
    )


@dataclass(frozen=True, slots=True)
class Shown:
    """A testimonial as readers see it. `opens` and `ends` tell whether the excerpt leaves out what stands before and
    after it."""

    one: Testimonial
    words: str
    opens: bool
    ends: bool
    photo: str
    initials: str
    tie: str

    @classmethod
    def of(cls, one: Testimonial) -> Shown:
        text, words = one.text.strip(), (one.excerpt or one.text).strip()
        return cls(
            one=one,
            words=words,
            opens=not text.startswith(words),
            ends=not text.endswith(words),
            photo=picture_url(one.photo_id, 192) if one.photo_id else "",
            initials="".join(part[0] for part in one.name.split()[:2]).upper(),
            tie="" if one.relationship == "customer" else gettext(RELATIONSHIPS.get(one.relationship, "")),
        )

    @property
    def is_excerpt(self) -> bool:
        return self.opens or self.ends

    @property
    def is_long(self) -> bool:
        return len(self.words) > LONG or self.words.count("\n") >= LONG_LINES

    @property
    def stars(self) -> str:
        return "★" * (self.one.rating or 0)

    @property
    def lacking(self) -> str:
        return "☆" * (5 - (self.one.rating or 0))

    @property
    def is_from_page(self) -> bool:
        return self.one.source == PAGE


def wall(request: HttpRequest, address: Address) -> HttpResponse:
    """`/r/SLUG/wall?page=`: what the owner chose to show, with the average of those who agreed."""
    at = _page_of(request.GET.get("page", ""))
    query = f"page={at}" if at > 1 else ""
    return show(request, address, lambda address: _wall(address, at), event=WALL, part=f"wall/{at}", query=query)


def _wall(address: Address, at: int) -> Drawn:
    page = ReviewPage.at(address)
    figures = figures_of(page).public
    found = shown_on(page, (at - 1) * PER_PAGE, PER_PAGE)
    title = gettext("What people say about %(who)s") % {"who": page.account.name}
    text = gettext("Selected testimonials about %(who)s") % {"who": page.account.name}
    context = {
        **_context(page, found, figures),
        "share": sharing(address, views.face_of(page), title=title, text=text, part="/wall"),
        "json_ld": json_ld(page, figures, found),
        "before": at - 1,
        "after": at + 1 if at * PER_PAGE < figures.shown else 0,
    }
    return Drawn(render_to_string("reviews/wall.html", context))


@require_safe
def embed(request: HttpRequest, address: Address) -> HttpResponse:
    """`/r/SLUG/embed?theme=light|dark|auto&layout=`: in a frame. Without a layout it is the page's."""
    page = ReviewPage.at(address)
    layout = request.GET.get("layout", "")
    layout = layout if layout in LAYOUTS else page.layout
    return show(request, address, lambda _: _embed(page, layout), event=WIDGET, part=layout)


def _embed(page: ReviewPage, layout: str) -> Drawn:
    found, figures = [] if layout == "badge" else shown_on(page, 0, IN_WIDGET), figures_of(page).public
    made_with = page.account.limits(KIND).made_with
    # on somebody's website no typefaces are loaded
    look = replace(page.look, fonts=SYSTEM)
    context = {
        **_context(page, found, figures),
        "frame": frame(),
        "layout": layout,
        "look": look,
        "made_with": made_with,
        "version": page.publication.version,
        "five_stars": FIVE_STARS,
        "filled": _filled(figures.average or 0),
    }
    return Drawn(render_to_string("reviews/embed.html", context))


def _context(page: ReviewPage, found: list[Testimonial], figures: Figures) -> dict[str, object]:
    return {
        "page": page,
        "look": page.look,
        "business": page.account.name,
        "base_url": settings.BASE_URL,
        "figures": figures,
        "average": number(figures.average, voice().language, decimals=1) if figures.average is not None else "",
        "wall_url": f"{page.public_url}/wall",
        "items": [Shown.of(one) for one in found],
    }


def _filled(average: float) -> str:
    """How wide the coloured part of `FIVE_STARS` is, between whose tips there are gaps."""
    whole, part = divmod(average, 1)
    return f"{24 * whole + (2.6 + 18.8 * part if part else 0):.1f}"


def _page_of(text: str) -> int:
    return min(int(text), LAST_PAGE) if text.isascii() and text.isdigit() and len(text) < 6 and int(text) else 1
