"""A guest list as people keep it, as the guests of a chart: columns by name in whatever language and order, couples and
companions in one line, and what is not sure asked back rather than guessed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from workspace.products.seat.guests import sort_name
from workspace.products.seat.headings import KNOWN, ORDER
from workspace.products.seat.models import TABLE, Chart, Guest, Reply
from workspace.publishing.arguments import clean_email
from workspace.publishing.diets import DIETS
from workspace.toolkit import table
from workspace.toolkit.text import fold

MOST = 2000  # lines
MOST_ALONG = 20  # who come with one guest
Accept = Literal["split", "repeated", "tables"]
_YES = {
    "yes",
    "y",
    "ja",
    "j",
    "si",
    "s",
    "oui",
    "o",
    "true",
    "1",
    "x",
    "accepted",
    "attending",
    "zugesagt",
    "confirmed",
}
_NO = {"no", "n", "nein", "non", "false", "0", "declined", "abgesagt", "not attending", "regrets"}
_SOMEBODY = {"guest", "one", "plus one", "gast", "begleitung", "tba", "tbc", "tbd", "?", "unknown", "invitado"}
LONGEST = 200  # characters of a name that are looked at
_MORE = re.compile(
    r"\s*(?:\+|,?\s*\b(?:plus|und|and|y|et|mit|with)\s+)\s*(?P<count>\d{1,2}|one|guests?|gast|begleitung|invitado|eins)\s*$",
    re.IGNORECASE,
)
_TWO = re.compile(r"\s*(?:&|\+|\band\b|\bund\b|\by\b|\bet\b|\be\b)\s*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Question:
    """`accept` is what settles it, empty where the list itself is to be mended."""

    line: int
    text: str
    accept: str = ""


@dataclass(slots=True)
class Brought:
    """`items` as svc_seat_save_guests takes them, in the order of the lines; `tables` are names to make first."""

    items: list[dict[str, Any]] = field(default_factory=list)
    tables: dict[str, int] = field(default_factory=dict)
    questions: list[Question] = field(default_factory=list)
    note: str = ""


def read(chart: Chart, csv: str, *, match: bool, accept: Collection[str]) -> Brought:
    """Raises InvalidInput at `csv` and at `csv.LINE`."""
    found = table.read(csv, KNOWN, order=ORDER, most=MOST, lenient=True)
    reader = _Reader(chart, match, accept)
    for row in found.rows:
        reader.line(row.number, row.cells)
    return reader.done(found.note)


class _Reader:
    def __init__(self, chart: Chart, match: bool, accept: Collection[str]) -> None:
        self.accept, self.out = accept, Brought()
        guests = list(chart.guests.all()) if match else []
        self.by_mail = {fold(guest.email): guest for guest in guests if guest.email}
        self.by_name = {(fold(guest.name), guest.party_key): guest for guest in guests}
        self.tables = {fold(one.name): one for one in chart.tables.filter(kind=TABLE)}
        self.load = Counter(chart.guests.exclude(table=None).values_list("table", flat=True))
        self.seen: set[tuple[str, str]] = set()
        self.taken: set[str] = set()
        self.wanted: list[tuple[int, dict[str, Any], str]] = []

    def line(self, number: int, cells: Mapping[str, str]) -> None:
        first, more = _companions(cells.get("first", ""))
        with_them, along = _along(cells.get("companions", ""))
        children, small = _along(cells.get("children", ""))
        name = cells.get("name") or " ".join(filter(None, (first, cells.get("last"))))
        if not name:
            self._ask(number, "There is no name: it is left out")
            return
        name, too = _companions(name)
        more = min(MOST_ALONG, more + too + along)
        names = self._people(number, " ".join(name.split())[:120])
        party = cells.get("party", "")[:120]
        if not party and len(names) + len(with_them) + len(children) + more + small > 1:
            party = name[:120]
        fields, table = self._fields(number, cells), cells.get("table", "")
        of_all = {name: value for name, value in fields.items() if name in ("reply", "tags")}  # who come by a line
        for place, one in enumerate(names):
            self._guest(number, one, party, fields if place == 0 else of_all, table)
        along_too: Any = (("Guest", with_them, more, {}), ("Child", children, small, {"chair": "child"}))
        for called, named, count, how in along_too:
            nameless = f"{called} of {names[0]}"[:110]
            for place, one in enumerate(named):  # who is named now keeps the place that was kept for them
                was = {nameless, f"{nameless} ({place + 1})"}
                self._guest(number, one, party, {**of_all, **how}, table, was)
            for place in range(count):
                told = f"{nameless} ({place + 1})" if count > 1 else nameless
                how = {
                    **how,
                    "sort_name": f"{sort_name(names[0])[:100]} ({called.lower()})",
                }  # beside whom they come with
                self._guest(number, told, party, {**of_all, **how, "placeholder": True}, table)

    def _people(self, number: int, name: str) -> list[str]:
        """`Anna & Ben Berg` is two, where its owner says so."""
        parts = [part.strip() for part in _TWO.split(name) if part.strip()]
        if len(parts) != 2 or name.count(",") > 1:
            return [name]
        first, second = parts
        if " " not in first and " " in second:
            first = f"{first} {second.rpartition(' ')[2]}"
        if "split" in self.accept:
            return [first, second]
        self._ask(number, f"“{name}” may be two: {first} and {second}", "split")
        return [name]

    def _fields(self, number: int, cells: Mapping[str, str]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for name, most in (("sort_name", 120), ("meal", 80), ("notes", 500), ("phone", 40)):
            if name in cells:
                found[name] = cells[name][:most]
        if "meals" in cells:
            found["meals"] = [meal.strip()[:80] for meal in cells["meals"].split("|")][:8]
            found.pop("meal", None)
        if "tags" in cells:
            found["tags"] = [tag.strip()[:40] for tag in cells["tags"].split(",") if tag.strip()][:20]
        if "email" in cells:
            try:
                found["email"] = clean_email(cells["email"])
            except ValueError as problem:
                self._ask(number, f"{problem}: {cells['email'][:60]}")
        if "diet" in cells:
            found["diet"], rest = _diets(cells["diet"])
            if rest:
                found["notes"] = "; ".join(filter(None, (found.get("notes", ""), rest)))[:500]
        if "reply" in cells:
            said = fold(cells["reply"]).strip(" .!")
            found["reply"] = Reply.YES if said in _YES else Reply.NO if said in _NO else Reply.WAITING
        if "chair" in cells:
            said = fold(cells["chair"])
            found["chair"] = "high" if "high" in said or "hoch" in said else "" if said in _NO else "child"
        for name in ("wheelchair", "placeholder"):
            if name in cells:
                found[name] = fold(cells[name]) not in _NO
        if cells.get("seat", "").isdecimal():
            found["seat"] = min(60, int(cells["seat"][:9]))
        return found

    def _guest(
        self, number: int, name: str, party: str, fields: dict[str, Any], table: str, was: Collection[str] = ()
    ) -> None:
        key = (fold(name), fold(party))
        if key in self.seen and "repeated" not in self.accept:
            self._ask(
                number, f"{name} is there twice{f' in {party}' if party else ''}: the second is left out", "repeated"
            )
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

    def done(self, note: str) -> Brought:
        missing: Counter[str] = Counter()
        for number, given, name in self.wanted:
            self.out.items.append(given)
            if not name or given.get("reply") == Reply.NO:
                continue
            known = self.tables.get(fold(name)) or self.tables.get(re.sub(r"^(?:table|tisch|mesa)\s+", "", fold(name)))
            if known is None:
                missing[name] += 1
                given["table_name"] = name
                if missing[name] == 1 and "tables" not in self.accept:
                    self._ask(number, f"There is no table {name}: who sits there has no table", "tables")
            elif self.load[known.pk] >= known.capacity or known.closed:
                self._ask(number, f"Table {known.name} has no seat left for {given['name']}: not seated")
            else:
                self.load[known.pk] += 1
                given["table_id"] = known.pk
        if "tables" in self.accept:
            self.out.tables = {name: min(60, max(8, count)) for name, count in missing.items()}
        else:
            for given in self.out.items:
                given.pop("table_name", None)
        self.out.note = note
        return self.out

    def _ask(self, line: int, text: str, accept: str = "") -> None:
        self.out.questions.append(Question(line, text, accept))


def _along(told: str) -> tuple[list[str], int]:
    """Who comes along, by name where a cell has names, or how many."""
    told = " ".join(told.split())[:LONGEST]
    if digits := re.search(r"\d{1,9}", told):
        return [], min(int(digits[0]), MOST_ALONG)
    said = fold(told).strip(" .!")
    if said in _NO or not any(char.isalpha() for char in said):
        return [], int("?" in told or "+" in told)
    if said in _YES or said in _SOMEBODY:
        return [], 1
    names = [part for word in re.split(r"[,;/]", told) for part in _TWO.split(word.strip()) if part]
    return [name[:120] for name in names[:MOST_ALONG]], 0


def _companions(name: str) -> tuple[str, int]:
    """The name without what says how many come along, and how many these are."""
    more = 0
    # a cell may be long: what looks for words about companions takes the longer the more blanks there are
    name = " ".join(name.split())[:LONGEST]
    if found := _MORE.search(name):
        count = found["count"]
        more += int(count) if count.isdecimal() else 1
        name = name[: found.start()]
    return name, min(more, MOST_ALONG)


def _diets(text: str) -> tuple[list[str], str]:
    """Diets by the names that they have, and the other words."""
    called = {fold(one.called): key for key, one in DIETS.items()} | {fold(key): key for key in DIETS}
    called |= {fold(one.label): key for key, one in DIETS.items()}
    words = [word.strip() for word in re.split(r"[,;/|]", text) if word.strip()]
    keys = [called[fold(word)] for word in words if fold(word) in called]
    return list(dict.fromkeys(keys)), ", ".join(word for word in words if fold(word) not in called)


def named(made: Sequence[tuple[str, str]], items: Sequence[dict[str, Any]]) -> None:
    """Tables that were made for them, by name and id, in the place of their names."""
    ids = {fold(name): id for name, id in made}
    for given in items:
        if (name := given.pop("table_name", "")) and fold(name) in ids:
            given["table_id"] = ids[fold(name)]
