"""Tools for review pages and their testimonials: search, moderation, creation and editing of pages.

The tools that save and delete testimonials are in `testimonial_tools.py`.
"""

from __future__ import annotations

from typing import Annotated, Any, Unpack

from django.db.models import QuerySet
from pydantic import Field
from typing_extensions import TypedDict

from workspace.accounts.models import Account
from workspace.lib.errors import OperationNotAllowedError
from workspace.lib.text import escape_markdown, search_key
from workspace.products.reviews import messages
from workspace.products.reviews.api.arguments import PageChanges, PageFields, PageId, StatusName, Title
from workspace.products.reviews.api.serializers import (
    PageDetail,
    PageSummary,
    TestimonialDetail,
    TestimonialSummary,
    page_detail,
    page_summaries,
    testimonial_detail,
    testimonial_summary,
)
from workspace.products.reviews.api.text import (
    format_page,
    format_page_detail,
    format_testimonial,
    format_testimonial_detail,
)
from workspace.products.reviews.domain.queries import get_page, pages_for, testimonials_for
from workspace.products.reviews.domain.testimonial_changes import TestimonialEntry, save_testimonials
from workspace.products.reviews.models import ReviewPage, Testimonial
from workspace.products.reviews.models.page import DEFAULT_QUESTIONS, DEFAULT_THANK_YOU
from workspace.products.reviews.rules.testimonial_fields import Action, ItemId, Rating, Tag
from workspace.publishing.duplication import CopyOf, copy_fields
from workspace.publishing.serializers import get_or_404
from workspace.storage import journal
from workspace.storage.database.compiled_function import compile_once
from workspace.tools.answer import Answer, Listing, listing_answer
from workspace.tools.argument_types import Limit, Offset, Query
from workspace.tools.tool import Toolbox

box = Toolbox("review", "Reviews")

ACTION_PHRASES = {"approve": "Approved", "hide": "Hid", "feature": "Approved and pinned", "unfeature": "Unpinned"}


@box.tool(
    "svc_reviews_list",
    title="List testimonials",
    about="List the testimonials (reviews) of one page or all pages with their status, newest first. suspicion says "
    "why a testimonial may be spam. consented says whether its author agreed to publication.",
    short="List testimonials by page and status, newest first.",
    synonyms="reviews, feedback, ratings, pending reviews, awaiting approval, bewertungen, rezensionen, "
    "kundenstimmen, offene bewertungen, reseñas, opiniones, valoraciones, pendientes, new reviews, "
    "latest reviews, recent reviews, unapproved, neue bewertungen, últimas reseñas, nuevas reseñas",
    reads=True,
    columns="name rating excerpt status id",
)
def list_testimonials(
    account: Account,
    page_id: PageId | None = None,
    status: StatusName | None = None,
    limit: Limit = 50,
    offset: Offset = 0,
) -> Answer[Listing[TestimonialSummary]]:
    return _testimonials_answer(account, page_id, status, limit, offset)


@box.tool(
    "svc_reviews_approve",
    title="Moderate a testimonial",
    about="Approve a testimonial to show it on the wall and widget, hide it, feature it (approve and pin to the top) "
    "or unfeature it. Approval requires the author's consent. To record consent for imported testimonials or "
    "moderate several at once, use svc_reviews_save_items.",
    short="Approve, hide, feature or unfeature a testimonial.",
    synonyms="publish review, show review, reject, pin, moderation, accept, bewertung freigeben, "
    "veröffentlichen, ausblenden, anheften, aprobar reseña, publicar, ocultar, destacar, hide review, "
    "bad review, unpublish, take down review, bewertung verstecken, ocultar reseña",
    idempotent=True,
)
def approve(
    account: Account, page_id: PageId, item_id: ItemId, action: Action = "approve"
) -> Answer[TestimonialDetail]:
    page = get_page(account, page_id)
    outcome = save_testimonials(page, [TestimonialEntry("", {"id": item_id, "action": action})], [], consented=None)
    for skipped in outcome.skipped:
        raise OperationNotAllowedError(skipped["message"])
    testimonial = testimonial_detail(_get_testimonial(account, page_id, item_id))
    done = ACTION_PHRASES[action] if outcome.changed else "No changes to"
    return Answer(
        testimonial,
        format_testimonial_detail(testimonial, f"{done} the testimonial by {escape_markdown(testimonial['name'])}"),
    )


class ReviewDetail(TypedDict, total=False):
    """The requested data: `pages` without an id, `page` for a page's id, or `item` for a testimonial's id."""

    pages: Listing[PageSummary]
    page: PageDetail
    item: TestimonialDetail


@box.tool(
    "svc_reviews_get",
    title="Get review pages or a testimonial",
    about="Get all review pages (newest first), one page with the HTML of its widget, or one testimonial with its "
    "consent record. Pages include their addresses, pending testimonials and the average of all guest ratings, "
    "including hidden ones.",
    short="Get review pages, widget code, or one testimonial.",
    synonyms="embed code, widget, average rating, review link, stars, einbetten, durchschnitt, bewertungslink, "
    "código del widget, insertar, media, valoración media, enlace de reseñas",
    reads=True,
)
def get(
    account: Account,
    page_id: PageId | None = None,
    item_id: ItemId | None = None,
    limit: Limit = 50,
    offset: Offset = 0,
) -> Answer[ReviewDetail]:
    if item_id is not None:
        testimonial = testimonial_detail(_get_testimonial(account, page_id, item_id))
        return Answer(
            {"item": testimonial}, format_testimonial_detail(testimonial, escape_markdown(testimonial["name"]))
        )
    if page_id is not None:
        page = page_detail(get_page(account, page_id))
        return Answer({"page": page}, format_page_detail(page, ""))
    found, total = pages_for.fetch_page(limit, offset, account)
    pages = listing_answer(
        page_summaries(found),
        total=total,
        offset=offset,
        noun="review pages",
        line=format_page,
    )
    return Answer({"pages": pages.data}, pages.text)


@box.tool(
    "svc_reviews_search",
    title="Search testimonials",
    about="Search testimonials by words, name, email address, tag, rating, page or status, newest first.",
    short="Search testimonials by words, tag or rating.",
    synonyms="find review, bad reviews, 1 star, negative, five stars, bewertungen durchsuchen, schlechte "
    "bewertungen, buscar reseñas, malas reseñas, negativas",
    reads=True,
    columns="name rating excerpt status id",
)
def search(
    account: Account,
    q: Annotated[Query, Field(description="Words in the text, name or email address.")] | None = None,
    page_id: PageId | None = None,
    status: StatusName | None = None,
    tag: Annotated[Tag, Field(description="Only testimonials with this tag.")] | None = None,
    rating: Rating | None = None,
    limit: Limit = 50,
    offset: Offset = 0,
) -> Answer[Listing[TestimonialSummary]]:
    return _testimonials_answer(account, page_id, status, limit, offset, q=q, tag=tag, rating=rating)


@box.tool(
    "svc_reviews_create",
    title="Create a review page",
    about="Create a page where guests leave a rating, a review and a photo. Reviews that you approve appear on a "
    "wall page and in a widget for your website. Omitted settings use sensible defaults. To copy another page, use "
    "copy_of. Counts toward your plan's limit.",
    short="Create a page that collects reviews and testimonials.",
    synonyms="collect feedback, ask for reviews, testimonial page, wall of love, bewertungsseite, feedback "
    "sammeln, página de reseñas, recoger opiniones, pedir reseñas",
)
def create(
    account: Account, title: Title, copy_of: CopyOf | None = None, **fields: Unpack[PageFields]
) -> Answer[PageDetail]:
    ReviewPage.check_quota(account)
    usual = {"questions": list(DEFAULT_QUESTIONS), "thank_you": DEFAULT_THANK_YOU}
    values: dict[str, Any] = {**(usual if copy_of is None else copy_fields(get_page(account, copy_of))), **fields}
    page = ReviewPage.open(account, **{**values, "title": title})
    return _page_answer(account, page.pk, f"Created “{escape_markdown(title)}”")


@box.tool(
    "svc_reviews_edit",
    title="Update a review page",
    about="Update a review page: wording, questions, consent text, design or slug. live pauses or resumes the page, "
    "wall and widget. Pass only the fields to change. An empty string clears a field. A new consent text "
    "applies to new testimonials only. Old slugs keep working.",
    short="Update a review page's wording, questions, design or slug.",
    synonyms="thank you text, questions, layout, close page, consent, bewertungsseite ändern, fragen, página de "
    "reseñas cambiar, preguntas, change question of review page, change text of review page",
    idempotent=True,
)
def edit(account: Account, page_id: PageId, **fields: Unpack[PageChanges]) -> Answer[PageDetail]:
    get_page(account, page_id).edit(**fields)
    changed = journal.has_changed()
    return _page_answer(account, page_id, "Updated the page" if changed else "No changes to the page")


def _page_answer(account: Account, page_id: str, title: str) -> Answer[PageDetail]:
    data = page_detail(get_page(account, page_id))
    return Answer(data, format_page_detail(data, title))


def _get_testimonial(account: Account, page_id: str | None, item_id: str) -> Testimonial:
    testimonials = testimonials_for(account)
    return get_or_404(
        testimonials if page_id is None else testimonials.filter(page=page_id), item_id, messages.TESTIMONIAL_NOT_FOUND
    )


def _testimonials_answer(
    account: Account,
    page_id: str | None,
    status: str | None,
    limit: int,
    offset: int,
    *,
    q: str | None = None,
    tag: str | None = None,
    rating: int | None = None,
) -> Answer[Listing[TestimonialSummary]]:
    page = get_page(account, page_id) if page_id else None
    found, total = _matching_testimonials.fetch_page(
        limit, offset, account, page, status or None, search_key(q) if q else None, tag or None, rating or None
    )
    items = [testimonial_summary(testimonial) for testimonial in found]
    return listing_answer(items, total=total, offset=offset, noun="testimonials", line=format_testimonial)


@compile_once
def _matching_testimonials(
    account: Account, page: ReviewPage | None, status: str | None, q: str | None, tag: str | None, rating: int | None
) -> QuerySet[Testimonial]:
    testimonials = testimonials_for(account)
    if page is not None:
        testimonials = testimonials.filter(page=page)
    if status is not None:
        testimonials = testimonials.filter(status=status)
    if q is not None:
        testimonials = testimonials.filter(search__contains=q)
    if tag is not None:
        testimonials = testimonials.filter(tags__contains=f"|{tag}|")
    if rating is not None:
        testimonials = testimonials.filter(rating=rating)
    return testimonials.order_by("-created_at", "-id")
