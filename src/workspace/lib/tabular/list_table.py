"""The parts of a list: what it may contain, its columns and rows, and what is not saved."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from workspace.lib.tabular.heading_matcher import Vocabulary, column_letters, format_line_numbers
from workspace.lib.text import format_count

SKIP_COLUMN = "-"  # the meaning of a column that the owner leaves out
_MAX_SAMPLE_LENGTH = 60  # characters of a cell in a message


@dataclass(frozen=True, slots=True)
class ListFormat:
    """What a list may contain.

    - `several`: fields that may have more than one column, with the separator for joining their cells.
    - `labeled`: one of these fields. If the owner chose the column, its cells are prefixed with its heading.
    - `repeated`: a field. If its columns are repeated side by side, as in lists that save paper, they are read one
      block after the other.
    - `tagged`: the field that gets the heading of such a column if it has another meaning, such as Bride.
    - `single`: the field of a list with one column and no heading.
    - `order`: the fields of a list without a heading.
    - `is_order_complete`: whether a list without a heading has no other columns. A line with more is an error.
    - `content`: patterns of cells that show the field of a column without a heading, such as email addresses.
    - `may_lack_words`: whether the first line can be a heading although none of its words is known.
    """

    vocabulary: Vocabulary
    max_items: int
    several: Mapping[str, str] = field(default_factory=dict)
    labeled: str = ""
    repeated: str = ""
    tagged: str = ""
    single: str = ""
    order: tuple[str, ...] = ()
    is_order_complete: bool = False
    content: Mapping[str, re.Pattern[str]] = field(default_factory=dict)
    may_lack_words: bool = True


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
        return f"“{shorten_sample(self.heading)}”" if self.heading else column_letters(self.place)


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
    `may_have_heading` is true if the first line could be a heading with unknown words. `lines` are the lines below the
    heading as in the file, with their numbers."""

    columns: list[ListColumn]
    rows: list[ListRow]
    titles: list[tuple[int, str]] = field(default_factory=list)
    has_heading: bool = False
    may_have_heading: bool = False
    note: str = ""
    lines: Sequence[tuple[int, list[str]]] = ()

    @property
    def fields(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(one.field for one in self.columns if one.field not in ("", SKIP_COLUMN)))

    @property
    def unknown_columns(self) -> list[ListColumn]:
        """The columns without a known meaning."""
        return [one for one in self.columns if one.needs_meaning]

    def notes(self) -> list[str]:
        """Return the note on how the list was read, if any, and the warnings."""
        return [*filter(None, [self.note]), *self.warnings()]

    def warnings(self) -> list[str]:
        """Return warnings about content that no row includes: titles, and columns without a meaning."""
        found = []
        for number, text in self.titles:
            found.append(f"Line {number} is above the heading and is not saved: “{shorten_sample(text)}”")
        for one in self.columns:
            if one.filled_count and one.field in ("", SKIP_COLUMN) and not one.is_counter:
                cells = format_count(one.filled_count, "cell")
                found.append(f"Column {one.name} is not saved: {cells}, such as “{one.sample}”")
        return found


@dataclass(frozen=True, slots=True)
class CellProblem:
    """What was changed or left out of a line. `field` is that of the cell, or "" for the whole line."""

    line: int
    field: str
    text: str


def group_warnings(problems: Sequence[CellProblem]) -> list[str]:
    """Merge warnings with equal texts: `Lines 3 and 5: there is no name`."""
    lines: dict[str, list[int]] = {}
    for one in problems:
        lines.setdefault(one.text, []).append(one.line)
    return [
        f"Line{'s' if len(found) > 1 else ''} {format_line_numbers(found)}: {text}" for text, found in lines.items()
    ]


def shorten_sample(text: str) -> str:
    """Return the text on one line, shortened for a message."""
    text = " ".join(text.split())
    return text if len(text) <= _MAX_SAMPLE_LENGTH else f"{text[: _MAX_SAMPLE_LENGTH - 1]}…"
