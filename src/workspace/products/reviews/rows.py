"""Pages and testimonials as data, the same in every answer."""

from __future__ import annotations

from collections.abc import Iterable

from django.conf import settings
from django.db.models import Avg, Count, Q, QuerySet
from typing_extensions import TypedDict

from workspace.accounts.models import Account
from workspace.products.reviews.models import ReviewPage, Testimonial
from workspace.products.reviews.models.testimonial import PAGE
from workspace.publishing.arrivals import Left
from workspace.publishing.guest_page import VIEW
from workspace.publishing.pictures import picture_url
from workspace.publishing.statistics import totals
from workspace.toolkit import clock
from workspace.toolkit.errors import NotFound
from workspace.toolkit.text import escape_markdown

# What counts for the average: every rating that a guest left on the page, shown or not.
GENUINE = Q(testimonials__source=PAGE, testimonials__suspicion="")


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


class PageRow(TypedDict):
    id: str
    title: str
    slug: str
    state: str
    public_url: str
    wall_url: str
    svg_url: str
    png_url: str
    testimonials: int
    pending: int
    approved: int
    hidden: int
    average: float | None
    ratings: int
    views: int
    created_at: str | None


class PageWhole(PageRow):
    intro: str
    questions: list[str]
    consent_text: str
    disclosure: str
    thanks: str
    hosts: list[str]
    slugs: list[str]
    tags: list[str]


def pages_of(account: Account) -> QuerySet[ReviewPage]:
    """The account's pages with all that a row shows: a fixed number of queries, however many there are."""
    return (
        account.review_pages.select_related("publication", "account")
        .prefetch_related("publication__addresses")
        .annotate(
            count_all=Count("testimonials"),
            count_pending=Count("testimonials", filter=Q(testimonials__status="pending")),
            count_approved=Count("testimonials", filter=Q(testimonials__status="approved")),
            count_hidden=Count("testimonials", filter=Q(testimonials__status="hidden")),
            count_ratings=Count("testimonials__rating", filter=GENUINE),
            average=Avg("testimonials__rating", filter=GENUINE),
        )
        .order_by("-id")  # said here, since an aggregate takes the model's own order away
    )


def page_of(account: Account, id: str) -> ReviewPage:
    """Raises NotFound for a page that there is not, or that is another account's."""
    page = pages_of(account).filter(pk=id).first()
    if page is None:
        raise NotFound("There is no such review page: svc_reviews_pages shows yours with their ids")
    return page


def testimonials_of(account: Account) -> QuerySet[Testimonial]:
    return account.testimonials.select_related("page__publication", "page__account", "photo")


def testimonial_of(account: Account, page_id: str, item_id: str) -> Testimonial:
    """Raises NotFound unless the account has this page with this testimonial."""
    found = testimonials_of(account).filter(pk=item_id, page_id=page_id).first()
    if found is None:
        raise NotFound("There is no such testimonial on this page: svc_reviews_list shows them with their ids")
    return found


def page_rows(pages: Iterable[ReviewPage]) -> list[PageRow]:
    """Pages that came from `pages_of`."""
    pages = list(pages)
    views = totals([page.publication_id for page in pages], VIEW)
    return [_page_row(page, views[page.publication_id].total) for page in pages]


def page_whole(account: Account, id: str) -> PageWhole:
    page = page_of(account, id)
    return {
        **page_rows([page])[0],
        "intro": page.intro,
        "questions": page.questions,
        "consent_text": page.consent_text,
        "disclosure": page.disclosure,
        "thanks": page.thanks,
        "hosts": page.hosts,
        "slugs": [address.slug for address in sorted(page.publication.addresses.all(), key=lambda a: -a.pk)],
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


def stars(rating: int | None) -> str:
    return "★" * rating + "☆" * (5 - rating) if rating else "no rating"


def one_line(found: TestimonialRow) -> str:
    text = found["text"] if len(found["text"]) <= 160 else found["text"][:157] + "…"
    marks = [found["status"]]
    marks += ["pinned"] if found["featured"] else []
    marks += [f"suspect: {found['suspicion']}"] if found["suspicion"] else []
    marks += [] if found["consented"] else ["not for showing"]
    return (
        f"{stars(found['rating'])} **{escape_markdown(found['name'])}** ({', '.join(marks)}): "
        f"{escape_markdown(text)} `{found['id']}`"
    )


def page_line(found: PageRow) -> str:
    average = f", {found['average']} of 5 from {found['ratings']} ratings" if found["average"] else ""
    state = "" if found["state"] == "live" else f", {found['state']}"
    return (
        f"**{escape_markdown(found['title'])}** ({found['testimonials']} testimonials, {found['pending']} pending"
        f"{average}{state}) {found['public_url']} `{found['id']}`"
    )


def _page_row(page: ReviewPage, views: int) -> PageRow:
    url = page.url
    average: float | None = page.average  # type: ignore[attr-defined]
    return {
        "id": page.pk,
        "title": page.title,
        "slug": page.slug,
        "state": page.publication.state.value,
        "public_url": url,
        "wall_url": f"{url}/wall",
        "svg_url": f"{url}.svg",
        "png_url": f"{url}.png",
        "testimonials": page.count_all,  # type: ignore[attr-defined]
        "pending": page.count_pending,  # type: ignore[attr-defined]
        "approved": page.count_approved,  # type: ignore[attr-defined]
        "hidden": page.count_hidden,  # type: ignore[attr-defined]
        "average": round(average, 1) if average is not None else None,
        "ratings": page.count_ratings,  # type: ignore[attr-defined]
        "views": views,
        "created_at": clock.iso(page.created_at),
    }


def left(testimonials: Iterable[Testimonial]) -> list[Left]:
    """Testimonials as what came in, for the account's search."""
    return [
        {
            "id": one.pk,
            "name": one.name,
            "email": one.email,
            "note": one.text,
            "at": clock.iso(one.created_at) or "",
            "thing_id": one.page_id,
            "page": f"/app/reviews/{one.page_id}/items/{one.pk}",
        }
        for one in testimonials
    ]
