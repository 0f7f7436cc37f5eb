"""One search over all that is asked for at the door: what every product knows of a person, told together, and what is
missing. Namesakes are told as one, with their addresses; an e-mail address joins two spellings of one name, and never a
mother with her child."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime

from workspace.accounts.models import Account
from workspace.lib import name_key
from workspace.publishing import items
from workspace.publishing.checkin import Door, Kept, Known, Missing, Person, Sought, State, Wanted
from workspace.publishing.manifest import Manifest

FEWEST = 2  # products that make a door
MOST = 12  # people who are told for one search
MOST_EXPECTED = 30
_ORDER = (State.BAD, State.SOON, State.GOOD)


@dataclass(frozen=True, slots=True)
class Line:
    """Of one product; `missing` where it knows nothing."""

    product: Manifest
    known: Known | None = None
    missing: Missing | None = None

    @property
    def state(self) -> State:
        return self.known.state if self.known else State.BAD


@dataclass(slots=True)
class Somebody:
    """All that is known of one person, by the products in their order."""

    name: str
    keys: set[str]
    emails: dict[str, str] = field(default_factory=dict)  # as it is compared, and as it was written
    lines: list[Line] = field(default_factory=list)

    @property
    def state(self) -> State:
        """The worst of all lines."""
        return min((line.state for line in self.lines), key=_ORDER.index, default=State.GOOD)

    @property
    def at(self) -> datetime | None:
        return min((line.known.at for line in self.lines if line.known and line.known.at), default=None)

    def is_called(self, key: str) -> bool:
        return key in self.keys or any(_alike(key, one) for one in self.keys)

    def take(self, person: Person) -> None:
        self.keys.add(name_key.key(person.name))
        self.name = max(self.name, person.name, key=lambda name: (len(name_key.words(name)), len(name)))
        if person.email:
            self.emails.setdefault(person.email.casefold(), person.email)


@dataclass(frozen=True, slots=True)
class Found:
    people: list[Somebody]
    many: bool = False  # there are more


def doors() -> list[tuple[Manifest, Door]]:
    return [(product, product.door) for product in items.manifests() if product.door is not None]


def used(counts: Mapping[str, int]) -> list[Manifest]:
    """Those of which an account has things, by how many there are of each kind."""
    return [product for product, _ in doors() if counts.get(product.key)]


def is_offered(counts: Mapping[str, int]) -> bool:
    """Who uses one product has its own door."""
    return len(used(counts)) >= FEWEST


def mending(account: Account, day: date, kinds: Collection[str]) -> list[Missing]:
    """What is done for somebody whom nobody knows."""
    found = [door.asks(account, day) for product, door in doors() if product.key in kinds]
    return [one for one in found if one is not None and one.url]


def kept(account: Account, day: date, kinds: Collection[str]) -> list[Kept]:
    """What can be had where there is no connection."""
    return [one for product, door in doors() if product.key in kinds for one in door.kept(account, day)]


def find(account: Account, text: str, day: date, kinds: Collection[str]) -> Found:
    """By a few letters, or else whoever is expected that day. `kinds`: the products that count, by their keys."""
    sought = Sought.read(text)
    if text.strip() and not sought:
        return Found([])
    counting = [(product, door) for product, door in doors() if product.key in kinds]
    most = MOST if sought else MOST_EXPECTED
    people = _joined(person for _, door in counting for person in door.found(account, sought, day))
    found = people[:most]
    if found:
        _tell(account, found, day, counting)
    # who is expected comes first, by the time; the others as they were found
    late = datetime.max  # noqa: DTZ901 - compared with clock times, which have no zone
    found.sort(key=lambda one: (one.at is None, one.at.replace(tzinfo=None) if one.at else late))
    return Found(found, many=len(people) > most)


def _joined(people: Iterator[Person]) -> list[Somebody]:
    found: list[Somebody] = []
    for person in people:
        if one := _whose(found, person):
            one.take(person)
        else:
            one = Somebody(person.name, set())
            one.take(person)
            found.append(one)
    return found


def _whose(found: Sequence[Somebody], person: Person) -> Somebody | None:
    """By the name; where an address fits, by a spelling of it that fits nobody else."""
    key = name_key.key(person.name)
    if by_name := next((one for one in found if key in one.keys), None):
        return by_name
    email = person.email.casefold()
    alike = [one for one in found if email and email in one.emails and one.is_called(key)]
    return alike[0] if len(alike) == 1 else None


def _alike(first: str, second: str) -> bool:
    """Whether two names may be one: all words of the shorter stand in the longer, a single letter for a word. Ann is
    not Anna."""
    short, long = sorted((first.split(), second.split()), key=len)
    whole = set(long)
    return any(len(word) > 1 and word in whole for word in short) and all(
        word in whole or (len(word) == 1 and any(one.startswith(word) for one in whole))
        or any(len(one) == 1 and word.startswith(one) for one in whole)
        for word in short
    )  # fmt: skip


def _tell(account: Account, found: Sequence[Somebody], day: date, counting: Sequence[tuple[Manifest, Door]]) -> None:
    wanted = Wanted(
        frozenset(key for one in found for key in one.keys),
        frozenset(email for one in found for email in one.emails),
    )
    for product, door in counting:
        told: dict[int, list[Line]] = {}
        for known in door.of(account, wanted, day):
            if one := _whose(found, known.person):
                one.take(known.person)
                told.setdefault(id(one), []).append(Line(product, known))
        missing = door.asks(account, day) if len(told) < len(found) else None
        for one in found:
            lines = told.get(id(one)) or ([Line(product, missing=missing)] if missing else [])
            one.lines.extend(lines)
