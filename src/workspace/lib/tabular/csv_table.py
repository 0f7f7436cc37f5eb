"""Tables as people send and take them: CSV in whatever a spreadsheet writes, CSV out that no spreadsheet runs.

    COLUMNS = {"name": "name", "label": "name", "url": "target_url"}  # what a heading may call them, and what they are
    for row in table.read(content, COLUMNS, order=("name", "target_url"), most=1000).rows:
        row.number, row.cells["name"]

Nothing is guessed away: a line with more cells than there are columns, a column that nobody knows, a column given
twice, each is refused by name, all of them at once. Where columns more do no harm (an export holds some that only
tell), `lenient` leaves out what nobody knows and says so in the note.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import TextIO

from workspace.lib.errors import InvalidInput, Issue
from workspace.lib.tabular.csv_lines import FORMULA, STRIPPED, USUAL, first_line, read_lines, read_text

MAX_ISSUES = 50
_HEADING = 5_000  # characters of the first line that are looked at to tell what stands between cells
_MARKS = {"\t": "a tab", ";": "a semicolon", ",": "a comma", "|": "a bar"}
_DECLARED = re.compile(r'\s*"?sep=(.)"?\s*', re.IGNORECASE)
_ARMED = re.compile(f"'*{FORMULA.pattern}")
# a telephone number with its country code: digits alone run nothing, and other programs could not dial an apostrophe
_PHONE = re.compile(r"\+[0-9](?: ?[0-9]){2,}")


@dataclass(frozen=True, slots=True)
class Row:
    """`number`: as a spreadsheet counts, the heading included and empty ones too. `cells`: by column, those that are
    not empty."""

    number: int
    cells: dict[str, str]


@dataclass(frozen=True, slots=True)
class Table:
    """`columns`: those of the heading, or of the order where there was none. `note`: what people should know about how
    it was read, or empty."""

    columns: tuple[str, ...]
    rows: list[Row]
    note: str


def read(
    source: bytes | str,
    known: Mapping[str, str],
    *,
    order: Sequence[str],
    most: int,
    path: str = "csv",
    lenient: bool = False,
) -> Table:
    """The lines of a CSV text of at most 1,000,000 characters and `most` lines. `known`: column by what a heading may
    call it, whatever its case, spaces, hyphens and underscores, an empty one for what is left out without a word;
    `order`: the columns of a text without a heading. Raises InvalidInput at `path` for what is no table, and at
    `PATH.LINE` for each line that is wrong."""
    text, note = read_text(source, path)
    mark, text = _mark(text, _names(known), path)
    lines = read_lines(text, mark, path)
    first = next(lines, None)
    if first is None:
        return Table(tuple(order), [], note)
    shape = _shape(first[1], mark, known, order, path, lenient)
    found: list[Row] = []
    issues: list[Issue] = []
    for count, (number, cells) in enumerate(lines if shape.headed else chain([first], lines)):
        if count >= most:
            raise InvalidInput.at(path, f"At most {most:,} lines at once: split the list, please")
        if (problem := shape.problem(number, cells)) is None:
            pairs = zip(shape.columns, cells, strict=False)
            found.append(Row(number, {column: cell for column, cell in pairs if cell and column}))
        elif len(issues) < MAX_ISSUES:
            issues.append(Issue(f"{path}.{number}", problem))
    if issues:
        raise InvalidInput(issues)
    return Table(tuple(filter(None, shape.columns)), found, " ".join(filter(None, [note, shape.note])))


def grid(source: bytes | str, known: Mapping[str, str], *, most: int, path: str = "csv") -> list[tuple[int, list[str]]]:
    """Each line that holds something, with its number, as cells. Of `known` and what it raises see `read`."""
    mark, text = _mark(read_text(source, path)[0], _names(known), path)
    if len(found := list(islice(read_lines(text, mark, path), most + 1))) > most:
        raise InvalidInput.at(path, f"At most {most:,} lines at once: split the list, please")
    return found


def is_headed(source: str, known: Mapping[str, str]) -> bool:
    """Whether the first line of a text names at least two columns that are known."""
    mark, text = _mark(source.lstrip("\ufeff"), _names(known), "")
    first, _ = first_line(text.lstrip()[:_HEADING])
    return len({_names(known).get(_plain(cell.strip('"'))) for cell in first.split(mark)} - {None, ""}) > 1


def write(heading: Sequence[str], rows: Iterable[Iterable[object]]) -> str:
    """CSV by RFC 4180. Text that a spreadsheet would run as a formula begins with an apostrophe, which `read` takes off
    again; telephone numbers of digits and spaces (`+49 30 123456`) stay as they are. Numbers stay numbers, true and
    false are yes and no, None is empty."""
    out = io.StringIO()
    write_to(out, heading, rows)
    return out.getvalue()


def write_to(out: TextIO, heading: Sequence[str], rows: Iterable[Iterable[object]]) -> None:
    """The same into a text file (`newline=""`), row by row."""
    writer = csv.writer(out)
    writer.writerow(map(_cell, heading))
    writer.writerows([_cell(value) for value in row] for row in rows)


def disarmed(text: str) -> str:
    """Text that a spreadsheet shows and does not run."""
    return f"'{text}" if _ARMED.match(text) and not _PHONE.fullmatch(text) else text


def _cell(value: object) -> object:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return disarmed(value) if isinstance(value, str) else value


def _mark(text: str, names: Mapping[str, str], path: str) -> tuple[str, str]:
    """What stands between cells, and the text without the line that may say so."""
    begin = text.lstrip()
    line = re.match(r"[^\r\n]*", begin)[0]  # type: ignore[index]
    if declared := _DECLARED.fullmatch(line):
        if declared[1] not in _MARKS:
            raise InvalidInput.at(path, "The first line names no mark that can stand between cells: use sep=; or sep=,")
        return declared[1], begin[len(line) :].removeprefix("\r").removeprefix("\n")
    first, counts = first_line(begin[:_HEADING])

    def likely(mark: str) -> tuple[int, int]:
        return sum(_plain(cell.strip('"')) in names for cell in first.split(mark)), counts[mark]

    best = max(USUAL, key=likely)
    return (best if counts[best] else ","), text


@dataclass(frozen=True, slots=True)
class _Shape:
    """What a line must look like. `width`: with the empty cells that spreadsheets leave at the end of every line."""

    columns: list[str]
    width: int
    headed: bool
    mark: str
    note: str = ""

    def problem(self, number: int, cells: Sequence[str]) -> str | None:
        """What is wrong with the number of a line's cells."""
        count = len(self.columns)
        if len(cells) <= self.width and not any(cells[count:]):
            return None
        has = f"Line {number} has {len(cells):,} cells"
        quotes = f"put a cell that holds {_MARKS[self.mark]} in quotation marks"
        if self.headed:
            return f"{has}, the heading has {count}: {quotes}"
        named = ", ".join(self.columns)
        return f"{has}, but a list without a heading has {count} ({named}): {quotes}, or add a heading"


def _shape(
    cells: list[str], mark: str, known: Mapping[str, str], order: Sequence[str], path: str, lenient: bool
) -> _Shape:
    """By the first line. Raises InvalidInput for a heading with a column that is unknown, unnamed or there twice."""
    names = _names(known)
    found = [names.get(_plain(cell)) for cell in cells]
    named, filled = len(found) - found.count(None), sum(map(bool, cells))
    if not (named > 1 or 2 * named >= filled):  # somebody called Guest does not make a line a heading
        return _Shape(list(order), len(order), False, mark)
    width = len(cells)
    while not cells[-1]:
        cells = cells[:-1]
    issues: list[Issue] = []
    unknown: list[str] = []
    for place, (cell, column) in enumerate(zip(cells, found, strict=False)):
        if not cell and not lenient:
            issues.append(Issue(path, f"Column {place + 1} has no name in the heading"))
        elif column is None and lenient:
            unknown += [cell] if cell else []
        elif column is None:
            told = f"“{short(cell)}” is no column that is known. Known are {_told(known)}"
            issues.append(Issue(path, f"{told}; if this is no heading, put one above it"))
        elif column and column in found[:place]:
            other = cells[found.index(column)]
            issues.append(Issue(path, f"The columns “{short(other)}” and “{short(cell)}” are the same: keep one"))
    if issues:
        raise InvalidInput(issues[:MAX_ISSUES])
    return _Shape([column or "" for column in found[: len(cells)]], width, True, mark, _left_out(unknown))


def _left_out(names: Sequence[str]) -> str:
    if not names:
        return ""
    told = ", ".join(f"“{short(name)}”" for name in names[:5])
    return f"Left out, since nothing here is called so: {told}{' and others' if len(names) > 5 else ''}."


def _plain(name: str) -> str:
    return re.sub(r"[\s_-]+", "", name.strip(STRIPPED)).casefold()


def _names(known: Mapping[str, str]) -> dict[str, str]:
    return {_plain(name): column for name, column in known.items()}


def _told(known: Mapping[str, str]) -> str:
    """One name for each column: the first that it goes by."""
    names: dict[str, str] = {}
    for name, column in known.items():
        if column:
            names.setdefault(column, name)
    return ", ".join(names.values())


def short(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:39]}…"
