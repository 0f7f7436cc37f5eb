"""What readers see: the wall at `/r/SLUG/wall`, and the widget that other websites frame."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from workspace.brand.fonts import SYSTEM
from workspace.products.reviews import pages
from workspace.products.reviews.framing import REFUSED, Website, may_frame
from workspace.products.reviews.models import KIND, ReviewPage, Testimonial
from workspace.products.reviews.models.page import LAYOUTS
from workspace.products.reviews.models.testimonial import PAGE, RELATIONSHIPS
from workspace.products.reviews.showing import PER_PAGE, WALL, WIDGET, Figures, figures_of, shown_on
from workspace.products.reviews.structured import json_ld
from workspace.publishing.guest_page import count, refuse, show
from workspace.publishing.language import number
from workspace.publishing.models import Address, State
from workspace.publishing.page_cache import Drawn
from workspace.publishing.share_picture import sharing
from workspace.publishing.speaking import voice
from workspace.storage.pictures import picture_url

IN_WIDGET = 12
LAST_PAGE = 999
THEMES = ("light", "dark", "auto")
# five of the form's stars in a box of 120 by 24
FIVE_STARS = "".join(
    f"M{x} 2.6l2.9 5.9 6.5.9-4.7 4.6 1.1 6.5-5.8-3.1-5.8 3.1 1.1-6.5-4.7-4.6 6.5-.9z" for x in range(12, 120, 24)
)
LONG, LONG_LINES = 260, 6  # characters and lines of words from which the row shows the beginning
# What a frame on another website may do: show our style and pictures, run our one script, send nothing.
_POLICY = (
    "default-src 'none'; img-src 'self'; style-src 'self'; script-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors {}"
)
_SCRIPT = "text/javascript; charset=utf-8"
_LOADER = Path(__file__).resolve().parent / "static" / "reviews" / "widget.js"


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
    """`/r/SLUG/wall?page=`: what the owner chose to show, with the average of everything."""
    at = _page_of(request.GET.get("page", ""))
    query = f"page={at}" if at > 1 else ""
    return show(request, address, lambda address: _wall(address, at), event=WALL, part=f"wall/{at}", query=query)


def _wall(address: Address, at: int) -> Drawn:
    page = ReviewPage.at(address)
    figures = figures_of(page)
    found = shown_on(page, (at - 1) * PER_PAGE, PER_PAGE)
    title = gettext("What people say about %(who)s") % {"who": page.account.name}
    text = gettext("Selected testimonials about %(who)s") % {"who": page.account.name}
    context = {
        **_context(page, found, figures),
        "share": sharing(address, pages.face_of(page), title=title, text=text, part="/wall"),
        "json_ld": json_ld(page, figures, found),
        "before": at - 1,
        "after": at + 1 if at * PER_PAGE < figures.shown else 0,
    }
    return Drawn(render_to_string("reviews/wall.html", context))


@require_safe
def embed(request: HttpRequest, address: Address) -> HttpResponse:
    """`/r/SLUG/embed?theme=light|dark|auto&layout=`: for a frame on the websites that the owner named, and on no other.
    Without a layout it is the page's."""
    theme = request.GET.get("theme", "")
    theme = theme if theme in THEMES else THEMES[0]
    page = ReviewPage.at(address)
    layout = request.GET.get("layout", "")
    layout = layout if layout in LAYOUTS else page.layout
    around = Website.around(request)
    if around is not None and not may_frame(around, page):
        return _not_here(request, page, around, theme)
    if refuse(request, KIND, address) is not None:
        # a pause is no error on somebody's website: the frame says so in one line
        closed = {"page": page, "theme": theme, "password": address.publication.state is State.LIVE}
        response = render(request, "reviews/embed_closed.html", closed)
        response.headers["Cache-Control"] = "no-store"
    else:
        response = show(
            request, address, lambda _: _embed(page, theme, layout), event=WIDGET, part=f"embed/{theme}/{layout}"
        )
    response.headers["Content-Security-Policy"] = _POLICY.format(page.frame_ancestors)
    response.headers["X-Robots-Tag"] = "noindex"
    return response


def _not_here(request: HttpRequest, page: ReviewPage, around: Website, theme: str) -> HttpResponse:
    """What stands in a frame on a website that the owner did not name: why, and not one word of the page's."""
    if request.method == "GET":
        count(request, page.publication, REFUSED)
    context = {"host": around.written, "insecure": around.scheme == "http", "theme": theme}
    response = render(request, "reviews/embed_refused.html", context)
    response.headers["Cache-Control"] = "no-store"
    response.headers["Content-Security-Policy"] = _POLICY.format("*")
    response.headers["X-Robots-Tag"] = "noindex"
    return response


def _embed(page: ReviewPage, theme: str, layout: str) -> Drawn:
    found, figures = [] if layout == "badge" else shown_on(page, 0, IN_WIDGET), figures_of(page)
    made_with = page.account.limits(KIND).made_with
    # on somebody's website no typefaces are loaded
    look = replace(page.look, fonts=SYSTEM, tone="" if theme == "auto" else theme)
    context = {
        **_context(page, found, figures),
        "theme": theme,
        "layout": layout,
        "look": look,
        "made_with": made_with,
        "version": page.publication.version,
        "five_stars": FIVE_STARS,
        "filled": _filled(figures.average or 0),
    }
    return Drawn(render_to_string("reviews/embed.html", context))


@require_safe
def widget(request: HttpRequest, address: Address) -> HttpResponse:
    """`/r/SLUG/widget.js`: puts the frame where it stands, and fits its height. The same for every page: it reads its
    own address. Behind a password there is nothing to frame: browsers keep no cookie for a frame."""
    if address.publication.password:
        told = "// This page asks for a password, so it is shown nowhere else.\n"
        return HttpResponse(told, content_type=_SCRIPT, status=404, headers={"Cache-Control": "no-store"})
    response = HttpResponse(_loader(), content_type=_SCRIPT)
    response.headers["Cache-Control"] = "public, max-age=3600"
    response.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
    return response


@cache
def _loader() -> bytes:
    return _LOADER.read_bytes()


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
