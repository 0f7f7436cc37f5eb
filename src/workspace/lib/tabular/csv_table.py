"""Tables: CSV in any format that a spreadsheet writes, and CSV output that no spreadsheet runs as formulas.

    COLUMNS = {"name": "name", "label": "name", "url": "target_url"}  # possible headings, and their columns
    for row in csv_table.parse_csv(content, COLUMNS, order=("name", "target_url"), max_rows=1000).rows:
        row.number, row.cells["name"]

Nothing is guessed. Lines with too many cells, unknown columns and duplicate columns are all reported by name, at the
same time.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TextIO

from workspace.lib import error_messages
from workspace.lib.errors import InvalidInputError, Issue
from workspace.lib.tabular.csv_lines import (
    FORMULA,
    USUAL_DELIMITERS,
    WHITESPACE,
    read_lines,
    read_text,
    scan_first_line,
)

MAX_ISSUES = 50
_HEADING_CHARACTERS = 5_000  # of the first line that are searched for the delimiter
_DELIMITER_NAMES = {"\t": "a tab", ";": "a semicolon", ",": "a comma", "|": "a bar"}
_DELIMITER_DECLARATION = re.compile(r'\s*"?sep=(.)"?\s*', re.IGNORECASE)
_FORMULA_TEXT = re.compile(f"'*{FORMULA.pattern}")
# a phone number with a country code: digits execute nothing, and other programs could not dial an apostrophe
_PHONE = re.compile(r"\+[0-9](?: ?[0-9]){2,}")


@dataclass(frozen=True, slots=True)
class CsvRow:
    """A row of a table.

    `number` is the line number in a spreadsheet, which counts the heading and empty lines. `cells` contains the
    cells that are not empty, by column."""

    number: int
    cells: dict[str, str]


@dataclass(frozen=True, slots=True)
class CsvTable:
    """A table.

    `columns` are those in the heading, or those in the order if there is no heading. `note` explains how the text was
    decoded, or is empty.
    """

    columns: tuple[str, ...]
    rows: list[CsvRow]
    note: str


def parse_csv(
    source: bytes | str,
    known_names: Mapping[str, str],
    *,
    order: Sequence[str],
    max_rows: int,
    path: str = "csv",
) -> CsvTable:
    """Parse CSV text of at most 1,000,000 characters and `max_rows` lines.

    `known_names` maps possible headings to columns, ignoring case, spaces, hyphens and underscores. An empty column is
    ignored silently. `order` lists the columns if there is no heading. Raise InvalidInputError at `path` if it is not a
    table, and at `PATH.LINE` for each invalid line.
    """
    text, note = read_text(source, path)
    mark, text = _detect_delimiter(text, _normalize_names(known_names), path)
    lines = read_lines(text, mark, path)
    first = next(lines, None)
    if first is None:
        return CsvTable(tuple(order), [], note)
    shape = _parse_heading(first[1], mark, known_names, order, path)
    found: list[CsvRow] = []
    issues: list[Issue] = []
    for count, (number, cells) in enumerate(lines if shape.has_heading else chain([first], lines)):
        if count >= max_rows:
            raise InvalidInputError.at_path(path, error_messages.TOO_MANY_LINES(most=f"{max_rows:,}"))
        if (problem := shape.find_problem(number, cells)) is None:
            pairs = zip(shape.columns, cells, strict=False)
            found.append(CsvRow(number, {column: cell for column, cell in pairs if cell and column}))
        elif len(issues) < MAX_ISSUES:
            issues.append(Issue(f"{path}.{number}", problem))
    if issues:
        raise InvalidInputError(issues)
    return CsvTable(tuple(filter(None, shape.columns)), found, note)


def write(heading: Sequence[str], rows: Iterable[Iterable[object]]) -> str:
    """Return CSV as defined in RFC 4180.

    Text that a spreadsheet would execute as a formula gets an apostrophe, which `parse_csv` removes again. Phone
    numbers of digits and spaces (`+49 30 123456`) are unchanged. Numbers stay numbers, true and false become yes and
    no, and None becomes an empty cell.
    """
    out = io.StringIO()
    write_to(out, heading, rows)
    return out.getvalue()


def write_to(out: TextIO, heading: Sequence[str], rows: Iterable[Iterable[object]]) -> None:
    """Write CSV as `write` does, row by row, into a text file opened with `newline=""`."""
    writer = csv.writer(out)
    writer.writerow(map(_format_cell, heading))
    writer.writerows([_format_cell(value) for value in row] for row in rows)


def escape_formula(text: str) -> str:
    """Add an apostrophe to the text if a spreadsheet would execute it as a formula."""
    return f"'{text}" if _FORMULA_TEXT.match(text) and not _PHONE.fullmatch(text) else text


def _format_cell(value: object) -> object:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return escape_formula(value) if isinstance(value, str) else value


def _detect_delimiter(text: str, names: Mapping[str, str], path: str) -> tuple[str, str]:
    """Return the delimiter, and the text without the line that declares it."""
    begin = text.lstrip()
    line = re.match(r"[^\r\n]*", begin)[0]  # type: ignore[index]
    if declared := _DELIMITER_DECLARATION.fullmatch(line):
        if declared[1] not in _DELIMITER_NAMES:
            raise InvalidInputError.at_path(path, "The first line has an invalid separator. Use sep=; or sep=,")
        return declared[1], begin[len(line) :].removeprefix("\r").removeprefix("\n")
    first, counts = scan_first_line(begin[:_HEADING_CHARACTERS])

    def likely(mark: str) -> tuple[int, int]:
        return sum(_normalize_name(cell.strip('"')) in names for cell in first.split(mark)), counts[mark]

    best = max(USUAL_DELIMITERS, key=likely)
    return (best if counts[best] else ","), text


@dataclass(frozen=True, slots=True)
class _TableShape:
    """The expected shape of a line. `width` counts the empty cells that spreadsheets append to every line, too."""

    columns: list[str]
    width: int
    has_heading: bool
    mark: str

    def find_problem(self, number: int, cells: Sequence[str]) -> str | None:
        """Return a description of the problem with the number of cells in a line, or None."""
        count = len(self.columns)
        if len(cells) <= self.width and not any(cells[count:]):
            return None
        has = f"Line {number} has {len(cells):,} cells"
        quotes = f"put cells that contain {_DELIMITER_NAMES[self.mark]} in quotation marks"
        if self.has_heading:
            return f"{has}, but the header row has {count}: {quotes}"
        named = ", ".join(self.columns)
        return f"{has}, but a list without a heading has {count} ({named}): {quotes}, or add a heading"


def _parse_heading(
    cells: list[str], mark: str, known_names: Mapping[str, str], order: Sequence[str], path: str
) -> _TableShape:
    """Return the shape that the first line defines.

    Raise InvalidInputError for a heading with an unknown, unnamed or duplicate column."""
    names = _normalize_names(known_names)
    found = [names.get(_normalize_name(cell)) for cell in cells]
    named, filled = len(found) - found.count(None), sum(map(bool, cells))
    if not (named > 1 or 2 * named >= filled):  # a person called Guest does not make a line a heading
        return _TableShape(list(order), len(order), False, mark)
    width = len(cells)
    while not cells[-1]:
        cells = cells[:-1]
    issues: list[Issue] = []
    for place, (cell, column) in enumerate(zip(cells, found, strict=False)):
        if not cell:
            issues.append(Issue(path, f"Column {place + 1} has no heading"))
        elif column is None:
            message = f"“{shorten_text(cell)}” is not a known column. Use {_format_known_names(known_names)}"
            issues.append(Issue(path, f"{message}; if this row has data, add a heading above it"))
        elif column and column in found[:place]:
            other = cells[found.index(column)]
            issues.append(
                Issue(path, f"The columns “{shorten_text(other)}” and “{shorten_text(cell)}” are the same. Keep one.")
            )
    if issues:
        raise InvalidInputError(issues[:MAX_ISSUES])
    return _TableShape([column or "" for column in found[: len(cells)]], width, True, mark)


def _normalize_name(name: str) -> str:
    return re.sub(r"[\s_-]+", "", name.strip(WHITESPACE)).casefold()


def _normalize_names(known_names: Mapping[str, str]) -> dict[str, str]:
    return {_normalize_name(name): column for name, column in known_names.items()}


def _format_known_names(known_names: Mapping[str, str]) -> str:
    """Return one name for each column, the first of its possible headings."""
    names: dict[str, str] = {}
    for name, column in known_names.items():
        if column:
            names.setdefault(column, name)
    return ", ".join(names.values())


def shorten_text(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:39]}…"
