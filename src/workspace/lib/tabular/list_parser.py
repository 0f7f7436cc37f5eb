"""Lists as people write them: the heading is among the first lines, and columns are in any order and language.

Nothing is dropped without a warning.

FORMAT = ListFormat(VOCABULARY, max_items=2000, several={"notes": "; "})
sheet = list_parser.parse_list(text, FORMAT)
    sheet.rows[0].cells["name"], sheet.warnings()
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from workspace.lib import error_messages
from workspace.lib.errors import InvalidInputError, Issue
from workspace.lib.tabular.csv_lines import clean_cell, read_lines, read_text
from workspace.lib.tabular.heading_matcher import (
    HEADING_SEARCH_LINES,
    HeadingMatch,
    Vocabulary,
    count_known_columns,
    find_heading,
    looks_like_heading,
)
from workspace.lib.tabular.list_table import (
    SKIP_COLUMN,
    ListColumn,
    ListFormat,
    ListRow,
    ListTable,
    shorten_sample,
)
from workspace.lib.text import search_key

_MARKDOWN_RULE = re.compile(r"[-:=_]{2,}")  # separates the heading from the lines of a Markdown table
_NO_DELIMITER = "\x1f"  # for a list of one column, whose cells may contain commas
_DELIMITER_DECLARATION = re.compile(r'\s*"?sep=([\t;,|])"?[ \t]*\r?\n?', re.IGNORECASE)
_QUOTE_HINT = "put cells that contain a comma or a semicolon in quotation marks"
_COUNTER_HEADINGS = frozenset({"#", "no", "nr", "num", "numero", "nummer", "n", "lfd", "laufende", "pos", "id"})


@dataclass(frozen=True, slots=True)
class ListLines:
    """The lines of a list, split into cells, with their numbers.

    `note` explains how the text was decoded.
    """

    delimiter: str
    lines: list[tuple[int, list[str]]]
    note: str


def parse_list(
    source: bytes | str,
    format: ListFormat,
    *,
    path: str = "csv",
    meaning_by_column: Mapping[str, str] | None = None,
    has_heading_row: bool = False,
) -> ListTable:
    """Parse the lines of a list. Arguments and errors are those of `split_list` and `build_table`."""
    lines = split_list(source, format, path=path)
    return build_table(lines, format, path=path, meaning_by_column=meaning_by_column, has_heading_row=has_heading_row)


def split_list(source: bytes | str, format: ListFormat, *, path: str = "csv") -> ListLines:
    """Split a list into lines and cells.

    Raise InvalidInputError at `path` if it is not a table, and at `PATH.LINE` for a line with invalid quotes.
    """
    text, note = read_text(source, path)
    delimiter, lines = _split_lines(text, format.vocabulary, path, format.max_items + HEADING_SEARCH_LINES)
    return ListLines(delimiter, lines, note)


def build_table(
    split: ListLines,
    format: ListFormat,
    *,
    path: str = "csv",
    meaning_by_column: Mapping[str, str] | None = None,
    has_heading_row: bool = False,
) -> ListTable:
    """Find the heading and the columns of a list, and build its rows.

    - `meaning_by_column`: the meanings that the owner chose, keyed by heading or by number from 1. SKIP_COLUMN or ""
      skips the column.
    - `has_heading_row`: whether the first line is a heading even if none of its words is known.

    Raise InvalidInputError at `path` if there are too many lines, and at `PATH.LINE` for a line with more cells than
    the heading.
    """
    lines, note, repeated = split.lines, split.note, format.repeated
    if not lines:
        return ListTable([], [], note=note)
    head, may_be = _find_heading_row(lines, format, meaning_by_column or {}, has_heading_row)
    start = 0 if head is None else head + 1
    headings = [] if head is None else lines[head][1]
    body = [line for line in lines[start:] if not all(_MARKDOWN_RULE.fullmatch(cell) for cell in line[1] if cell)]
    if len(body) > format.max_items:
        raise InvalidInputError.at_path(path, error_messages.TOO_MANY_LINES(most=f"{format.max_items:,}"))
    if head is None and format.is_order_complete:
        _check_unnamed_widths(format.order, body, path)
    elif split.delimiter not in ("\t", _NO_DELIMITER) and head is not None:
        _check_widths(len(headings), body, path)
    starts = _find_block_starts(headings, format.vocabulary, repeated) if repeated else []
    size = starts[1] if starts else 0
    if starts and not any(key.isdecimal() and int(key) > size for key in meaning_by_column or {}):
        body = [(number, part) for at in starts for number, cells in body if any(part := cells[at : at + size])]
        headings = headings[:size]
        note = f"{note} The columns appear side by side {len(starts)} times. All of them are read, one below the other."
    columns = _build_columns(headings, body, format, meaning_by_column or {})
    rows = _build_rows(columns, body, format)
    titles = [(number, " ".join(filter(None, cells))) for number, cells in lines[: head or 0]]
    return ListTable(columns, rows, titles, head is not None, may_be, note.strip(), body)


def _find_heading_row(
    lines: Sequence[tuple[int, list[str]]], format: ListFormat, means: Mapping[str, str], has_heading_row: bool
) -> tuple[int | None, bool]:
    """Return the place of the heading, and whether the first line may be one although none of its words is known."""
    first = [cells for _, cells in lines[:HEADING_SEARCH_LINES]]
    if (head := find_heading(first, format.vocabulary)) is not None:
        return head, False
    is_data = any(pattern.search(cell) for cell in first[0] for pattern in format.content.values())
    may_be = format.may_lack_words and not is_data and looks_like_heading(first)
    is_named = bool({cell.casefold() for cell in first[0] if cell} & {*map(str.casefold, means)})
    return (0 if has_heading_row or is_named else None), may_be


def _build_rows(
    columns: Sequence[ListColumn], body: Sequence[tuple[int, list[str]]], format: ListFormat
) -> list[ListRow]:
    """Merge the cells of each line, and read columns of names side by side as one list below the other."""

    def merge_cells(cells: Sequence[str], own: Sequence[ListColumn]) -> dict[str, str]:
        return _merge_cells(cells, own, format.several, format.labeled)

    rows = [ListRow(number, merge_cells(cells, columns)) for number, cells in body]
    repeated = format.repeated
    names = [one for one in columns if repeated and one.field == repeated and one.is_set_by_owner]
    if len(names) < 2:
        return rows
    rows = []
    for name, own in _split_by_name_columns(columns, names):
        is_known = not name.heading or format.vocabulary.match(name.heading).field == repeated
        tags = {} if is_known else {format.tagged: name.heading}
        made = [(number, merge_cells(cells, own)) for number, cells in body]
        rows += [ListRow(number, {**tags, **cells}) for number, cells in made if repeated in cells]
    named = {row.number for row in rows}
    return rows + [ListRow(number, merge_cells(cells, columns)) for number, cells in body if number not in named]


def _find_block_starts(headings: Sequence[str], vocabulary: Vocabulary, field: str) -> list[int]:
    """Return where each repeated block of columns starts, or an empty list if nothing is repeated."""
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
        Issue(f"{path}.{number}", f"Line {number} has {len(cells):,} cells, but the heading has {width}: {_QUOTE_HINT}")
        for number, cells in body
        if any(cells[width:])
    ]
    if wrong:
        raise InvalidInputError(wrong[:50])


def _check_unnamed_widths(order: Sequence[str], body: Sequence[tuple[int, list[str]]], path: str) -> None:
    """Reject lines with more cells than a list without a heading has."""
    count, named = len(order), ", ".join(order)
    wrong = [
        Issue(
            f"{path}.{number}",
            f"Line {number} has {len(cells):,} cells, but a list without a heading has {count} ({named}): "
            f"{_QUOTE_HINT}, or add a heading",
        )
        for number, cells in body
        if any(cells[count:])
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
    headings: Sequence[str], body: Sequence[tuple[int, list[str]]], format: ListFormat, means: Mapping[str, str]
) -> list[ListColumn]:
    vocabulary = format.vocabulary
    width = max([len(headings), *(len(cells) for _, cells in body)])
    matches = [vocabulary.match(headings[place]) if place < len(headings) else HeadingMatch() for place in range(width)]
    if not headings:
        matches = _guess_fields(width, body, format)
    said = {key.strip().casefold(): meaning or SKIP_COLUMN for key, meaning in means.items()}
    columns = []
    for place in range(width):
        heading = headings[place] if place < len(headings) else ""
        cells = [cells[place] for _, cells in body if place < len(cells) and cells[place]]
        given_meaning = said.get(heading.casefold()) if heading else None
        given_meaning = said.get(str(place + 1), given_meaning)
        meaning = given_meaning or matches[place].field
        if (
            given_meaning is None
            and meaning not in (*format.several, SKIP_COLUMN)
            and _is_outranked(place, matches, said, headings)
        ):
            meaning = ""  # another column has that name, or matches better
        sample = shorten_sample(cells[0]) if cells else ""
        counts = not meaning and _is_counter(heading, cells)
        is_set = given_meaning is not None or (bool(meaning) and matches[place].is_remembered)
        columns.append(ListColumn(place, heading, meaning, len(cells), sample, is_set, counts))
    return columns


def _guess_fields(width: int, body: Sequence[tuple[int, list[str]]], format: ListFormat) -> list[HeadingMatch]:
    """Guess the fields of a list without a heading from its cells, or else from their order."""
    fields: list[str] = []
    for place in range(width):
        cells = [cells[place] for _, cells in body if place < len(cells) and cells[place]]
        by_content = (name for name, pattern in format.content.items() if cells and all(map(pattern.search, cells)))
        by_order = format.order[place] if place < len(format.order) else ""
        field = next(by_content, format.single if format.single and width == 1 else by_order)
        fields.append("" if field in fields else field)
    return [HeadingMatch(field, bool(field), int(bool(field))) for field in fields]


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
