"""Review pages and their testimonials as tools: finding, deciding, making and changing pages. What is saved, deleted,
counted and taken away stands in `item_tools.py`."""

from __future__ import annotations

from typing import Any, Unpack

from typing_extensions import TypedDict

from workspace.accounts.models import Account
from workspace.lib.errors import ToolError
from workspace.lib.text import escape_markdown, fold
from workspace.products.reviews.api.arguments import PageChanges, PageFields, PageId, StatusName, Title
from workspace.products.reviews.api.serializers import (
    PageRow,
    PageWhole,
    TestimonialRow,
    TestimonialWhole,
    page_rows,
    page_whole,
    row,
    whole,
)
from workspace.products.reviews.api.text import one_line, page_facts, page_line, testimonial_facts
from workspace.products.reviews.domain.queries import MISSING, page_of, pages_of, testimonials_of
from workspace.products.reviews.domain.testimonials import Entry, save
from workspace.products.reviews.models import ReviewPage, Testimonial
from workspace.products.reviews.models.page import QUESTIONS, THANKS
from workspace.products.reviews.rules.fields import Action, ItemId, Rating, Tag
from workspace.publishing.duplication import Like, fields_like
from workspace.publishing.serializers import one
from workspace.storage import journal
from workspace.tools.answer import Answer, Listing, listing
from workspace.tools.argument_types import Limit, Offset, Query
from workspace.tools.tool import Toolbox

box = Toolbox("review", "Reviews")

DONE = {"approve": "Approved", "hide": "Hid", "feature": "Approved and pinned", "unfeature": "Unpinned"}


@box.tool("svc_reviews_list", title="List testimonials", reads=True, columns="name rating excerpt status id")
def list_testimonials(
    account: Account,
    page_id: PageId | None = None,
    status: StatusName | None = None,
    limit: Limit = 50,
    offset: Offset = 0,
) -> Answer[Listing[TestimonialRow]]:
    """Testimonials with their status, newest first, of one page or of all. `suspicion` says why one may be spam;
    `consented` whether its writer agreed to have it shown."""
    return _listed(account, page_id, status, limit, offset)


@box.tool("svc_reviews_approve", title="Moderate a testimonial", idempotent=True)
def approve(account: Account, page_id: PageId, item_id: ItemId, action: Action = "approve") -> Answer[TestimonialWhole]:
    """Approve shows a testimonial on wall and widget, hide takes it away, feature approves it and pins it first,
    unfeature unpins it and leaves it approved. What its writer has not agreed to show cannot be approved: for what you
    added, svc_reviews_save_items records that they agreed, and decides on many at once."""
    page = page_of(account, page_id)
    outcome = save(page, [Entry("", {"id": item_id, "action": action})], [], consented=None)
    for skipped in outcome.skipped:
        raise ToolError(skipped["message"])
    found = whole(_item_of(account, page_id, item_id))
    done = DONE[action] if outcome.changed else "Nothing changed"
    return Answer(found, testimonial_facts(found, f"{done}: the words of {escape_markdown(found['name'])}"))


class Found(TypedDict, total=False):
    """What was asked for: `pages` without an id, `page` with a page's, `item` with a testimonial's."""

    pages: Listing[PageRow]
    page: PageWhole
    item: TestimonialWhole


@box.tool("svc_reviews_get", title="Get review pages, or a testimonial", reads=True)
def get(
    account: Account,
    page_id: PageId | None = None,
    item_id: ItemId | None = None,
    limit: Limit = 50,
    offset: Offset = 0,
) -> Answer[Found]:
    """All your review pages, or one whole with the widget's HTML, or one testimonial. Pages come newest first with
    addresses, what waits, and the average of all ratings that guests left, shown or not; `limit` and `offset` are for
    them. A testimonial comes with the consent as it was given."""
    if item_id is not None:
        found = whole(_item_of(account, page_id, item_id))
        return Answer({"item": found}, testimonial_facts(found, escape_markdown(found["name"])))
    if page_id is not None:
        page = page_whole(page_of(account, page_id))
        return Answer({"page": page}, page_facts(page, ""))
    pages = listing(
        page_rows(pages_of(account)[offset : offset + limit]),
        total=account.review_pages.count(),
        offset=offset,
        noun="review pages",
        line=page_line,
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
) -> Answer[Listing[TestimonialRow]]:
    """Testimonials, newest first, whose words, name or e-mail address hold `q`, or that carry a tag or a rating."""
    return _listed(account, page_id, status, limit, offset, q=q, tag=tag, rating=rating)


@box.tool("svc_reviews_create", title="Create a review page")
def create(account: Account, title: Title, like: Like | None = None, **fields: Unpack[PageFields]) -> Answer[PageWhole]:
    """Make a page where guests leave a rating, their words and a photo. A wall and a widget for websites show what you
    approve of it. What is left out has a good default, or is as on another page. Counts against the plan's number of
    pages."""
    ReviewPage.check_room(account)
    usual = {"questions": list(QUESTIONS), "thanks": THANKS}
    given: dict[str, Any] = {**(usual if like is None else fields_like(page_of(account, like))), **fields}
    page = ReviewPage.open(account, **{**given, "title": title})
    return _told(account, page.pk, f"Created “{escape_markdown(title)}”")


@box.tool("svc_reviews_edit", title="Edit a review page", idempotent=True)
def edit(account: Account, page_id: PageId, **fields: Unpack[PageChanges]) -> Answer[PageWhole]:
    """Change a review page; guests see it at their next load. Only what is given changes, and an empty text or list
    clears. A new consent text holds for new testimonials: each keeps the one that its writer agreed to. `live` opens
    and closes the page with its wall and its widget; another slug leaves the old one working."""
    page_of(account, page_id).edit(**fields)
    changed = journal.has_changed()
    return _told(account, page_id, "Changed the page" if changed else "Nothing changed: all of it was so already")


def _told(account: Account, page_id: str, title: str) -> Answer[PageWhole]:
    data = page_whole(page_of(account, page_id))
    return Answer(data, page_facts(data, title))


def _item_of(account: Account, page_id: str | None, item_id: str) -> Testimonial:
    found = testimonials_of(account)
    return one(found if page_id is None else found.filter(page=page_id), item_id, MISSING)


def _listed(
    account: Account,
    page_id: str | None,
    status: str | None,
    limit: int,
    offset: int,
    *,
    q: str | None = None,
    tag: str | None = None,
    rating: int | None = None,
) -> Answer[Listing[TestimonialRow]]:
    found = testimonials_of(account)
    if page_id:
        found = found.filter(page=page_of(account, page_id))
    if status:
        found = found.filter(status=status)
    if q:
        found = found.filter(search__contains=fold(q))
    if tag:
        found = found.filter(tags__contains=f"|{tag}|")
    if rating:
        found = found.filter(rating=rating)
    items = [row(one) for one in found.order_by("-created_at", "-id")[offset : offset + limit]]
    return listing(items, total=found.count(), offset=offset, noun="testimonials", line=one_line)
