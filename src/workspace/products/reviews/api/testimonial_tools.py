"""Tools that save several testimonials, and tools for deletion, statistics and export."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime, time, timedelta
from typing import Annotated, Literal

from pydantic import Field, StringConstraints
from typing_extensions import TypedDict

from workspace.accounts.models import Account
from workspace.analytics.queries import compute_statistics
from workspace.analytics.serializers import (
    DayStats,
    VisitStats,
    add_previous_counts,
    format_days,
    format_stats,
    list_day_stats,
    visit_stats,
)
from workspace.lib import clock
from workspace.lib.errors import InvalidInputError
from workspace.lib.tabular import csv_table
from workspace.lib.text import escape_markdown
from workspace.products.reviews.api.arguments import AllConsented, PageId
from workspace.products.reviews.api.serializers import TestimonialSummary, testimonial_detail, testimonial_summary
from workspace.products.reviews.api.text import format_testimonial
from workspace.products.reviews.api.tools import box
from workspace.products.reviews.domain.erasure import erase_testimonials
from workspace.products.reviews.domain.queries import get_page, pages_for, testimonials_for
from workspace.products.reviews.domain.testimonial_changes import (
    SkippedTestimonial,
    build_entries,
    save_testimonials,
    split_known_lines,
)
from workspace.products.reviews.domain.testimonial_import import parse_csv
from workspace.products.reviews.domain.wall_content import WALL_EVENT, WIDGET_EVENT, get_page_stats
from workspace.products.reviews.models import KIND, ReviewPage, Testimonial
from workspace.products.reviews.models.testimonial import SOURCE_PAGE
from workspace.products.reviews.rules.testimonial_fields import SavedTestimonial, SourceName
from workspace.publishing.export_answers import Export, export_text
from workspace.publishing.models.visit import VIEW_EVENT
from workspace.publishing.serializers import DeletedItems, get_many_or_404
from workspace.publishing.shared_item_arguments import Days, Ids, limit_days
from workspace.storage import journal
from workspace.tools.answer import Answer, format_bullets, format_fact_list
from workspace.tools.argument_types import Id

MAX_ITEMS = 200
EXPORT_COLUMNS = (
    *("written_at", "name", "byline", "email", "email_verified", "rating", "text", "excerpt", "reply", "status"),
    *("featured", "consented_at", "consent_text", "relationship", "origin", "source_name", "suspicion", "tags", "id"),
)


class SavedItems(TypedDict):
    """`items` are those that were added or changed, `added` and `removed` ids; `skipped` says of others why not."""

    page_id: str
    items: list[TestimonialSummary]
    added: list[str]
    removed: list[str]
    skipped: list[SkippedTestimonial]


@box.tool("svc_reviews_save_items", title="Add, change and moderate testimonials")
def save_items(
    account: Account,
    page_id: PageId,
    items: Annotated[
        list[SavedTestimonial],
        Field(max_length=MAX_ITEMS, description="Testimonials: with an id to change, without one to add"),
    ]
    | None = None,
    csv: Annotated[
        str,
        StringConstraints(max_length=1_000_000),
        Field(
            description="More to add: up to 500 lines of name, text, rating, date, email, byline, tags, source. A "
            "first line may name them; what the page has already, word for word, is skipped"
        ),
    ]
    | None = None,
    consented: AllConsented | None = None,
    source_name: SourceName | None = None,
    remove: Annotated[list[Id], Field(max_length=MAX_ITEMS, description="Ids of testimonials to delete")] | None = None,
) -> Answer[SavedItems]:
    """Add testimonials from elsewhere, moderate and change many, reply, tag. All in one step: what is wrong is named at
    its place (`items.3.rating`, or `csv.3.rating` for line 3) and nothing is done. What you add waits for approval, is
    shown with its source, and its rating does not count in the average. Words without their writer's consent cannot be
    approved: they are told in `skipped`."""
    if not items and not csv and not remove:
        raise InvalidInputError.at_path("items", "Give items, csv or remove")
    if csv and consented is None:
        reason = "Say whether their writers agreed to have them shown: without it they can never be approved"
        raise InvalidInputError.at_path("consented", reason)
    page = get_page(account, page_id)
    lines, known = split_known_lines(page, parse_csv(csv)) if csv else ([], [])
    entries = [*build_entries(items or [], []), *build_entries([], lines)]
    if source_name:
        for entry in entries:
            if "id" not in entry.given and not entry.given.get("source_name"):
                entry.given["source_name"] = source_name
    outcome = save_testimonials(page, entries, remove or [], consented=consented)
    saved = [testimonial_summary(testimonial) for testimonial in [*outcome.created, *outcome.changed]]
    data: SavedItems = {
        "page_id": page.pk,
        "items": saved,
        "added": [testimonial.pk for testimonial in outcome.created],
        "removed": [testimonial.pk for testimonial in outcome.removed],
        "skipped": [*outcome.skipped, *known],
    }
    return Answer(data, _format_saved(page, data, len(outcome.changed)))


def _format_saved(page: ReviewPage, data: SavedItems, changed: int) -> str:
    counts = {"added": len(data["added"]), "changed": changed, "deleted": len(data["removed"])}
    done = ", ".join(f"{count} {name}" for name, count in counts.items() if count)
    head = f"Testimonials of “{escape_markdown(page.title)}”: {done or 'nothing changed'}"
    lines = format_bullets(data["items"], format_testimonial)
    lines += [f"- deleted `{id}`" for id in data["removed"]]
    lines += [
        f"- left as it is: {escape_markdown(skipped_testimonial['message'])}"
        + (
            f" `{skipped_testimonial['id']}`"
            if skipped_testimonial["id"]
            else f": {escape_markdown(skipped_testimonial['name'])}"
        )
        for skipped_testimonial in data["skipped"]
    ]
    tail = []
    if any(item["status"] == "pending" for item in data["items"]):
        tail.append("Those pending are shown once they are approved: svc_reviews_approve, or an action here.")
    if any(item["source"] != SOURCE_PAGE and not item["consented"] for item in data["items"]):
        tail.append(
            "Those without consent cannot be approved before you say consented=true: once their writers agreed."
        )
    return "\n".join([f"{head}.", f"Page: `{page.pk}`", "", *lines, *(["", *tail] if tail else [])])


@box.tool("svc_reviews_delete", title="Delete review pages or testimonials", destructive=True)
def delete(
    account: Account,
    ids: Ids,
    erase: Annotated[
        bool,
        Field(
            description="Erase testimonials for good: at once and everywhere, with photo and e-mail address, as their "
            "writer may ask"
        ),
    ] = False,
) -> Answer[DeletedItems]:
    """Delete pages with all their testimonials, or single testimonials, by id. For 30 days svc_undo brings them back;
    the address of a page says at once that it is gone. To stop showing a page or a testimonial for a while, use `live`
    of svc_reviews_edit, or hide it: a hidden rating still counts in the average, as honest pages do."""
    items = testimonials_for(account) if not erase else Testimonial._base_manager.filter(account=account)
    missing = "There is no such page or testimonial: svc_reviews_get and svc_reviews_list show them with their ids"
    found = get_many_or_404(
        ids, missing, pages_for(account), items.select_related("page__publication", "page__account", "photo")
    )
    pages = [item for item in found if isinstance(item, ReviewPage)]
    ones = [item for item in found if isinstance(item, Testimonial)]
    if erase and pages:
        raise InvalidInputError.at_path(
            f"ids.{ids.index(pages[0].pk)}", "Only testimonials are erased: leave the page out"
        )
    if erase:
        erase_testimonials(account, ones)
    else:
        _move_to_bin(pages, ones)
    data: DeletedItems = {"deleted": [{"id": item.pk, "title": _item_title(item)} for item in found]}
    head = "Erased for good" if erase else "Deleted, and for 30 days svc_undo brings it back"
    lines = [f"- {escape_markdown(item_name['title'])} `{item_name['id']}`" for item_name in data["deleted"]]
    return Answer(data, "\n".join([f"{head}:", "", *lines]))


def _move_to_bin(pages: list[ReviewPage], ones: list[Testimonial]) -> None:
    if pages:
        ReviewPage.remove_many(pages)
    removed = {page.pk for page in pages}
    single = [
        testimonial for testimonial in ones if testimonial.page_id not in removed
    ]  # the others are deleted with their page
    if single:
        journal.set_item(KIND, single[0].page_id)
        journal.update_rows((testimonial, {"binned_at": clock.now()}) for testimonial in single)
        ReviewPage.mark_many_changed(list({testimonial.page_id: testimonial.page for testimonial in single}.values()))


def _item_title(item: ReviewPage | Testimonial) -> str:
    return item.title if isinstance(item, ReviewPage) else f"The words of {item.name}"


class ReviewDay(DayStats):
    wall_views: int
    widget_views: int
    received: int


class Stats(VisitStats):
    """The visits are those of the page that collects; of wall and widget there are counts."""

    page_id: str
    title: str
    wall_views: int
    wall_views_in_days: int
    widget_views: int
    widget_views_in_days: int
    received_in_days: int
    shown: int
    received: int
    average: float | None
    ratings: int
    stars: Annotated[list[int], Field(description="How many gave 1, 2, 3, 4 and 5 stars")]
    by_day: list[ReviewDay]


@box.tool("svc_reviews_stats", title="Figures of a review page", reads=True)
def stats(account: Account, page_id: PageId, days: Days | None = None) -> Answer[Stats]:
    """How often people saw the page, wall and widget, and how they rated. In all, in the window and by day, with what
    came in; views by device, city, country and referrer. Bots are counted apart. Days are the account's; the plan caps
    how far back."""
    page = get_page(account, page_id)
    history = account.limits(KIND).history_days
    days = limit_days(days, history)
    views, wall, widget = (
        compute_statistics(page.publication_id, event, days=days, zone=account.zone)
        for event in (VIEW_EVENT, WALL_EVENT, WIDGET_EVENT)
    )
    figures, came = get_page_stats(page), _count_by_day(account, page, 2 * days)
    received = sum(came[day["date"]] for day in list_day_stats(views))
    earlier = {"wall_views": wall.before, "widget_views": widget.before, "received": came.total() - received}
    data: Stats = {
        **add_previous_counts(visit_stats(views, account), history, views=views.before, **earlier),
        "page_id": page.pk,
        "title": page.title,
        "wall_views": wall.total,
        "wall_views_in_days": wall.total_in_window,
        "widget_views": widget.total,
        "widget_views_in_days": widget.total_in_window,
        "received_in_days": received,
        "shown": figures.shown_count,
        "received": figures.received_count,
        "average": figures.average,
        "ratings": figures.rating_count,
        "stars": [figures.count_by_rating[rating] for rating in range(1, 6)],
        "by_day": [
            {**day, "wall_views": walls.count, "widget_views": frames.count, "received": came[day["date"]]}
            for day, walls, frames in zip(list_day_stats(views), wall.by_day, widget.by_day, strict=True)
        ],
    }
    pairs = {
        "page": f"`{page.pk}`",
        **{
            f"views of the page {name}" if name.startswith("in ") else name: value
            for name, value in format_stats(data).items()
        },
        "views of the wall": f"{wall.total}, {wall.total_in_window} in the last {days} days",
        "views of the widget": f"{widget.total}, {widget.total_in_window} in the last {days} days",
        f"testimonials in the last {days} days": data["received_in_days"],
        "shown": f"{figures.shown_count} of {figures.received_count}",
        "average": f"{figures.average} of 5 from {figures.rating_count} ratings"
        if figures.rating_count
        else "no rating yet",
        "stars": ", ".join(f"{count} gave {rating}" for rating, count in enumerate(data["stars"], 1)),
    }
    text = format_fact_list(f"Figures of “{escape_markdown(page.title)}”", pairs)
    return Answer(data, "\n".join([text, *format_days(data["by_day"])]))


def _count_by_day(account: Account, page: ReviewPage, days: int) -> Counter[str]:
    """Return the number of submissions by day in the account's time zone, as ISO dates."""
    first = clock.now().astimezone(account.zone).date() - timedelta(days=days - 1)
    since = datetime.combine(first, time.min, account.zone).astimezone(UTC)
    left = page.testimonials.filter(source=SOURCE_PAGE, created_at__gte=since).order_by()
    moments = left.values_list("created_at", flat=True)
    return Counter(at.astimezone(account.zone).date().isoformat() for at in moments.iterator())


@box.tool("svc_reviews_export", title="Export testimonials", reads=True)
def export(
    account: Account,
    page_id: PageId,
    kind: Annotated[Literal["items"], Field(description="What to export: the page's testimonials")] = "items",
) -> Answer[Export]:
    """Every testimonial of a page as a CSV file, oldest first, with consent and source: yours to take along. A cell
    that a spreadsheet would run as a formula begins with an apostrophe."""
    page = get_page(account, page_id)
    testimonials = [
        testimonial_detail(testimonial) for testimonial in testimonials_for(account).filter(page=page).order_by("id")
    ]
    rows = [
        {**testimonial, "tags": ", ".join(testimonial["tags"]), "origin": testimonial["source"]}
        for testimonial in testimonials
    ]
    csv = csv_table.write(EXPORT_COLUMNS, [[item[name] for name in EXPORT_COLUMNS] for item in rows])
    name = f"testimonials-{page.slug}.csv"
    return export_text("reviews", "testimonial", name, csv, rows=len(testimonials), kind=kind, page_id=page.pk)
