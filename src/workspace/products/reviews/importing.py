"""Testimonials from a CSV file: read line by line, with every problem named at its line and column."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from workspace.products.reviews.arguments import Byline, Email, Name, Rating, SourceName, Tags, Text, WrittenOn
from workspace.toolkit.errors import InvalidInput, Issue

MOST_ROWS = 500
# What the first line may call them.
COLUMNS = {
    **dict.fromkeys(("name", "author", "reviewer", "customer", "guest"), "name"),
    **dict.fromkeys(("text", "review", "testimonial", "comment", "words", "body"), "text"),
    **dict.fromkeys(("rating", "stars", "score"), "rating"),
    **dict.fromkeys(("date", "written_on", "written", "day"), "written_on"),
    **dict.fromkeys(("email", "e-mail", "mail"), "email"),
    **dict.fromkeys(("byline", "title", "company", "town", "city"), "byline"),
    **dict.fromkeys(("tags", "tag", "labels"), "tags"),
    **dict.fromkeys(("source", "platform"), "source_name"),
}
ORDER = ("name", "text", "rating", "written_on", "email", "byline", "tags", "source_name")
_MESSAGES = {
    "missing": "Required",
    "int_parsing": "A whole number from 1 to 5",
    "greater_than_equal": "A whole number from 1 to 5",
    "less_than_equal": "A whole number from 1 to 5",
    "string_too_short": "Must not be empty",
    "string_too_long": "This is too long",
}


class Line(BaseModel):
    """One line of the file."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: Name
    text: Text
    rating: Rating | None = None
    written_on: WrittenOn | None = None
    email: Email = ""
    byline: Byline = ""
    tags: Tags = []
    source_name: SourceName | None = None


@dataclass(frozen=True, slots=True)
class Parsed:
    number: int  # of the line, from 1, the heading left out
    line: Line


def parse(text: str) -> list[Parsed]:
    """Every line of the file. Raises InvalidInput that names each wrong cell as `csv.3.rating`, the third line's."""
    parsed: list[Parsed] = []
    issues: list[Issue] = []
    for number, cells in enumerate(_cells(text), start=1):
        if number > MOST_ROWS:
            raise InvalidInput.at("csv", f"At most {MOST_ROWS} testimonials at once: split the file")
        try:
            parsed.append(Parsed(number, Line.model_validate(cells)))
        except ValidationError as error:
            issues += [_issue(number, detail) for detail in error.errors()]
    if issues:
        raise InvalidInput(issues[:50])
    if not parsed:
        raise InvalidInput.at("csv", "There is no testimonial in it: one line each, with a name and the words")
    return parsed


def _cells(text: str) -> Iterator[dict[str, Any]]:
    text = text.replace("\r\n", "\n").replace("\r", "\n").lstrip("\ufeff\n")
    columns: tuple[str, ...] = ORDER
    lines = csv.reader(io.StringIO(text), delimiter=_delimiter(text))
    try:
        for number, line in enumerate(lines):
            cells = [cell.strip() for cell in line]
            if not any(cells):
                continue
            known = [COLUMNS.get(cell.lower(), "") for cell in cells]
            if number == 0 and {"name", "text"} <= set(known):
                columns = tuple(known)
                continue
            found: dict[str, Any] = {name: cell for name, cell in zip(columns, cells, strict=False) if name and cell}
            if "tags" in found:
                found["tags"] = [found["tags"].replace(";", ",")]
            if "written_on" in found:
                found["written_on"] = _day(found["written_on"])
            yield found
    except csv.Error:
        raise InvalidInput.at("csv", "This is not a CSV file: export it from your spreadsheet as CSV") from None


def _day(text: str) -> str | date:
    """The date of a time in ISO 8601; other texts are left for the type to refuse."""
    return text[:10] if len(text) > 10 and text[10] in "T " else text


def _delimiter(text: str) -> str:
    """Spreadsheets write semicolons where the comma is the decimal sign, and tabs when cells are copied."""
    first = text.partition("\n")[0]
    return max(",;\t", key=lambda mark: (first.count(mark), -",;\t".index(mark)))


def _issue(number: int, detail: Any) -> Issue:
    path = ".".join(["csv", str(number), *(str(part) for part in detail["loc"][:1])])
    if detail["type"] == "value_error":
        message = str(detail["ctx"]["error"])
    else:
        message = _MESSAGES.get(detail["type"], "This cannot be read")
    return Issue(path, message)
