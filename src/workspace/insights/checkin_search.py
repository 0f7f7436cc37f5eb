"""Check-in search over all products: each product's data about a person, and a note on missing data.

People with the same name are one result, with their email addresses. A shared email address joins two spellings of one
name, but never two family members.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime

from workspace.accounts.models import Account
from workspace.lib import name_key
from workspace.publishing import items
from workspace.publishing.checkin import (
    CheckinMatch,
    CheckinPerson,
    CheckinQuery,
    CheckinSearch,
    CheckinSource,
    CheckinState,
    MissingItem,
    OfflineList,
)
from workspace.publishing.manifest import Manifest

MIN_PRODUCTS = 2  # products in use from which the common check-in page is offered
MAX_PEOPLE = 12  # per search
MAX_EXPECTED = 30
_STATE_ORDER = (CheckinState.BAD, CheckinState.SOON, CheckinState.GOOD)


@dataclass(frozen=True, slots=True)
class CheckinLine:
    """A line for one product. `missing` is set if the product has no data about the person."""

    product: Manifest
    known: CheckinPerson | None = None
    missing: MissingItem | None = None

    @property
    def state(self) -> CheckinState:
        return self.known.state if self.known else CheckinState.BAD


@dataclass(slots=True)
class PersonResult:
    """All data of a person, in the order of the products."""

    name: str
    keys: set[str]
    emails: dict[str, str] = field(default_factory=dict)  # by the normalized address, as it was entered
    lines: list[CheckinLine] = field(default_factory=list)

    @property
    def state(self) -> CheckinState:
        """The worst state of all lines."""
        return min((line.state for line in self.lines), key=_STATE_ORDER.index, default=CheckinState.GOOD)

    @property
    def first_time(self) -> datetime | None:
        return min((line.known.at for line in self.lines if line.known and line.known.at), default=None)

    def has_name(self, key: str) -> bool:
        return key in self.keys or any(_is_same_name(key, one) for one in self.keys)

    def add_match(self, person: CheckinMatch) -> None:
        """Add a match of the same person, including the spelling of the name and the email address."""
        self.keys.add(name_key.build_key(person.name))
        self.name = max(self.name, person.name, key=lambda name: (len(name_key.split_words(name)), len(name)))
        if person.email:
            self.emails.setdefault(person.email.casefold(), person.email)


@dataclass(frozen=True, slots=True)
class CheckinResult:
    people: list[PersonResult]
    has_more: bool = False  # whether there are more people


def list_sources() -> list[tuple[Manifest, CheckinSource]]:
    return [(product, product.checkin) for product in items.list_manifests() if product.checkin is not None]


def list_products_in_use(counts: Mapping[str, int]) -> list[Manifest]:
    """Return the products that the account has items of. `counts` contains the number of items per product."""
    return [product for product, _ in list_sources() if counts.get(product.key)]


def is_offered(counts: Mapping[str, int]) -> bool:
    """Return whether the common check-in page is offered. If there is only one product, its own page is used."""
    return len(list_products_in_use(counts)) >= MIN_PRODUCTS


def list_missing_items(account: Account, day: date, kinds: Collection[str]) -> list[MissingItem]:
    """Return the missing items of an unknown person."""
    found = [door.find_missing(account, day) for product, door in list_sources() if product.key in kinds]
    return [one for one in found if one is not None and one.url]


def offline_lists(account: Account, day: date, kinds: Collection[str]) -> list[OfflineList]:
    """Return the lists for use without a connection."""
    return [one for product, door in list_sources() if product.key in kinds for one in door.offline_lists(account, day)]


def search_people(account: Account, text: str, day: date, kinds: Collection[str]) -> CheckinResult:
    """Search for people by a few letters of their name, or return those expected on a day.

    `kinds` are the keys of the products to search.
    """
    sought = CheckinSearch.parse_text(text)
    if text.strip() and not sought:
        return CheckinResult([])
    counting = [(product, door) for product, door in list_sources() if product.key in kinds]
    most = MAX_PEOPLE if sought else MAX_EXPECTED
    people = _merge_people(person for _, door in counting for person in door.search_people(account, sought, day))
    found = people[:most]
    if found:
        _add_details(account, found, day, counting)
    # expected people come first, by time; the others in search order
    late = datetime.max  # noqa: DTZ901 - compared with local times, which have no zone
    found.sort(
        key=lambda one: (one.first_time is None, one.first_time.replace(tzinfo=None) if one.first_time else late)
    )
    return CheckinResult(found, has_more=len(people) > most)


def _merge_people(people: Iterator[CheckinMatch]) -> list[PersonResult]:
    found: list[PersonResult] = []
    for person in people:
        if one := _match_person(found, person):
            one.add_match(person)
        else:
            one = PersonResult(person.name, set())
            one.add_match(person)
            found.append(one)
    return found


def _match_person(results: Sequence[PersonResult], person: CheckinMatch) -> PersonResult | None:
    """Return the result for the same person, or None.

    It has the same name, or it is the only one with the same email address and a matching spelling.
    """
    key = name_key.build_key(person.name)
    if by_name := next((one for one in results if key in one.keys), None):
        return by_name
    email = person.email.casefold()
    alike = [one for one in results if email and email in one.emails and one.has_name(key)]
    return alike[0] if len(alike) == 1 else None


def _is_same_name(first: str, second: str) -> bool:
    """Return whether two names may be the same.

    All words of the shorter one must be in the longer one, where an initial matches a word. Ann does not match Anna."""
    short, long = sorted((first.split(), second.split()), key=len)
    whole = set(long)
    return any(len(word) > 1 and word in whole for word in short) and all(
        word in whole or (len(word) == 1 and any(one.startswith(word) for one in whole))
        or any(len(one) == 1 and word.startswith(one) for one in whole)
        for word in short
    )  # fmt: skip


def _add_details(
    account: Account, results: Sequence[PersonResult], day: date, counting: Sequence[tuple[Manifest, CheckinSource]]
) -> None:
    wanted = CheckinQuery(
        frozenset(key for one in results for key in one.keys),
        frozenset(email for one in results for email in one.emails),
    )
    for product, door in counting:
        lines_by_person: dict[int, list[CheckinLine]] = {}
        for known in door.people_for(account, wanted, day):
            if one := _match_person(results, known.person):
                one.add_match(known.person)
                lines_by_person.setdefault(id(one), []).append(CheckinLine(product, known))
        missing = door.find_missing(account, day) if len(lines_by_person) < len(results) else None
        for one in results:
            lines = lines_by_person.get(id(one)) or ([CheckinLine(product, missing=missing)] if missing else [])
            one.lines.extend(lines)
