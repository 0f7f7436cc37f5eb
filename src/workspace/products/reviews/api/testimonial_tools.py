"""Tools that save several testimonials, and delete pages and testimonials."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StringConstraints
from typing_extensions import TypedDict

from workspace.accounts.models import Account
from workspace.lib import clock
from workspace.lib.errors import InvalidInputError
from workspace.lib.text import escape_markdown
from workspace.products.reviews.api.arguments import AllConsented, PageId
from workspace.products.reviews.api.serializers import TestimonialSummary, testimonial_summary
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
from workspace.products.reviews.models import KIND, ReviewPage, Testimonial
from workspace.products.reviews.models.testimonial import SOURCE_PAGE
from workspace.products.reviews.rules.testimonial_fields import SavedTestimonial, SourceName
from workspace.publishing.serializers import DeletedItems, get_many_or_404
from workspace.publishing.shared_item_arguments import Ids
from workspace.storage import journal
from workspace.tools.answer import Answer, format_bullets
from workspace.tools.argument_types import Id

MAX_ITEMS = 200


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


def _move_to_bin(pages: list[ReviewPage], testimonials: list[Testimonial]) -> None:
    if pages:
        ReviewPage.remove_many(pages)
    removed = {page.pk for page in pages}
    single = [
        testimonial for testimonial in testimonials if testimonial.page_id not in removed
    ]  # the others are deleted with their page
    if single:
        journal.set_item(KIND, single[0].page_id)
        journal.update_rows((testimonial, {"binned_at": clock.now()}) for testimonial in single)
        ReviewPage.mark_many_changed(list({testimonial.page_id: testimonial.page for testimonial in single}.values()))


def _item_title(item: ReviewPage | Testimonial) -> str:
    return item.title if isinstance(item, ReviewPage) else f"The words of {item.name}"
