"""Importing testimonials from a CSV file. Every error is reported with its line and column."""

from __future__ import annotations

from datetime import date
from typing import Any, cast

from pydantic import BaseModel, ConfigDict, ValidationError

from workspace.lib.errors import InvalidInputError, Issue
from workspace.lib.tabular import csv_table
from workspace.products.reviews import messages
from workspace.products.reviews.rules.testimonial_fields import (
    Byline,
    Email,
    Excerpt,
    Name,
    Rating,
    Relationship,
    Reply,
    SavedTestimonial,
    SourceName,
    Tags,
    Text,
    WrittenOn,
)

MAX_ROWS = 500
# Possible headings.
COLUMN_HEADINGS = {
    **dict.fromkeys(("name", "author", "reviewer", "customer", "guest"), "name"),
    **dict.fromkeys(("text", "review", "testimonial", "comment", "words", "body"), "text"),
    **dict.fromkeys(("rating", "stars", "score"), "rating"),
    **dict.fromkeys(("date", "written_on", "written", "day", "written_at"), "written_on"),
    **dict.fromkeys(("email", "e-mail", "mail"), "email"),
    **dict.fromkeys(("byline", "title", "company", "town", "city"), "byline"),
    **dict.fromkeys(("tags", "tag", "labels"), "tags"),
    **dict.fromkeys(("source", "platform", "source_name"), "source_name"),
    **{name: name for name in ("relationship", "excerpt", "reply")},
    # other columns of svc_reviews_export: imported testimonials are pending, whatever their status was
    **dict.fromkeys(("origin", "status", "featured", "suspicion", "email_verified", "id"), ""),
    **dict.fromkeys(("consented_at", "consent_text"), ""),
}
COLUMN_ORDER = ("name", "text", "rating", "written_on", "email", "byline", "tags", "source_name")
_ERROR_MESSAGES = {
    "missing": messages.REQUIRED,
    "int_parsing": messages.RATING_INVALID,
    "greater_than_equal": messages.RATING_INVALID,
    "less_than_equal": messages.RATING_INVALID,
    "string_too_short": messages.EMPTY_VALUE,
    "string_too_long": messages.VALUE_TOO_LONG,
}


class ImportLine(BaseModel):
    """A line of the file."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: Name
    text: Text
    rating: Rating | None = None
    written_on: WrittenOn | None = None
    email: Email = ""
    byline: Byline = ""
    tags: Tags = []
    source_name: SourceName = ""
    relationship: Relationship = "customer"
    excerpt: Excerpt = ""
    reply: Reply = ""


def parse_csv(text: str) -> list[tuple[int, SavedTestimonial]]:
    """Return all lines with their numbers as shown in a spreadsheet.

    Raise InvalidInputError with the path of each invalid cell: `csv.3.rating`.
    """
    table = csv_table.parse_csv(text, COLUMN_HEADINGS, order=COLUMN_ORDER, max_rows=MAX_ROWS)
    lines: list[tuple[int, SavedTestimonial]] = []
    issues: list[Issue] = []
    for row in table.rows:
        try:
            data = ImportLine.model_validate(_parse_cells(row.cells)).model_dump(exclude_unset=True)
            lines.append((row.number, cast(SavedTestimonial, data)))
        except ValidationError as error:
            issues += [_build_issue(row.number, detail) for detail in error.errors()]
    if issues:
        raise InvalidInputError(issues[:50])
    if not lines:
        raise InvalidInputError.at_path("csv", messages.LIST_EMPTY)
    return lines


def _parse_cells(cells: dict[str, str]) -> dict[str, Any]:
    result: dict[str, Any] = dict(cells)
    if "tags" in result:
        result["tags"] = [result["tags"].replace(";", ",")]
    if "written_on" in result:
        result["written_on"] = _strip_time(result["written_on"])
    return result


def _strip_time(text: str) -> str | date:
    """Return the date of an ISO 8601 time. Return other text unchanged, to be validated later."""
    return text[:10] if len(text) > 10 and text[10] in "T " else text


def _build_issue(number: int, detail: Any) -> Issue:
    path = ".".join(["csv", str(number), *(str(part) for part in detail["loc"][:1])])
    if detail["type"] == "value_error":
        return Issue(path, str(detail["ctx"]["error"]))
    return Issue(path, _ERROR_MESSAGES.get(detail["type"], messages.VALUE_INVALID))
