"""Tools for review pages and their testimonials: search, moderation, creation and editing of pages.

`testimonial_tools.py` saves, deletes, counts and exports.
"""

from __future__ import annotations

from typing import Any, Unpack

from typing_extensions import TypedDict

from workspace.accounts.models import Account
from workspace.lib.errors import OperationNotAllowedError
from workspace.lib.text import escape_markdown, search_key
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
from workspace.products.reviews.domain.queries import TESTIMONIAL_NOT_FOUND, get_page, pages_for, testimonials_for
from workspace.products.reviews.domain.testimonial_changes import TestimonialEntry, save_testimonials
from workspace.products.reviews.models import ReviewPage, Testimonial
from workspace.products.reviews.models.page import DEFAULT_QUESTIONS, DEFAULT_THANK_YOU
from workspace.products.reviews.rules.testimonial_fields import Action, ItemId, Rating, Tag
from workspace.publishing.duplication import CopyOf, copy_fields
from workspace.publishing.serializers import get_or_404
from workspace.storage import journal
from workspace.tools.answer import Answer, Listing, listing_answer
from workspace.tools.argument_types import Limit, Offset, Query
from workspace.tools.tool import Toolbox

box = Toolbox("review", "Reviews")

ACTION_PHRASES = {"approve": "Approved", "hide": "Hid", "feature": "Approved and pinned", "unfeature": "Unpinned"}


@box.tool("svc_reviews_list", title="List testimonials", reads=True, columns="name rating excerpt status id")
def list_testimonials(
    account: Account,
    page_id: PageId | None = None,
    status: StatusName | None = None,
    limit: Limit = 50,
    offset: Offset = 0,
) -> Answer[Listing[TestimonialSummary]]:
    """Testimonials with their status, newest first, of one page or of all. `suspicion` says why one may be spam;
    `consented` whether its writer agreed to have it shown."""
    return _testimonials_answer(account, page_id, status, limit, offset)


@box.tool("svc_reviews_approve", title="Moderate a testimonial", idempotent=True)
def approve(
    account: Account, page_id: PageId, item_id: ItemId, action: Action = "approve"
) -> Answer[TestimonialDetail]:
    """Approve shows a testimonial on wall and widget, hide takes it away, feature approves it and pins it first,
    unfeature unpins it and leaves it approved. What its writer has not agreed to show cannot be approved: for what you
    added, svc_reviews_save_items records that they agreed, and decides on many at once."""
    page = get_page(account, page_id)
    outcome = save_testimonials(page, [TestimonialEntry("", {"id": item_id, "action": action})], [], consented=None)
    for skipped in outcome.skipped:
        raise OperationNotAllowedError(skipped["message"])
    testimonial = testimonial_detail(_get_testimonial(account, page_id, item_id))
    done = ACTION_PHRASES[action] if outcome.changed else "Nothing changed"
    return Answer(
        testimonial,
        format_testimonial_detail(testimonial, f"{done}: the words of {escape_markdown(testimonial['name'])}"),
    )


class ReviewDetail(TypedDict, total=False):
    """What was asked for: `pages` without an id, `page` with a page's, `item` with a testimonial's."""

    pages: Listing[PageSummary]
    page: PageDetail
    item: TestimonialDetail


@box.tool("svc_reviews_get", title="Get review pages, or a testimonial", reads=True)
def get(
    account: Account,
    page_id: PageId | None = None,
    item_id: ItemId | None = None,
    limit: Limit = 50,
    offset: Offset = 0,
) -> Answer[ReviewDetail]:
    """All your review pages, or one whole with the widget's HTML, or one testimonial. Pages come newest first with
    addresses, what waits, and the average of all ratings that guests left, shown or not; `limit` and `offset` are for
    them. A testimonial comes with the consent as it was given."""
    if item_id is not None:
        testimonial = testimonial_detail(_get_testimonial(account, page_id, item_id))
        return Answer(
            {"item": testimonial}, format_testimonial_detail(testimonial, escape_markdown(testimonial["name"]))
        )
    if page_id is not None:
        page = page_detail(get_page(account, page_id))
        return Answer({"page": page}, format_page_detail(page, ""))
    pages = listing_answer(
        page_summaries(pages_for(account)[offset : offset + limit]),
        total=account.review_pages.count(),
        offset=offset,
        noun="review pages",
        line=format_page,
    )
    return Answer({"pages": pages.data}, pages.text)


@box.tool("svc_reviews_search", title="Search testimonials", reads=True, columns="name rating excerpt status id")
def search(
    account: Account,
    q: Query | None = None,
    page_id: PageId | None = None,
    status: StatusName | None = None,
    tag: Tag | None = None,
    rating: Rating | None = None,
    limit: Limit = 50,
    offset: Offset = 0,
) -> Answer[Listing[TestimonialSummary]]:
    """Testimonials, newest first, whose words, name or e-mail address hold `q`, or that carry a tag or a rating."""
    return _testimonials_answer(account, page_id, status, limit, offset, q=q, tag=tag, rating=rating)


@box.tool("svc_reviews_create", title="Create a review page")
def create(
    account: Account, title: Title, copy_of: CopyOf | None = None, **fields: Unpack[PageFields]
) -> Answer[PageDetail]:
    """Make a page where guests leave a rating, their words and a photo. A wall and a widget for websites show what you
    approve of it. What is left out has a good default, or is as on another page. Counts against the plan's number of
    pages."""
    ReviewPage.check_quota(account)
    usual = {"questions": list(DEFAULT_QUESTIONS), "thank_you": DEFAULT_THANK_YOU}
    values: dict[str, Any] = {**(usual if copy_of is None else copy_fields(get_page(account, copy_of))), **fields}
    page = ReviewPage.open(account, **{**values, "title": title})
    return _page_answer(account, page.pk, f"Created “{escape_markdown(title)}”")


@box.tool("svc_reviews_edit", title="Edit a review page", idempotent=True)
def edit(account: Account, page_id: PageId, **fields: Unpack[PageChanges]) -> Answer[PageDetail]:
    """Change a review page; guests see it at their next load. Only what is given changes, and an empty text or list
    clears. A new consent text holds for new testimonials: each keeps the one that its writer agreed to. `live` opens
    and closes the page with its wall and its widget; another slug leaves the old one working."""
    get_page(account, page_id).edit(**fields)
    changed = journal.has_changed()
    return _page_answer(
        account, page_id, "Changed the page" if changed else "Nothing changed: all of it was so already"
    )


def _page_answer(account: Account, page_id: str, title: str) -> Answer[PageDetail]:
    data = page_detail(get_page(account, page_id))
    return Answer(data, format_page_detail(data, title))


def _get_testimonial(account: Account, page_id: str | None, item_id: str) -> Testimonial:
    testimonials = testimonials_for(account)
    return get_or_404(
        testimonials if page_id is None else testimonials.filter(page=page_id), item_id, TESTIMONIAL_NOT_FOUND
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
    testimonials = testimonials_for(account)
    if page_id:
        testimonials = testimonials.filter(page=get_page(account, page_id))
    if status:
        testimonials = testimonials.filter(status=status)
    if q:
        testimonials = testimonials.filter(search__contains=search_key(q))
    if tag:
        testimonials = testimonials.filter(tags__contains=f"|{tag}|")
    if rating:
        testimonials = testimonials.filter(rating=rating)
    items = [
        testimonial_summary(testimonial)
        for testimonial in testimonials.order_by("-created_at", "-id")[offset : offset + limit]
    ]
    return listing_answer(
        items, total=testimonials.count(), offset=offset, noun="testimonials", line=format_testimonial
    )
