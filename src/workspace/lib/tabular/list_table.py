"""Lists as people write them: the heading is among the first lines, and columns are in any order and language.

Nothing is dropped without a warning.

sheet = list_table.parse_list(text, VOCABULARY, max_items=2000, several={"notes": "; "})
    sheet.rows[0].cells["name"], sheet.warnings()
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

from workspace.lib import error_messages
from workspace.lib.errors import InvalidInputError, Issue
from workspace.lib.tabular.csv_lines import clean_cell, read_lines, read_text
from workspace.lib.tabular.heading_matcher import (
    HEADING_SEARCH_LINES,
    HeadingMatch,
    Vocabulary,
    column_letters,
    count_known_columns,
    find_heading,
    format_line_numbers,
    looks_like_heading,
)
from workspace.lib.text import format_count, search_key

SKIP_COLUMN = "-"  # the meaning of a column that the owner leaves out
_MARKDOWN_RULE = re.compile(r"[-:=_]{2,}")  # separates the heading from the lines of a Markdown table
_NO_DELIMITER = "\x1f"  # for a list of one column, whose cells may contain commas
_DELIMITER_DECLARATION = re.compile(r'\s*"?sep=([\t;,|])"?[ \t]*\r?\n?', re.IGNORECASE)
_QUOTE_HINT = "put cells that contain a comma or a semicolon in quotation marks"
_MAX_SAMPLE_LENGTH = 60  # characters of a cell in a message
_COUNTER_HEADINGS = frozenset({"#", "no", "nr", "num", "numero", "nummer", "n", "lfd", "laufende", "pos", "id"})


@dataclass(frozen=True, slots=True)
class ListColumn:
    """A column of a list.

    `field` is its meaning, SKIP_COLUMN if the owner left it out, or "" if it is unknown. `is_set_by_owner` is true if
    the owner chose the meaning. `is_counter` is true if it only numbers the lines.
    """

    place: int
    heading: str
    field: str
    filled_count: int
    sample: str
    is_set_by_owner: bool = False
    is_counter: bool = False

    @property
    def needs_meaning(self) -> bool:
        return not self.field and self.filled_count > 0 and not self.is_counter

    @property
    def name(self) -> str:
        return f"“{_shorten_text(self.heading)}”" if self.heading else column_letters(self.place)


@dataclass(frozen=True, slots=True)
class ListRow:
    """A row of a list.

    `number` is the line number in a spreadsheet. `cells` contains the cells that are not empty, by field."""

    number: int
    cells: dict[str, str]


@dataclass(frozen=True, slots=True)
class ListTable:
    """A list.

    `titles` are the lines above the heading, with their numbers. `has_heading` is true if a line names the columns.
    `may_have_heading` is true if the first line could be a heading with unknown words."""

    columns: list[ListColumn]
    rows: list[ListRow]
    titles: list[tuple[int, str]] = field(default_factory=list)
    has_heading: bool = False
    may_have_heading: bool = False
    note: str = ""

    @property
    def fields(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(one.field for one in self.columns if one.field not in ("", SKIP_COLUMN)))

    @property
    def unknown_columns(self) -> list[ListColumn]:
        """The columns without a known meaning."""
        return [one for one in self.columns if one.needs_meaning]

    def warnings(self) -> list[str]:
        """Return warnings about content that is in no row: titles, and columns without a meaning."""
        found = []
        for number, text in self.titles:
            found.append(f"Line {number} is above the heading and is not saved: “{_shorten_text(text)}”")
        for one in self.columns:
            if one.filled_count and one.field in ("", SKIP_COLUMN) and not one.is_counter:
                cells = format_count(one.filled_count, "cell")
                found.append(f"Column {one.name} is not saved: {cells}, such as “{one.sample}”")
        return found


def parse_list(
    source: bytes | str,
    vocabulary: Vocabulary,
    *,
    max_items: int,
    path: str = "csv",
    meaning_by_column: Mapping[str, str] | None = None,
    several: Mapping[str, str] | None = None,
    labeled: str = "",
    has_heading_row: bool = False,
    repeated: str = "",
    tagged: str = "",
) -> ListTable:
    """Parse the lines of a list.

    - `meaning_by_column`: the owner's meanings of columns, by heading or by number from 1. SKIP_COLUMN or "" leaves one
      out.
    - `several`: fields that may have more than one column, with the separator for joining their cells.
    - `labeled`: one of these fields. If the owner chose the column, its cells are prefixed with its heading.
    - `has_heading_row`: whether the first line is a heading although none of its words is known.
    - `repeated`: a field. If its columns are repeated side by side, as in lists that save paper, they are read one
      block after the other.
    - `tagged`: the field that gets the heading of such a column if it has another meaning, such as Bride.

    Raise InvalidInputError at `path` if it is not a table, and at `PATH.LINE` for a line with invalid quotes or with
    more cells than the heading.
    """
    text, note = read_text(source, path)
    mark, lines = _split_lines(text, vocabulary, path, max_items + HEADING_SEARCH_LINES)
    if not lines:
        return ListTable([], [], note=note)
    head = find_heading([cells for _, cells in lines[:HEADING_SEARCH_LINES]], vocabulary)
    may_be = head is None and looks_like_heading([cells for _, cells in lines[:HEADING_SEARCH_LINES]])
    if head is None and (
        has_heading_row
        or {cell.casefold() for cell in lines[0][1] if cell} & {*map(str.casefold, meaning_by_column or {})}
    ):
        head = 0
    start = 0 if head is None else head + 1
    headings = [] if head is None else lines[head][1]
    body = [line for line in lines[start:] if not all(_MARKDOWN_RULE.fullmatch(cell) for cell in line[1] if cell)]
    if len(body) > max_items:
        raise InvalidInputError.at_path(path, error_messages.TOO_MANY_LINES(most=f"{max_items:,}"))
    if mark not in ("\t", _NO_DELIMITER) and head is not None:
        _check_widths(len(headings), body, path)
    starts = _find_block_starts(headings, vocabulary, repeated) if repeated else []
    size = starts[1] if starts else 0
    if starts and not any(key.isdecimal() and int(key) > size for key in meaning_by_column or {}):
        body = [(number, part) for at in starts for number, cells in body if any(part := cells[at : at + size])]
        headings = headings[:size]
        note = f"{note} The columns appear side by side {len(starts)} times. All of them are read, one below the other."
    columns = _build_columns(headings, body, vocabulary, meaning_by_column or {}, frozenset(several or ()))
    rows = [ListRow(number, _merge_cells(cells, columns, several or {}, labeled)) for number, cells in body]
    names = [one for one in columns if repeated and one.field == repeated and one.is_set_by_owner]
    if len(names) > 1:
        rows = []
        for name, own in _split_by_name_columns(columns, names):
            is_known = not name.heading or vocabulary.match(name.heading).field == repeated
            tags = {} if is_known else {tagged: name.heading}
            made = [(number, _merge_cells(cells, own, several or {}, labeled)) for number, cells in body]
            rows += [ListRow(number, {**tags, **cells}) for number, cells in made if repeated in cells]
        named = {row.number for row in rows}
        left = [(number, cells) for number, cells in body if number not in named]
        rows += [ListRow(number, _merge_cells(cells, columns, several or {}, labeled)) for number, cells in left]
    titles = [(number, " ".join(filter(None, cells))) for number, cells in lines[: head or 0]]
    return ListTable(columns, rows, titles, head is not None, may_be, note.strip())


def _find_block_starts(headings: Sequence[str], vocabulary: Vocabulary, field: str) -> list[int]:
    """Return the start of each repeated block of columns, or an empty list if nothing is repeated."""
    folded = [search_key(one) for one in headings]
    starts = [place for place, one in enumerate(folded) if one and one == folded[0]]
    if len(starts) < 2 or not any(vocabulary.match(one).field == field for one in headings[: starts[1]]):
        return []
    ends = [*starts[1:], len(folded)]
    # there may be an empty column between the blocks
    blocks = [[one for one in folded[start:end] if one] for start, end in zip(starts, ends, strict=True)]
    return starts if all(block == blocks[0] for block in blocks) else []


def _split_by_name_columns(
    columns: Sequence[ListColumn], names: Sequence[ListColumn]
) -> list[tuple[ListColumn, list[ListColumn]]]:
    """Return each name column with the columns that belong to it.

    These are the columns up to the next name column if each has the same number, and otherwise all other columns.
    """
    starts = [one.place for one in names]
    ends = [*starts[1:], len(columns)]
    widths = {end - start for start, end in zip(starts, ends, strict=True)}
    if len(widths) == 1 and starts[0] == 0:
        return [(columns[start], list(columns[start:end])) for start, end in zip(starts, ends, strict=True)]
    others = [one for one in columns if one not in names]
    return [(one, [one, *others]) for one in names]


def has_heading(text: str, vocabulary: Vocabulary, needed: frozenset[str]) -> bool:
    """Return whether one of the first lines names at least two columns, including one of `needed`."""
    try:
        _, lines = _split_lines(text[:50_000], vocabulary, "", 2 * HEADING_SEARCH_LINES)
    except InvalidInputError:
        return False
    head = find_heading([cells for _, cells in lines], vocabulary)
    found = {vocabulary.match(cell).field for cell in lines[head][1]} - {""} if head is not None else set()
    return len(found) > 1 and bool(found & needed)


def _check_widths(width: int, body: Sequence[tuple[int, list[str]]], path: str) -> None:
    """Reject lines with too many cells. They are shifted because a cell contains an unquoted comma."""
    wrong = [
        Issue(
            f"{path}.{number}", f"Line {number} has {len(cells):,} cells, but the header row has {width}: {_QUOTE_HINT}"
        )
        for number, cells in body
        if any(cells[width:])
    ]
    if wrong:
        raise InvalidInputError(wrong[:50])


def _split_lines(
    text: str, vocabulary: Vocabulary, path: str, max_items: int
) -> tuple[str, list[tuple[int, list[str]]]]:
    if declared := _DELIMITER_DECLARATION.match(text):
        text, mark = text[declared.end() :], declared[1]
    else:
        mark = _detect_delimiter(text, vocabulary)
    return mark, list(islice(read_lines(text, mark, path), max_items + 1))


def _detect_delimiter(text: str, vocabulary: Vocabulary) -> str:
    """Return the delimiter that splits the first lines into known columns, or else into equal numbers of columns."""
    begin = "\n".join(islice((line for line in text[:50_000].splitlines() if line.strip()), 2 * HEADING_SEARCH_LINES))
    scores = []
    for rank, mark in enumerate(("|", ",", ";", "\t")):
        try:
            lines = [[clean_cell(cell) for cell in cells] for cells in csv.reader(io.StringIO(begin), delimiter=mark)]
        except csv.Error:
            continue
        widths = [len(cells) for cells in lines if any(cells)]
        if not widths:
            continue
        usual = max(set(widths), key=widths.count)
        alike = widths.count(usual) if usual > 1 else 0
        head = find_heading(lines, vocabulary)
        if head is not None and len(lines[head]) == 1:
            continue  # a heading of one column: the delimiter would split names such as Berg, Anna
        scores.append((count_known_columns(lines, vocabulary), alike, rank, mark))
    best = max(scores, default=None)
    return best[3] if best and (best[0] or best[1]) else _NO_DELIMITER


def _build_columns(
    headings: Sequence[str],
    body: Sequence[tuple[int, list[str]]],
    vocabulary: Vocabulary,
    means: Mapping[str, str],
    several: frozenset[str],
) -> list[ListColumn]:
    width = max([len(headings), *(len(cells) for _, cells in body)])
    matches = [vocabulary.match(headings[place]) if place < len(headings) else HeadingMatch() for place in range(width)]
    said = {key.strip().casefold(): meaning or SKIP_COLUMN for key, meaning in means.items()}
    columns = []
    for place in range(width):
        heading = headings[place] if place < len(headings) else ""
        cells = [cells[place] for _, cells in body if place < len(cells) and cells[place]]
        given_meaning = said.get(heading.casefold()) if heading else None
        given_meaning = said.get(str(place + 1), given_meaning)
        meaning = given_meaning or matches[place].field
        if given_meaning is None and meaning not in several and _is_outranked(place, matches, said, headings):
            meaning = ""  # another column has that name, or matches better
        sample = _shorten_text(cells[0]) if cells else ""
        counts = not meaning and _is_counter(heading, cells)
        columns.append(ListColumn(place, heading, meaning, len(cells), sample, given_meaning is not None, counts))
    return columns


def _is_outranked(
    place: int, matches: Sequence[HeadingMatch], values: Mapping[str, str], headings: Sequence[str]
) -> bool:
    own = matches[place]
    if not own.field:
        return False
    if own.field in values.values():
        return True

    def rank(other: int) -> tuple[bool, int, int]:
        return matches[other].is_whole, matches[other].words, -other

    rivals = [other for other, match in enumerate(matches) if match.field == own.field and other != place]
    free = [
        one
        for one in rivals
        if str(one + 1) not in values and not (headings[one] and headings[one].casefold() in values)
    ]
    return any(rank(other) > rank(place) for other in free)


def _is_counter(heading: str, cells: Sequence[str]) -> bool:
    """Return whether a column only numbers the lines."""
    words = re.findall(r"[^\W_]+|#", search_key(heading))
    return (
        bool(words)
        and set(words) <= _COUNTER_HEADINGS
        and [cell.strip(".)") for cell in cells] == [str(number) for number in range(1, len(cells) + 1)]
    )


def _merge_cells(
    cells: Sequence[str], columns: Sequence[ListColumn], several: Mapping[str, str], labeled: str
) -> dict[str, str]:
    found: dict[str, str] = {}
    for one in columns:
        cell = cells[one.place] if one.place < len(cells) else ""
        if not cell or one.field in ("", SKIP_COLUMN):
            continue
        if one.field == labeled and one.is_set_by_owner and one.heading:
            cell = f"{one.heading}: {cell}"
        there = found.get(one.field)
        found[one.field] = cell if there is None else f"{there}{several.get(one.field, ' ')}{cell}"
    return found


def group_warnings(texts: Sequence[tuple[int, str]]) -> list[str]:
    """Merge warnings with the same text: `Lines 3 and 5: there is no name`."""
    lines: dict[str, list[int]] = {}
    for number, text in texts:
        lines.setdefault(text, []).append(number)
    return [
        f"Line{'s' if len(found) > 1 else ''} {format_line_numbers(found)}: {text}" for text, found in lines.items()
    ]


def _shorten_text(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _MAX_SAMPLE_LENGTH else f"{text[: _MAX_SAMPLE_LENGTH - 1]}…"
