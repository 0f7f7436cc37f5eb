"""A guest list as people keep it, as the guests of a chart: columns by name in whatever language and order, couples and
companions in one line, and what is not sure asked back rather than guessed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from workspace.lib.errors import InvalidInput
from workspace.lib.name_order import split_in
from workspace.lib.tabular import list_table
from workspace.lib.tabular.list_table import Sheet
from workspace.lib.text import fold
from workspace.products.seat.domain import guest_row_parser
from workspace.products.seat.domain.guest_list_lines import (
    FAMILY,
    GROUP,
    NUMBERED,
    TITLE,
    TOTAL,
    is_last_first,
    read_table_name,
    turn_around,
)
from workspace.products.seat.domain.guest_row_parser import (
    LONGEST,
    MOST_ALONG,
    TWO,
    is_open,
    read_along,
    take_companions,
)
from workspace.products.seat.domain.guests import order_of, sort_beside, sort_name
from workspace.products.seat.models import TABLE, Chart, Guest, Reply
from workspace.products.seat.rules.column_names import SEVERAL, VOCABULARY

MOST = 2000  # lines
Accept = Literal["split", "repeated", "tables", "heading"]
ColumnField = Literal[
    "-", "name", "first", "last", "party", "meal", "diet", "notes", "table", "reply", "email", "phone", "companions",
    "children", "count", "chair", "tags", "sort_name", "seat", "wheelchair",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Question:
    """`accept` is what settles it, empty where the list itself is to be mended."""

    line: int
    text: str
    accept: str = ""


@dataclass(slots=True)
class Brought:
    """`items` as svc_seat_save_guests takes them, in the order of the lines; `tables` are names to make first;
    `warnings`: every cell that is not saved."""

    items: list[dict[str, Any]] = field(default_factory=list)
    tables: dict[str, int] = field(default_factory=dict)
    questions: list[Question] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)


def read(
    chart: Chart, csv: str, *, match: bool, accept: Collection[str], columns: Mapping[str, str] | None = None
) -> Brought:
    """Raises InvalidInput at `csv`, among others where no column holds names, and at `csv.LINE`."""
    sheet = open_list(csv, columns or {}, headed="heading" in accept)
    check_names(sheet)
    reader = _Reader(chart, match, accept, sheet)
    for row in sheet.rows:
        reader.line(row.number, row.cells)
    return reader.done()


def open_list(csv: str, columns: Mapping[str, str], *, headed: bool = False) -> Sheet:
    """The list with its columns, before anything is made of its lines. One column without a heading holds names."""
    given: dict[str, Any] = {"most": MOST, "several": SEVERAL, "labeled": "notes", "headed": headed}
    given |= {"repeated": "name", "tagged": "tags"}
    sheet = list_table.read(csv, VOCABULARY, means=columns, **given)
    if not sheet.is_headed and len(sheet.columns) == 1 and not columns:
        sheet = list_table.read(csv, VOCABULARY, means={"1": "name"}, **given)
    return sheet


def check_names(sheet: Sheet) -> None:
    """Refuse a list of which no column holds names: then nothing is known of the others either."""
    if not sheet.columns or {"name", "first", "last"} & set(sheet.fields):
        return
    if sheet.is_headed:
        named = ", ".join(one.name for one in sheet.columns[:12])
        told = f"No column is known to hold the names of the guests. The columns are {named}"
    else:
        told = "No line names the columns. Put a heading above the list, such as name, party, table"
    raise InvalidInput.at("csv", f'{told}. Say what they are in columns, for example {{"1": "name"}}')


class _Reader:
    def __init__(self, chart: Chart, match: bool, accept: Collection[str], sheet: Sheet) -> None:
        self.accept, self.out, self.order = accept, Brought(), order_of(chart)
        self.sheet = replace(sheet, titles=[one for one in sheet.titles if not read_table_name(one[1])])
        self.lost: list[tuple[int, str]] = []
        self.heading = {one.heading for one in sheet.columns if one.heading}
        names = [row.cells["name"] for row in sheet.rows if "name" in row.cells]
        self.numbered = sum(bool(NUMBERED.match(one)) for one in names) > 1
        names = [one for one in names if not TOTAL.fullmatch(one) and not FAMILY.match(one)]
        self.last_first = len(names) > 1 and 5 * sum(is_last_first(one) for one in names) >= 4 * len(names)
        self.group = ""  # the words above the guests of a plain list
        self.table = next((read_table_name(text) for _, text in reversed(sheet.titles) if read_table_name(text)), "")
        guests = list(chart.guests.all()) if match else []
        self.by_mail = {fold(guest.email): guest for guest in guests if guest.email}
        self.by_name = {(fold(guest.name), guest.party_key): guest for guest in guests}
        self.tables = {fold(one.name): one for one in chart.tables.filter(kind=TABLE)}
        self.load = Counter(chart.guests.exclude(table=None).values_list("table", flat=True))
        self.seen: set[tuple[str, str]] = set()
        self.taken: set[str] = set()
        self.wanted: list[tuple[int, dict[str, Any], str]] = []

    def line(self, number: int, cells: Mapping[str, str]) -> None:
        if self._is_between(number, cells):
            return
        given, more = self._name(cells)
        companion = cells.get("companions", "")
        with_them, along = self._companions(number, companion)
        children, small = read_along(cells.get("children", ""))
        if not given:
            self._leave_out(number, "there is no name, so the line is not saved")
            return
        if len(given) > 120:
            self.lost.append((number, "the name is longer than 120 characters, and the rest is not saved"))
        read = guest_row_parser.read(cells)
        self.lost += [(number, told) for told in read.lost]
        counted = int(cells["count"]) - 1 - len(with_them) if cells.get("count", "")[:9].isdecimal() else 0
        asked_for = max(more + along, counted)
        if max(asked_for, small, *_numbers(cells)) > MOST_ALONG:
            self.lost.append((number, f"at most {MOST_ALONG} people come with one guest, and the others are not saved"))
        more = min(MOST_ALONG, max(0, asked_for))
        names = self._people(number, given[:120])
        party = cells.get("party", "")[:120]
        if not party and len(names) + len(with_them) + len(children) + more + small > 1:
            party = given[:120]
        fields, table = read.fields, cells.get("table", "") or self.table
        self._sort_and_tag(fields, cells, names)
        of_all = {name: value for name, value in fields.items() if name in ("reply", "tags")}  # who come by a line
        for place, one in enumerate(names):
            self._guest(number, one, party, fields if place == 0 else of_all, table)
        along_too: Any = (("Guest", with_them, more, {}), ("Child", children, small, {"chair": "child"}))
        for called, named, count, how in along_too:
            nameless = f"{called} of {names[0]}"[:110]
            for place, one in enumerate(named):  # who is named now keeps the place that was kept for them
                was = {nameless, f"{nameless} ({place + 1})"}
                sorted_as = {"sort_name": companion[:120]} if one == turn_around(companion) else {}
                self._guest(number, one, party, {**of_all, **how, **sorted_as}, table, was)
            host = fields.get("sort_name") or sort_name(names[0], self.order)
            unnamed = {**of_all, **how, "sort_name": sort_beside(host, called), "placeholder": True}
            for place in range(count):
                told = f"{nameless} ({place + 1})" if count > 1 else nameless
                self._guest(number, told, party, {**unnamed}, table)

    def _companions(self, number: int, companion: str) -> tuple[list[str], int]:
        """Return who comes along by name, and how many others."""
        if is_open(companion):
            self.lost.append((number, f"the companion “{companion[:60]}” is saved as a guest without a name"))
        if self.last_first and is_last_first(companion):
            return [turn_around(companion)], 0
        return read_along(companion)

    def _sort_and_tag(self, fields: dict[str, Any], cells: Mapping[str, str], names: Sequence[str]) -> None:
        if self.last_first and is_last_first(cells.get("name", "")) and len(names) == 1:
            fields.setdefault("sort_name", cells["name"][:120])
        if family := FAMILY.match(names[0]):
            fields.setdefault("sort_name", names[0][family.end() :])
        if self.group:
            fields["tags"] = list(dict.fromkeys([self.group, *fields.get("tags", ())]))

    def _is_between(self, number: int, cells: Mapping[str, str]) -> bool:
        """Whether a line stands between the guests: a total, the heading once more, or the table of those below."""
        name = cells.get("name", "") or cells.get("first", "") or cells.get("last", "")
        if cells and set(cells.values()) <= self.heading:
            self.lost.append((number, "the heading stands here once more, and is not saved"))
            return True
        if TOTAL.fullmatch(name):
            self._leave_out(number, f"“{name[:60]}” is taken for a total, and is not saved")
            return True
        if len(cells) == 1 and len(self.sheet.columns) > 1 and (table := read_table_name(name)):
            self.table = table
            self.lost.append((number, f"“{name[:60]}” is taken for the table of the guests below"))
            return True
        if len(self.sheet.columns) == 1 and not self.sheet.is_headed and GROUP.fullmatch(name):
            self.group = name.rstrip(" :")[:40]
            self.lost.append((number, f"“{name[:60]}” is taken for a tag of the guests below"))
            return True
        is_first = not self.out.items and not self.wanted and not self.sheet.is_headed
        if is_first and len(self.sheet.columns) == 1 and len(self.sheet.rows) > 1 and TITLE.fullmatch(name[:LONGEST]):
            self._leave_out(number, f"“{name[:60]}” is taken for a title, and is not saved")
            return True
        return False

    def _name(self, cells: Mapping[str, str]) -> tuple[str, int]:
        """The name of a line, and how many the name says come along. `Name` beside a first name is the last name."""
        first, more = take_companions(cells.get("first", ""))
        name, too = take_companions(cells.get("name", "").replace("\n", " & "))
        last = cells.get("last", "")
        if name and first and not last:
            name = name if fold(first) in fold(name) else f"{first} {name}"
        elif name and last and not first:
            name = name if fold(last) in fold(name) else f"{name} {last}"
        elif not name:
            name, too = take_companions(" ".join(filter(None, (first, last))))
        if self.numbered:
            name = NUMBERED.sub("", name, count=1)
        if self.last_first and is_last_first(name):
            name = turn_around(name)
        return " ".join(name.split()), more + too

    def _people(self, number: int, name: str) -> list[str]:
        """`Anna & Ben Berg` is two, where its owner says so."""
        parts = [part.strip() for part in TWO.split(name) if part.strip()]
        if len(parts) != 2 or name.count(",") > 1:
            return [name]
        first, second = parts
        if " " not in first and " " in second:
            first = f"{first} {split_in(second, self.order).family or second.rpartition(' ')[2]}"
        if "split" in self.accept:
            return [first, second]
        self._ask(number, f"“{name}” may be two: {first} and {second}", "split")
        return [name]

    def _guest(
        self, number: int, name: str, party: str, fields: dict[str, Any], table: str, was: Collection[str] = ()
    ) -> None:
        key = (fold(name), fold(party))
        if key in self.seen and "repeated" not in self.accept:
            self._ask(
                number, f"{name} is there twice{f' in {party}' if party else ''}: the second is left out", "repeated"
            )
            self.lost.append((number, "the same guest stands above, so the line is not saved"))
            return
        there = self._known(name, party, fields, key)
        for one in was if there is None else ():
            there = there or self._known(one, party, {}, (fold(one), key[1]))
        self.seen.add(key)
        given: dict[str, Any] = {"name": name, **({"party": party} if party else {}), **fields}
        if there is not None:
            given["id"] = there.pk
            self.taken.add(there.pk)
            if there.table_id is not None and table:
                self.load[there.table_id] -= 1
        self.wanted.append((number, given, table.strip()[:60]))

    def _known(self, name: str, party: str, fields: Mapping[str, Any], key: tuple[str, str]) -> Guest | None:
        found = self.by_mail.get(fold(str(fields.get("email", ""))) or "\0") or self.by_name.get(key)
        return found if found is not None and found.pk not in self.taken else None

    def done(self) -> Brought:
        missing: Counter[str] = Counter()
        for number, given, name in self.wanted:
            self.out.items.append(given)
            if not name or given.get("reply") == Reply.NO:
                continue
            known = self.tables.get(fold(name)) or self.tables.get(re.sub(r"^(?:table|tisch|mesa)\s+", "", fold(name)))
            if known is None:
                missing[name] += 1
                given["table_name"] = name
                if "tables" not in self.accept:
                    self.lost.append((number, f"there is no table “{name}”, so the guest has no table"))
                if missing[name] == 1 and "tables" not in self.accept:
                    self._ask(number, f"There is no table {name}: who sits there has no table", "tables")
            elif self.load[known.pk] >= known.capacity or known.closed:
                self._ask(number, f"Table {known.name} has no seat left for {given['name']}: not seated")
                self.lost.append((number, f"table {known.name} has no seat left, so the guest has no table"))
            else:
                self.load[known.pk] += 1
                given["table_id"] = known.pk
        if "tables" in self.accept:
            self.out.tables = {name: min(60, max(8, count)) for name, count in missing.items()}
        else:
            for given in self.out.items:
                given.pop("table_name", None)
        line = self.sheet.rows[0].number - 1 if self.sheet.rows else 1
        for one in self.sheet.asked:
            told = f"Column {one.name} is not known: say what it is in columns, or leave it out"
            self.out.questions.insert(0, Question(line, told))
        self.out.warnings = [*filter(None, [self.sheet.note]), *self.sheet.warnings(), *list_table.grouped(self.lost)]
        return self.out

    def _leave_out(self, line: int, why: str) -> None:
        self._ask(line, f"{why[:1].upper()}{why[1:]}")
        self.lost.append((line, why))

    def _ask(self, line: int, text: str, accept: str = "") -> None:
        self.out.questions.append(Question(line, text, accept))


def _numbers(cells: Mapping[str, str]) -> list[int]:
    """The numbers of who comes along, as they stand in the list."""
    found = (re.search(r"\d{1,9}", cells.get(name, "")) for name in ("companions", "children"))
    return [int(one[0]) for one in found if one]


def named(made: Sequence[tuple[str, str]], items: Sequence[dict[str, Any]]) -> None:
    """Tables that were made for them, by name and id, in the place of their names."""
    ids = {fold(name): id for name, id in made}
    for given in items:
        if (name := given.pop("table_name", "")) and fold(name) in ids:
            given["table_id"] = ids[fold(name)]
