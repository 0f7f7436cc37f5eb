"""Pages and testimonials as data, the same in every answer."""

from __future__ import annotations

from collections.abc import Iterable

from django.conf import settings
from typing_extensions import TypedDict

from workspace.analytics.queries import totals
from workspace.lib import clock
from workspace.products.reviews.domain.embed_code import Snippets, snippets
from workspace.products.reviews.domain.wall import Figures, figures
from workspace.products.reviews.models import ReviewPage, Testimonial
from workspace.public_site.embeds import RefusedWebsite, refused_lately
from workspace.publishing.models.visit import VIEW
from workspace.publishing.serializers import Addresses, PublishedRow, addresses_of, published_row
from workspace.publishing.submissions import Left
from workspace.storage.files.images import picture_url


class TestimonialRow(TypedDict):
    id: str
    page_id: str
    page_title: str
    status: str
    featured: bool
    shown: bool
    rating: int | None
    text: str
    excerpt: str
    name: str
    byline: str
    email: str
    email_verified: bool
    photo_url: str | None
    consented: bool
    relationship: str
    source: str
    source_name: str
    suspicion: str
    reply: str
    tags: list[str]
    written_at: str | None
    created_at: str | None


class TestimonialWhole(TestimonialRow):
    consent_text: str
    consented_at: str | None
    verified_at: str | None
    replied_at: str | None
    photo_id: str | None


class PageRow(PublishedRow):
    title: str
    wall_url: str
    testimonials: int
    pending: int
    approved: int
    hidden: int
    average: float | None
    ratings: int
    views: int


class PageWhole(PageRow, Addresses, Snippets):
    """`script`, `iframe` and `link` are the HTML of the widget; `refused` are websites that tried to show it in the
    last 30 days and may not."""

    intro: str
    questions: list[str]
    consent_text: str
    disclosure: str
    thanks: str
    colour: str
    layout: str
    hosts: list[str]
    refused: list[RefusedWebsite]
    tags: list[str]


def page_rows(pages: Iterable[ReviewPage]) -> list[PageRow]:
    """A fixed number of queries, however many pages that came from `pages_of`."""
    pages = list(pages)
    views, counted = totals([page.publication_id for page in pages], VIEW), figures(pages)
    return [_page_row(page, views[page.publication_id].total, counted[page.pk]) for page in pages]


def page_whole(page: ReviewPage) -> PageWhole:
    return {
        **page_rows([page])[0],
        **addresses_of(page),
        **snippets(page),
        "intro": page.intro,
        "questions": page.questions,
        "consent_text": page.consent_text,
        "disclosure": page.disclosure,
        "thanks": page.thanks,
        "colour": page.colour,
        "layout": page.layout,
        "hosts": page.hosts,
        "refused": refused_lately(page),
        "tags": page.tags(),
    }


def row(found: Testimonial) -> TestimonialRow:
    return {
        "id": found.pk,
        "page_id": found.page_id,
        "page_title": found.page.title,
        "status": str(found.status),
        "featured": found.is_featured,
        "shown": found.is_shown,
        "rating": found.rating,
        "text": found.text,
        "excerpt": found.excerpt,
        "name": found.name,
        "byline": found.byline,
        "email": found.email,
        "email_verified": found.verified_at is not None,
        "photo_url": settings.BASE_URL + picture_url(found.photo_id, 384) if found.photo_id else None,
        "consented": found.consented_at is not None,
        "relationship": found.relationship,
        "source": found.source,
        "source_name": found.source_name,
        "suspicion": found.suspicion,
        "reply": found.reply,
        "tags": found.tag_list,
        "written_at": clock.iso(found.written_at),
        "created_at": clock.iso(found.created_at),
    }


def whole(found: Testimonial) -> TestimonialWhole:
    return {
        **row(found),
        "consent_text": found.consent_text,
        "consented_at": clock.iso(found.consented_at),
        "verified_at": clock.iso(found.verified_at),
        "replied_at": clock.iso(found.replied_at),
        "photo_id": found.photo_id,
    }


def _page_row(page: ReviewPage, views: int, found: Figures) -> PageRow:
    return {
        **published_row(page),
        "title": page.title,
        "wall_url": f"{page.public_url}/wall",
        "testimonials": found.testimonials,
        "pending": found.by_status["pending"],
        "approved": found.by_status["approved"],
        "hidden": found.by_status["hidden"],
        "average": found.average,
        "ratings": found.ratings,
        "views": views,
    }


def left(testimonials: Iterable[Testimonial]) -> list[Left]:
    """Testimonials as what came in, for the account's search."""
    return [_left(one) for one in testimonials]


def _left(one: Testimonial) -> Left:
    told: Left = {
        "id": one.pk,
        "name": one.name,
        "email": one.email,
        "note": one.text,
        "at": clock.iso(one.created_at) or "",
        "thing_id": one.page_id,
        "page": f"/app/reviews/{one.page_id}/items/{one.pk}",
    }
    if one.rating:
        told["rating"] = one.rating
    return told
