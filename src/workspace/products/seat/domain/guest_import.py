"""Importing a guest list as people write it, with columns in any order and several languages.

A line may contain a couple or companions. Uncertain lines become questions and not guesses.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from workspace.lib.errors import InvalidInputError
from workspace.lib.messages import Message
from workspace.lib.name_order import split_by_order
from workspace.lib.tabular.list_table import CellProblem, ListTable, group_warnings
from workspace.lib.text import search_key
from workspace.products.seat import messages
from workspace.products.seat.domain import guest_row_parser
from workspace.products.seat.domain.guest_list_lines import (
    FAMILY_PATTERN,
    GROUP_PATTERN,
    NUMBER_PATTERN,
    TITLE_PATTERN,
    TOTAL_PATTERN,
    is_last_first,
    parse_table_name,
    swap_name_parts,
)
from workspace.products.seat.domain.guest_row_parser import (
    COUPLE_PATTERN,
    MAX_COMPANIONS,
    MAX_NAME_LENGTH,
    is_undecided,
    parse_companions,
    strip_companions,
)
from workspace.products.seat.domain.guests import build_sort_name, companion_sort_name, get_name_order
from workspace.products.seat.models import TABLE, Chart, Guest, Reply
from workspace.products.seat.rules.guest_list_headings import GUEST_LIST
from workspace.publishing.list_columns import open_list
from workspace.publishing.models import RememberedColumns

LIST_NAME = "seat.guests"
AcceptOption = Literal["split", "repeated", "tables", "heading"]
ColumnField = Literal[
    "-", "name", "first", "last", "party", "meal", "diet", "notes", "table", "reply", "email", "phone", "companions",
    "children", "count", "chair", "tags", "sort_name", "seat", "wheelchair",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Question:
    """A question about a line.

    `accept` is the option that answers it, or empty if the list must be corrected.
    """

    line: int
    text: str
    accept: str = ""


@dataclass(slots=True)
class GuestImport:
    """The result of reading a guest list.

    `items` are in the format of svc_seat_save_guests, in the order of the lines. `tables` are names to create first.
    `warnings` name every cell that is not saved, and `skipped` are the same cells with their places.
    """

    items: list[dict[str, Any]] = field(default_factory=list)
    tables: dict[str, int] = field(default_factory=dict)
    questions: list[Question] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    skipped: list[CellProblem] = field(default_factory=list)


def parse_guest_list(
    chart: Chart, csv: str, *, match: bool, accept: Collection[str], columns: Mapping[str, str] | None = None
) -> GuestImport:
    """Parse a guest list.

    Raise InvalidInputError at `csv`, for example if no column contains names, and at `csv.LINE`.
    """
    sheet = open_list(chart.account, LIST_NAME, GUEST_LIST, csv, columns, has_heading="heading" in accept)
    check_names(sheet)
    RememberedColumns.remember(chart.account, LIST_NAME, sheet)
    reader = _GuestListReader(chart, match, accept, sheet)
    for row in sheet.rows:
        reader.add_line(row.number, row.cells)
    return reader.finish()


def check_names(sheet: ListTable) -> None:
    """Raise InvalidInputError if no column contains names. In that case, the other columns are unknown, too."""
    if not sheet.columns or {"name", "first", "last"} & set(sheet.fields):
        return
    if sheet.has_heading:
        named = ", ".join(column.name for column in sheet.columns[:12])
        raise InvalidInputError.at_path("csv", messages.NO_NAME_COLUMN(columns=named))
    raise InvalidInputError.at_path("csv", messages.NO_COLUMN_NAMES)


class _GuestListReader:
    def __init__(self, chart: Chart, match: bool, accept: Collection[str], sheet: ListTable) -> None:
        self.accept, self.result, self.order = accept, GuestImport(), get_name_order(chart)
        self.sheet = replace(sheet, titles=[title for title in sheet.titles if not parse_table_name(title[1])])
        self.unsaved: list[CellProblem] = []
        self.heading = {column.heading for column in sheet.columns if column.heading}
        names = [row.cells["name"] for row in sheet.rows if "name" in row.cells]
        self.numbered = sum(bool(NUMBER_PATTERN.match(name)) for name in names) > 1
        names = [name for name in names if not TOTAL_PATTERN.fullmatch(name) and not FAMILY_PATTERN.match(name)]
        self.last_first = len(names) > 1 and 5 * sum(is_last_first(name) for name in names) >= 4 * len(names)
        self.group = ""  # the title above a group of guests in a list without columns
        self.table = next((parse_table_name(text) for _, text in reversed(sheet.titles) if parse_table_name(text)), "")
        guests = list(chart.guests.all()) if match else []
        self.guests_by_email = {search_key(guest.email): guest for guest in guests if guest.email}
        self.guests_by_name = {(search_key(guest.name), guest.party_key): guest for guest in guests}
        self.tables = {search_key(table.name): table for table in chart.tables.filter(kind=TABLE)}
        self.table_loads = Counter(chart.guests.exclude(table=None).values_list("table", flat=True))
        self.seen: set[tuple[str, str]] = set()
        self.matched_ids: set[str] = set()
        self.pending: list[tuple[int, dict[str, Any], str]] = []

    def add_line(self, number: int, cells: Mapping[str, str]) -> None:
        if self._is_separator(number, cells):
            return
        text, more = self._parse_name(cells)
        companion = cells.get("companions", "")
        with_them, along = self._parse_companions(number, companion)
        children, small = parse_companions(cells.get("children", ""))
        if not text:
            self._skip_line(number, messages.LINE_WITHOUT_NAME)
            return
        if len(text) > 120:
            self._add_warning(number, messages.CELL_TRUNCATED(field=messages.FIELD_LABELS["name"], most=120), "name")
        read = guest_row_parser.parse_cells(cells)
        self.unsaved += [CellProblem(number, column, str(problem)) for column, problem in read.problems]
        counted = int(cells["count"]) - 1 - len(with_them) if cells.get("count", "")[:9].isdecimal() else 0
        asked_for = max(more + along, counted)
        if max(asked_for, small, *_companion_counts(cells)) > MAX_COMPANIONS:
            self._add_warning(number, messages.COMPANION_LIMIT(most=MAX_COMPANIONS), "companions")
        more = min(MAX_COMPANIONS, max(0, asked_for))
        names = self._split_couple(number, text[:120])
        party = cells.get("party", "")[:120]
        if not party and len(names) + len(with_them) + len(children) + more + small > 1:
            party = text[:120]
        fields, table = read.fields, cells.get("table", "") or self.table
        self._add_sort_name_and_tags(fields, cells, names)
        # fields that apply to everyone on the line
        of_all = {name: value for name, value in fields.items() if name in ("reply", "tags")}
        for place, entry in enumerate(names):
            self._add_guest(number, entry, party, fields if place == 0 else of_all, table)
        along_too: Any = (("Guest", with_them, more, {}), ("Child", children, small, {"chair": "child"}))
        for called, named, count, how in along_too:
            nameless = f"{called} of {names[0]}"[:110]
            for place, entry in enumerate(named):  # a companion who is named now takes the seat of the placeholder
                was = {nameless, f"{nameless} ({place + 1})"}
                sorted_as = {"sort_name": companion[:120]} if entry == swap_name_parts(companion) else {}
                self._add_guest(number, entry, party, {**of_all, **how, **sorted_as}, table, was)
            host = fields.get("sort_name") or build_sort_name(names[0], self.order)
            unnamed = {**of_all, **how, "sort_name": companion_sort_name(host, called), "placeholder": True}
            for place in range(count):
                summary = f"{nameless} ({place + 1})" if count > 1 else nameless
                self._add_guest(number, summary, party, {**unnamed}, table)

    def _parse_companions(self, number: int, companion: str) -> tuple[list[str], int]:
        """Return the companions who are named, and the number of others."""
        if is_undecided(companion):
            self._add_warning(number, messages.COMPANION_WITHOUT_NAME(text=companion[:60]), "companions")
        if self.last_first and is_last_first(companion):
            return [swap_name_parts(companion)], 0
        return parse_companions(companion)

    def _add_sort_name_and_tags(self, fields: dict[str, Any], cells: Mapping[str, str], names: Sequence[str]) -> None:
        if self.last_first and is_last_first(cells.get("name", "")) and len(names) == 1:
            fields.setdefault("sort_name", cells["name"][:120])
        if family := FAMILY_PATTERN.match(names[0]):
            fields.setdefault("sort_name", names[0][family.end() :])
        if self.group:
            fields["tags"] = list(dict.fromkeys([self.group, *fields.get("tags", ())]))

    def _is_separator(self, number: int, cells: Mapping[str, str]) -> bool:
        """Return whether a line is a total, a repeated heading, or the table of the guests below it."""
        name = cells.get("name", "") or cells.get("first", "") or cells.get("last", "")
        if cells and set(cells.values()) <= self.heading:
            self._add_warning(number, messages.LINE_IS_HEADING)
            return True
        if TOTAL_PATTERN.fullmatch(name):
            self._skip_line(number, messages.LINE_IS_TOTAL(name=name[:60]))
            return True
        if len(cells) == 1 and len(self.sheet.columns) > 1 and (table := parse_table_name(name)):
            self.table = table
            self._add_warning(number, messages.LINE_IS_TABLE(name=name[:60]))
            return True
        if len(self.sheet.columns) == 1 and not self.sheet.has_heading and GROUP_PATTERN.fullmatch(name):
            self.group = name.rstrip(" :")[:40]
            self._add_warning(number, messages.LINE_IS_TAG(name=name[:60]))
            return True
        is_first = not self.result.items and not self.pending and not self.sheet.has_heading
        if (
            is_first
            and len(self.sheet.columns) == 1
            and len(self.sheet.rows) > 1
            and TITLE_PATTERN.fullmatch(name[:MAX_NAME_LENGTH])
        ):
            self._skip_line(number, messages.LINE_IS_TITLE(name=name[:60]))
            return True
        return False

    def _parse_name(self, cells: Mapping[str, str]) -> tuple[str, int]:
        """Return the name on a line, and the number of companions that the name mentions.

        Beside a first name, `Name` means the last name.
        """
        first, more = strip_companions(cells.get("first", ""))
        name, too = strip_companions(cells.get("name", "").replace("\n", " & "))
        last = cells.get("last", "")
        if name and first and not last:
            name = name if search_key(first) in search_key(name) else f"{first} {name}"
        elif name and last and not first:
            name = name if search_key(last) in search_key(name) else f"{name} {last}"
        elif not name:
            name, too = strip_companions(" ".join(filter(None, (first, last))))
        if self.numbered:
            name = NUMBER_PATTERN.sub("", name, count=1)
        if self.last_first and is_last_first(name):
            name = swap_name_parts(name)
        return " ".join(name.split()), more + too

    def _split_couple(self, number: int, name: str) -> list[str]:
        """Split `Anna & Ben Berg` into two names if the owner has accepted that. Otherwise, add a question."""
        parts = [part.strip() for part in COUPLE_PATTERN.split(name) if part.strip()]
        if len(parts) != 2 or name.count(",") > 1:
            return [name]
        first, second = parts
        if " " not in first and " " in second:
            first = f"{first} {split_by_order(second, self.order).family or second.rpartition(' ')[2]}"
        if "split" in self.accept:
            return [first, second]
        self._add_question(number, messages.MAYBE_A_COUPLE(name=name, first=first, second=second), "split")
        return [name]

    def _add_guest(
        self,
        number: int,
        name: str,
        party: str,
        fields: dict[str, Any],
        table: str,
        existing_names: Collection[str] = (),
    ) -> None:
        key = (search_key(name), search_key(party))
        if key in self.seen and "repeated" not in self.accept:
            repeated = messages.REPEATED_GUEST_IN_PARTY(party=party) if party else messages.REPEATED_GUEST
            self._add_question(number, repeated(name=name), "repeated")
            self._add_warning(number, messages.LINE_IS_REPEATED)
            return
        guest = self._find_existing(name, party, fields, key)
        for value in existing_names if guest is None else ():
            guest = guest or self._find_existing(value, party, {}, (search_key(value), key[1]))
        self.seen.add(key)
        values: dict[str, Any] = {"name": name, **({"party": party} if party else {}), **fields}
        if guest is not None:
            values["id"] = guest.pk
            self.matched_ids.add(guest.pk)
            if guest.table_id is not None and table:
                self.table_loads[guest.table_id] -= 1
        self.pending.append((number, values, table.strip()[:60]))

    def _find_existing(self, name: str, party: str, fields: Mapping[str, Any], key: tuple[str, str]) -> Guest | None:
        guest = self.guests_by_email.get(search_key(str(fields.get("email", ""))) or "\0") or self.guests_by_name.get(
            key
        )
        return guest if guest is not None and guest.pk not in self.matched_ids else None

    def finish(self) -> GuestImport:
        missing: Counter[str] = Counter()
        for number, item, name in self.pending:
            self.result.items.append(item)
            if not name or item.get("reply") == Reply.NO:
                continue
            known = self.tables.get(search_key(name)) or self.tables.get(
                re.sub(r"^(?:table|tisch|mesa)\s+", "", search_key(name))
            )
            if known is None:
                missing[name] += 1
                item["table_name"] = name
                if "tables" not in self.accept:
                    self._add_warning(number, messages.GUEST_OF_NEW_TABLE(table=name), "table")
                if missing[name] == 1 and "tables" not in self.accept:
                    self._add_question(number, messages.NEW_TABLE_NAME(table=name), "tables")
            elif self.table_loads[known.pk] >= known.capacity or known.is_closed:
                self._add_question(number, messages.NO_SEAT_FOR(table=known.label, name=item["name"]))
                self._add_warning(number, messages.NO_SEAT(table=known.label), "table")
            else:
                self.table_loads[known.pk] += 1
                item["table_id"] = known.pk
        if "tables" in self.accept:
            self.result.tables = {name: min(60, max(8, count)) for name, count in missing.items()}
        else:
            for item in self.result.items:
                item.pop("table_name", None)
        line = self.sheet.rows[0].number - 1 if self.sheet.rows else 1
        for column in self.sheet.unknown_columns:
            text = messages.COLUMN_UNKNOWN(column=column.name)
            self.result.questions.insert(0, Question(line, str(text)))
        self.result.warnings = [*self.sheet.notes(), *group_warnings(self.unsaved)]
        self.result.skipped = self.unsaved
        return self.result

    def _skip_line(self, line: int, reason: Message) -> None:
        self._add_question(line, reason)
        self._add_warning(line, reason)

    def _add_warning(self, line: int, text: Message, column: str = "") -> None:
        self.unsaved.append(CellProblem(line, column, str(text)))

    def _add_question(self, line: int, text: Message, accept: str = "") -> None:
        self.result.questions.append(Question(line, str(text), accept))


def _companion_counts(cells: Mapping[str, str]) -> list[int]:
    """Return the numbers of companions that the list states."""
    matches = (re.search(r"\d{1,9}", cells.get(name, "")) for name in ("companions", "children"))
    return [int(match[0]) for match in matches if match]


def assign_table_ids(new_tables: Sequence[tuple[str, str]], items: Sequence[dict[str, Any]]) -> None:
    """Replace the names of new tables in `items` with their ids. `new_tables` contains pairs of name and id."""
    ids = {search_key(name): id for name, id in new_tables}
    for item in items:
        if (name := item.pop("table_name", "")) and search_key(name) in ids:
            item["table_id"] = ids[search_key(name)]
