"""Serializers of pages and testimonials, which all answers use."""

from __future__ import annotations

from collections.abc import Iterable

from django.conf import settings
from typing_extensions import TypedDict

from workspace.analytics.queries import load_totals
from workspace.lib import clock
from workspace.products.reviews.domain.embed_code import Snippets, build_snippets
from workspace.products.reviews.domain.wall_content import ReviewStats, compute_stats
from workspace.products.reviews.models import ReviewPage, Testimonial
from workspace.public_site.embeds import RefusedWebsite, list_refused_websites
from workspace.publishing.models.visit import VIEW_EVENT
from workspace.publishing.serializers import ItemSummary, ItemUrls, item_summary, item_urls
from workspace.publishing.submissions import Submission
from workspace.storage.files.images import image_url


class TestimonialSummary(TypedDict):
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


class TestimonialDetail(TestimonialSummary):
    consent_text: str
    consented_at: str | None
    verified_at: str | None
    replied_at: str | None
    photo_id: str | None


class PageSummary(ItemSummary):
    title: str
    wall_url: str
    testimonials: int
    pending: int
    approved: int
    hidden: int
    average: float | None
    ratings: int
    views: int


class PageDetail(PageSummary, ItemUrls, Snippets):
    """A page with all details.

    `script`, `iframe` and `link` are the HTML of the widget. `refused` are websites that tried to show it in the last
    30 days but are not allowed to.
    """

    intro: str
    questions: list[str]
    consent_text: str
    disclosure: str
    thank_you: str
    color: str
    layout: str
    hosts: list[str]
    refused: list[RefusedWebsite]
    tags: list[str]


def page_summaries(pages: Iterable[ReviewPage]) -> list[PageSummary]:
    """Return pages that were loaded with `pages_for` as data. The number of queries is fixed."""
    pages = list(pages)
    views, counted = load_totals([page.publication_id for page in pages], VIEW_EVENT), compute_stats(pages)
    return [_page_summary(page, views[page.publication_id].total, counted[page.pk]) for page in pages]


def page_detail(page: ReviewPage) -> PageDetail:
    return {
        **page_summaries([page])[0],
        **item_urls(page),
        **build_snippets(page),
        "intro": page.intro,
        "questions": page.questions,
        "consent_text": page.consent_text,
        "disclosure": page.disclosure,
        "thank_you": page.thank_you,
        "color": page.color,
        "layout": page.layout,
        "hosts": page.hosts,
        "refused": list_refused_websites(page),
        "tags": page.list_tags(),
    }


def testimonial_summary(testimonial: Testimonial) -> TestimonialSummary:
    return {
        "id": testimonial.pk,
        "page_id": testimonial.page_id,
        "page_title": testimonial.page.title,
        "status": str(testimonial.status),
        "featured": testimonial.is_featured,
        "shown": testimonial.is_shown,
        "rating": testimonial.rating,
        "text": testimonial.text,
        "excerpt": testimonial.excerpt,
        "name": testimonial.name,
        "byline": testimonial.byline,
        "email": testimonial.email,
        "email_verified": testimonial.verified_at is not None,
        "photo_url": settings.BASE_URL + image_url(testimonial.photo_id, 384) if testimonial.photo_id else None,
        "consented": testimonial.consented_at is not None,
        "relationship": testimonial.relationship,
        "source": testimonial.source,
        "source_name": testimonial.source_name,
        "suspicion": testimonial.suspicion,
        "reply": testimonial.reply,
        "tags": testimonial.tag_list,
        "written_at": clock.to_iso(testimonial.written_at),
        "created_at": clock.to_iso(testimonial.created_at),
    }


def testimonial_detail(testimonial: Testimonial) -> TestimonialDetail:
    return {
        **testimonial_summary(testimonial),
        "consent_text": testimonial.consent_text,
        "consented_at": clock.to_iso(testimonial.consented_at),
        "verified_at": clock.to_iso(testimonial.verified_at),
        "replied_at": clock.to_iso(testimonial.replied_at),
        "photo_id": testimonial.photo_id,
    }


def _page_summary(page: ReviewPage, views: int, stats: ReviewStats) -> PageSummary:
    return {
        **item_summary(page),
        "title": page.title,
        "wall_url": f"{page.public_url}/wall",
        "testimonials": stats.testimonials,
        "pending": stats.count_by_status["pending"],
        "approved": stats.count_by_status["approved"],
        "hidden": stats.count_by_status["hidden"],
        "average": stats.average,
        "ratings": stats.rating_count,
        "views": views,
    }


def review_submissions(testimonials: Iterable[Testimonial]) -> list[Submission]:
    """Return testimonials as submissions, for the account's search."""
    return [_review_submission(testimonial) for testimonial in testimonials]


def _review_submission(testimonial: Testimonial) -> Submission:
    submission: Submission = {
        "id": testimonial.pk,
        "name": testimonial.name,
        "email": testimonial.email,
        "note": testimonial.text,
        "at": clock.to_iso(testimonial.created_at) or "",
        "thing_id": testimonial.page_id,
        "page": f"/app/reviews/{testimonial.page_id}/items/{testimonial.pk}",
    }
    if testimonial.rating:
        submission["rating"] = testimonial.rating
    return submission
