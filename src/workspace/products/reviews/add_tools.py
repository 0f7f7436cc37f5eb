"""Testimonials that the owner brings along, and taking all of them away as a file."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime, time
from typing import Annotated

from pydantic import Field, StringConstraints
from typing_extensions import TypedDict

from workspace.accounts.models import Account, Upload
from workspace.products.reviews.arguments import (
    Byline,
    Email,
    Name,
    PageId,
    Rating,
    Relationship,
    SourceName,
    Tags,
    Text,
    WrittenOn,
    tags_text,
)
from workspace.products.reviews.importing import Line, parse
from workspace.products.reviews.models import ReviewPage, Testimonial
from workspace.products.reviews.models.testimonial import IMPORT, MANUAL, VOUCHED, searchable
from workspace.products.reviews.rows import (
    TestimonialRow,
    TestimonialWhole,
    one_line,
    page_of,
    row,
    testimonials_of,
    whole,
)
from workspace.products.reviews.tools import tools
from workspace.toolkit import clock, table
from workspace.toolkit.answer import Answer, bullets
from workspace.toolkit.text import escape_markdown

COLUMNS = (
    *("written_at", "name", "byline", "email", "email_verified", "rating", "text", "excerpt", "reply", "status"),
    *("featured", "consented_at", "consent_text", "relationship", "source", "source_name", "suspicion", "tags", "id"),
)
Consented = Annotated[
    bool, Field(description="You vouch that the writers agreed to have their words shown; without it only you see them")
]


@tools.tool("svc_reviews_add", title="Add a testimonial by hand")
def add(
    account: Account,
    page_id: PageId,
    name: Name,
    text: Text,
    rating: Rating | None = None,
    source_name: SourceName | None = None,
    written_on: WrittenOn | None = None,
    byline: Byline | None = None,
    email: Email | None = None,
    relationship: Relationship = "customer",
    consented: Consented = False,
    tags: Tags | None = None,
    photo_id: Annotated[str, Field(max_length=64, description="An upload_id of the writer's photo")] | None = None,
) -> Answer[TestimonialWhole]:
    """Add what somebody wrote or said elsewhere: a letter, a guest book, another site. It starts as pending, is shown
    with its source, and its rating does not count in the average, which is your page's guests' own."""
    page = page_of(account, page_id)
    found = _made(
        page, Line(name=name, text=text, rating=rating, written_on=written_on), MANUAL, source_name or "", consented
    )
    found.byline, found.email, found.relationship = byline or "", email or "", relationship
    found.tags = tags_text(tags or [])
    found.search = searchable(found)
    if photo_id:
        found.photo = Upload.claim(account, photo_id, "photo_id")
    found.save(force_insert=True)
    page.tell()
    return Answer(whole(found), f"Added what {escape_markdown(name)} wrote: it waits for your approval. `{found.pk}`")


class Imported(TypedDict):
    page_id: str
    imported: int
    skipped: int
    dry_run: bool
    items: list[TestimonialRow]


@tools.tool("svc_reviews_import", title="Import testimonials from CSV")
def import_csv(
    account: Account,
    page_id: PageId,
    csv: Annotated[
        str,
        StringConstraints(max_length=1_000_000),
        Field(description="Lines of name, text, rating, date, email, byline, tags, source; a first line may name them"),
    ],
    source_name: SourceName | None = None,
    consented: Consented = False,
    dry_run: Annotated[bool, Field(description="Look through the lines and add nothing")] = False,
) -> Answer[Imported]:
    """Add up to 500 testimonials as pending, marked as imported with their source. One wrong line refuses them all,
    named as `csv.3.rating`: line 3, as a spreadsheet counts. What the page has already, word for word, is skipped, so a
    file can be sent twice."""
    page = page_of(account, page_id)
    parsed = parse(csv)
    present = set(page.testimonials.values_list("name", "text"))
    lines: list[Line] = []
    for line in parsed:
        if (line.name, line.text) not in present:
            present.add((line.name, line.text))
            lines.append(line)
    made = [_made(page, line, IMPORT, line.source_name or source_name or "", consented) for line in lines]
    if made and not dry_run:
        Testimonial.objects.bulk_create(made)
        page.tell()
    rows = [row(one) for one in made]
    skipped = len(parsed) - len(made)
    head = f"{'Would import' if dry_run else 'Imported'} {len(made)} testimonials" + (
        f", skipped {skipped} that are there already." if skipped else "."
    )
    data: Imported = {
        "page_id": page.pk,
        "imported": len(made),
        "skipped": skipped,
        "dry_run": dry_run,
        "items": rows,
    }
    return Answer(data, "\n".join([head, "", *bullets(rows[:20], one_line)]))


class Export(TypedDict):
    page_id: str
    file_name: str
    rows: int
    csv: str


@tools.tool("svc_reviews_export", title="Export testimonials as CSV", reads=True)
def export_csv(account: Account, page_id: PageId) -> Answer[Export]:
    """Every testimonial of a page as CSV text, oldest first, with consent and source: yours to take along."""
    page = page_of(account, page_id)
    found: Sequence[Testimonial] = list(testimonials_of(account).filter(page=page).order_by("id"))
    told = [{**whole(one), "tags": ", ".join(one.tag_list)} for one in found]
    data: Export = {
        "page_id": page.pk,
        "file_name": f"testimonials-{page.slug}.csv",
        "rows": len(found),
        "csv": table.write(COLUMNS, [[one[name] for name in COLUMNS] for one in told]),
    }
    return Answer(data, f"{len(found)} testimonials of “{escape_markdown(page.title)}” as CSV in `csv`.")


def _made(page: ReviewPage, line: Line, source: str, source_name: str, consented: bool) -> Testimonial:
    made = Testimonial(
        account=page.account,
        page=page,
        source=source,
        source_name=source_name,
        name=line.name,
        text=line.text,
        rating=line.rating,
        byline=line.byline,
        email=line.email,
        tags=tags_text(line.tags),
        written_at=_moment(page, line.written_on),
        consented_at=clock.now() if consented else None,
        consent_text=VOUCHED if consented else "",
    )
    made.search = searchable(made)
    return made


def _moment(page: ReviewPage, day: date | None) -> datetime:
    """Noon of the day in the account's zone, so that the day stays the same in most others."""
    return datetime.combine(day, time(12), page.account.zone).astimezone(UTC) if day else clock.now()
