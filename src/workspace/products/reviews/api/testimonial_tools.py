"""Tools that save several testimonials, and delete pages and testimonials."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StringConstraints
from typing_extensions import TypedDict

from workspace.accounts.models import Account
from workspace.lib import clock
from workspace.lib.errors import InvalidInputError
from workspace.lib.text import escape_markdown
from workspace.products.reviews import messages
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
    """The result of saving testimonials.

    `items` are those that were added or changed. `added` and `removed` are ids. `skipped` says why others were not
    saved.
    """

    page_id: str
    items: list[TestimonialSummary]
    added: list[str]
    removed: list[str]
    skipped: list[SkippedTestimonial]


@box.tool(
    "svc_reviews_save_items",
    title="Import, moderate and reply to reviews",
    about="Import reviews (from Google or CSV), and moderate, reply to or tag several at once. One invalid entry "
    "rejects all; the error names it (items.3.rating). Imported reviews await approval, show their source and don't "
    "affect the average. Those without consent are listed in skipped.",
    short="Import reviews, and moderate, reply to or tag several.",
    synonyms="respond, answer review, google reviews, tripadvisor, yelp, trustpilot, bulk approve, response, "
    "tag, antworten, bewertung beantworten, bewertungen importieren, responder reseña, contestar, "
    "importar reseñas, thank reviewer, public reply, comment on review, danken, agradecer",
)
def save_items(
    account: Account,
    page_id: PageId,
    items: Annotated[
        list[SavedTestimonial],
        Field(max_length=MAX_ITEMS, description="Testimonials to add (without id) or update (with id)."),
    ]
    | None = None,
    csv: Annotated[
        str,
        StringConstraints(max_length=1_000_000),
        Field(
            description=(
                "Testimonials to import as CSV, up to 500 lines. Columns: name, text, rating, date, email, byline, "
                "tags, source; a header line can name them. Exact duplicates are skipped."
            )
        ),
    ]
    | None = None,
    consented: AllConsented | None = None,
    source_name: SourceName | None = None,
    remove: Annotated[list[Id], Field(max_length=MAX_ITEMS, description="IDs of testimonials to delete.")]
    | None = None,
) -> Answer[SavedItems]:
    if not items and not csv and not remove:
        raise InvalidInputError.at_path("items", messages.NOTHING_TO_SAVE)
    if csv and consented is None:
        raise InvalidInputError.at_path("consented", messages.CONSENT_UNKNOWN)
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
    head = f"Testimonials of “{escape_markdown(page.title)}”: {done or 'no changes'}"
    lines = format_bullets(data["items"], format_testimonial)
    lines += [f"- deleted `{id}`" for id in data["removed"]]
    lines += [
        f"- skipped: {escape_markdown(skipped_testimonial['message'])}"
        + (
            f" `{skipped_testimonial['id']}`"
            if skipped_testimonial["id"]
            else f": {escape_markdown(skipped_testimonial['name'])}"
        )
        for skipped_testimonial in data["skipped"]
    ]
    tail = []
    if any(item["status"] == "pending" for item in data["items"]):
        tail.append("Approve pending testimonials with svc_reviews_approve, or with action here.")
    if any(item["source"] != SOURCE_PAGE and not item["consented"] for item in data["items"]):
        tail.append("Testimonials without consent can't be approved. When the authors agree, set consented=true.")
    return "\n".join([f"{head}.", f"Page: `{page.pk}`", "", *lines, *(["", *tail] if tail else [])])


@box.tool(
    "svc_reviews_delete",
    title="Delete review pages or testimonials",
    about="Delete review pages with all their testimonials, or single testimonials. To restore within 30 days, use "
    "svc_undo (not possible with erase=true). To pause a page, use svc_reviews_edit with live=false. To hide a "
    "testimonial but keep its rating in the average, use svc_reviews_approve.",
    short="Delete review pages or testimonials. Restorable for 30 days.",
    synonyms="remove review, erase, gdpr erasure, löschen, bewertung entfernen, eliminar reseña, borrar",
    destructive=True,
)
def delete(
    account: Account,
    ids: Ids,
    erase: Annotated[
        bool,
        Field(
            description=(
                "Whether to erase testimonials permanently. Privacy laws may require this. Photos and email "
                "addresses are erased too. Cannot be undone. Defaults to false."
            )
        ),
    ] = False,
) -> Answer[DeletedItems]:
    items = testimonials_for(account) if not erase else Testimonial._base_manager.filter(account=account)
    found = get_many_or_404(
        ids,
        messages.PAGE_OR_TESTIMONIAL_NOT_FOUND,
        pages_for(account),
        items.select_related("page__publication", "page__account", "photo"),
    )
    pages = [item for item in found if isinstance(item, ReviewPage)]
    ones = [item for item in found if isinstance(item, Testimonial)]
    if erase and pages:
        raise InvalidInputError.at_path(f"ids.{ids.index(pages[0].pk)}", messages.PAGE_CANNOT_BE_ERASED)
    if erase:
        erase_testimonials(account, ones)
    else:
        _move_to_bin(pages, ones)
    data: DeletedItems = {"deleted": [{"id": item.pk, "title": _item_title(item)} for item in found]}
    head = "Erased permanently" if erase else "Deleted. Restorable for 30 days with svc_undo"
    lines = [f"- {escape_markdown(item_name['title'])} `{item_name['id']}`" for item_name in data["deleted"]]
    return Answer(data, "\n".join([f"{head}:", "", *lines]))


def _move_to_bin(pages: list[ReviewPage], testimonials: list[Testimonial]) -> None:
    if pages:
        ReviewPage.remove_many(pages)
    removed = {page.pk for page in pages}
    single = [
        testimonial for testimonial in testimonials if testimonial.page_id not in removed
    ]  # the other testimonials are deleted with their page
    if single:
        journal.set_item(KIND, single[0].page_id)
        journal.update_rows((testimonial, {"binned_at": clock.now()}) for testimonial in single)
        ReviewPage.mark_many_changed(list({testimonial.page_id: testimonial.page for testimonial in single}.values()))


def _item_title(item: ReviewPage | Testimonial) -> str:
    return item.title if isinstance(item, ReviewPage) else f"Testimonial by {item.name}"
