"""Testimonials as tools: reading, deciding, replying. Pages stand in `page_tools.py`, adding in `add_tools.py`."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

from workspace.accounts.models import Account
from workspace.products.reviews.arguments import (
    MOST_TAGS,
    Action,
    Excerpt,
    ItemId,
    PageId,
    Rating,
    Relationship,
    Reply,
    StatusName,
    Tag,
    Tags,
    part_of,
    tags_text,
)
from workspace.products.reviews.leaving import send_link
from workspace.products.reviews.models import Testimonial
from workspace.products.reviews.models.testimonial import VOUCHED
from workspace.products.reviews.rows import (
    TestimonialRow,
    TestimonialWhole,
    one_line,
    page_of,
    row,
    stars,
    testimonial_of,
    testimonials_of,
    whole,
)
from workspace.toolkit.answer import Answer, Listing, bullets, facts, listing
from workspace.toolkit.errors import InvalidInput, NotFound
from workspace.toolkit.text import escape_markdown, fold
from workspace.toolkit.tool import Toolbox
from workspace.toolkit.types import Id, Limit, Offset, Query

tools = Toolbox("review", "Reviews")

DONE = {"approve": "Approved", "hide": "Hid", "feature": "Approved and pinned", "unfeature": "Unpinned"}
MOST_AT_ONCE = 200


@tools.tool("svc_reviews_list", title="List testimonials", reads=True)
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


@tools.tool("svc_reviews_approve", title="Moderate a testimonial", idempotent=True)
def approve(account: Account, page_id: PageId, item_id: ItemId, action: Action = "approve") -> Answer[TestimonialWhole]:
    """Approve shows a testimonial on the wall and the widget, hide takes it away, feature approves it and pins it
    first, unfeature unpins it and leaves it approved. What its writer has not agreed to show cannot be approved."""
    found = testimonial_of(account, page_id, item_id)
    _moderate(found, action)
    return _told(found, f"{DONE[action]} the words of {escape_markdown(found.name)}")


@tools.tool("svc_reviews_search", title="Search testimonials", reads=True)
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


@tools.tool("svc_reviews_get", title="Get a testimonial", reads=True)
def get(account: Account, page_id: PageId, item_id: ItemId) -> Answer[TestimonialWhole]:
    """One testimonial with everything about it, the consent as it was given too."""
    found = testimonial_of(account, page_id, item_id)
    return _told(found, escape_markdown(found.name))


@tools.tool("svc_reviews_edit", title="Edit what surrounds a testimonial", idempotent=True)
def edit(
    account: Account,
    page_id: PageId,
    item_id: ItemId,
    excerpt: Excerpt | None = None,
    tags: Tags | None = None,
    relationship: Relationship | None = None,
    consented: Annotated[
        bool,
        Field(description="False when the writer takes consent back; true, for what you added, when they gave it"),
    ]
    | None = None,
) -> Answer[TestimonialWhole]:
    """Choose an excerpt, tags or the relationship that readers are told. The words themselves cannot be edited: an
    excerpt must stand in them word for word."""
    found = testimonial_of(account, page_id, item_id)
    if excerpt is not None:
        try:
            found.cut(part_of(found.text, excerpt))
        except ValueError as problem:
            raise InvalidInput.at("excerpt", str(problem)) from None
    if tags is not None or relationship is not None:
        found.file(tags=None if tags is None else tags_text(tags), relationship=relationship)
    if consented is True and found.consented_at is None:
        found.record_consent(VOUCHED)
    if consented is False and found.consented_at is not None:
        found.withdraw_consent()
    return _told(found, f"Changed what surrounds the words of {escape_markdown(found.name)}")


@tools.tool("svc_reviews_reply", title="Reply to a testimonial", idempotent=True)
def reply(account: Account, page_id: PageId, item_id: ItemId, text: Reply) -> Answer[TestimonialWhole]:
    """Reply in public: it is shown below the testimonial wherever that is shown. An empty text takes the reply back."""
    found = testimonial_of(account, page_id, item_id)
    found.answer(text)
    return _told(found, f"{'Replied to' if text else 'Took back the reply to'} {escape_markdown(found.name)}")


class Refused(TypedDict):
    id: str
    message: str


class Moderated(TypedDict):
    done: int
    refused: list[Refused]
    items: list[TestimonialRow]


@tools.tool("svc_reviews_moderate", title="Moderate many testimonials", idempotent=True)
def moderate(
    account: Account,
    item_ids: Annotated[list[Id], Field(min_length=1, max_length=MOST_AT_ONCE, description="Testimonials' ids")],
    action: Action = "approve",
    add_tags: Tags | None = None,
) -> Answer[Moderated]:
    """Approve, hide, pin or unpin up to 200 testimonials in one step, and give them tags. Those that their writers do
    not want shown are left as they are and told in `refused`."""
    wanted = list(dict.fromkeys(item_ids))
    found = {one.pk: one for one in testimonials_of(account).filter(pk__in=wanted)}
    if len(found) < len(wanted):
        raise NotFound("Not all of these testimonials exist: svc_reviews_list shows them with their ids")
    refused: list[Refused] = []
    done: list[Testimonial] = []
    for one in (found[id] for id in wanted):
        if one.consented_at is None and action in ("approve", "feature"):
            refused.append({"id": one.pk, "message": f"{one.name} has not agreed to have it shown"})
            continue
        _moderate(one, action)
        if add_tags:
            one.file(tags=tags_text([*one.tag_list, *add_tags][:MOST_TAGS]))
        done.append(one)
    rows = [row(one) for one in done]
    head = f"{DONE[action]} {len(done)} of {len(wanted)} testimonials."
    lines = [f"- {escape_markdown(one['message'])}" for one in refused]
    data: Moderated = {"done": len(done), "refused": refused, "items": rows}
    return Answer(data, "\n".join([head, "", *bullets(rows[:20], one_line), *lines]))


class Deleted(TypedDict):
    id: str
    deleted: bool


@tools.tool("svc_reviews_delete", title="Delete a testimonial", destructive=True)
def delete(account: Account, page_id: PageId, item_id: ItemId) -> Answer[Deleted]:
    """Delete a testimonial for good, with its photo and e-mail address: for spam, or when its writer asks for it. To
    stop showing it, hide it: a hidden rating still counts in the average, as honest pages do."""
    found = testimonial_of(account, page_id, item_id)
    name = found.name
    found.remove()
    return Answer({"id": item_id, "deleted": True}, f"Deleted what {escape_markdown(name)} wrote.")


def _moderate(found: Testimonial, action: str) -> None:
    was_suspect = bool(found.suspicion)
    found.moderate(action)
    if was_suspect and not found.suspicion and found.verified_at is None:
        send_link(found)  # it was not sent while the testimonial looked like spam


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


def _told(found: Testimonial, title: str) -> Answer[TestimonialWhole]:
    data = whole(found)
    pairs = {
        "id": data["id"],
        "page": f"{escape_markdown(data['page_title'])} `{data['page_id']}`",
        "status": data["status"] + (", pinned first" if data["featured"] else ""),
        "rating": stars(data["rating"]),
        "words": escape_markdown(data["text"]),
        "excerpt": escape_markdown(data["excerpt"]),
        "reply": escape_markdown(data["reply"]),
        "tags": escape_markdown(", ".join(data["tags"])),
        "may be shown": "yes" if data["consented"] else "no, its writer has not agreed",
        "may be spam": data["suspicion"],
    }
    return Answer(data, facts(title, pairs))
