"""One person, over all that an account holds, told by an e-mail address or a telephone number: found, exported, and
erased at once and everywhere. Nothing brings back what was erased, no undo and no bin.

Each room and each product says what it holds of people, and nobody looks into another's tables:

    Held      rows of a table. Some are a person's own (a contact that they left): these go whole, with their pictures.
              Others name people in passing (a note, a link, an owner's card): they stay, without the address.
    Trail     what remembers other things: changes, mails, answers that were kept, files.

Products say it as `personal` in their manifest; rooms register here. A test walks all tables: each is told, or stands
on its list of those that hold nobody.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from django.db import connection
from django.db.models import Model, QuerySet
from django.db.models.constants import LOOKUP_SEP

from workspace.accounts import change_log, permissions
from workspace.accounts.models import Account, Change
from workspace.accounts.privacy.text_mentions import Trace, columns_of, naming
from workspace.lib.data_subject import ERASED, Sought
from workspace.lib.errors import ToolError
from workspace.lib.text import counted
from workspace.storage.database import transactions

FINAL = "What is erased does not come back"
TOOL = "erase_person"  # as the list of changes calls it; it is no tool
_ROUNDS = 50  # of up to a thousand rows of each table


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """Rows of one table, which hold something of people.

    noun      what one of them is, within a sentence
    rows      all of an account's, those in the bin as well
    theirs    the columns that say whose a row is: the person's, where one of them names them. Such a row goes whole
    is_kept   it is the owner's own thing all the same (a business card): it goes whole where the owner asks for it or
              has put it into the bin, and else stays without the address
    names     the columns with the person's name, emptied in a row that is theirs and stays
    drop      how such rows go for good, with all that belongs to them; they are deleted where it is left out
    settle    what follows when rows stay that have lost a text, such as pages that are drawn anew
    pictures  foreign keys to uploads, which are exported with the row
    page      where the owner finds one, below `/app`
    under     the way to what guests hold before they write (`card__publication`): erasing holds it before all else, so
              that the two never wait for one another
    """

    model: type[Model]
    noun: str
    rows: Callable[[Account], QuerySet[Any]]
    theirs: Sequence[str] = ()
    is_kept: bool = False
    names: Sequence[str] = ()
    drop: Callable[[Account, Sequence[Any]], None] | None = None
    settle: Callable[[Account, Sequence[Any]], None] | None = None
    pictures: Sequence[str] = ()
    page: Callable[[Any], str] | None = None
    under: str = ""

    def goes_whole(self, row: Any, sought: Sought, things: Collection[str]) -> bool:
        if not self.is_theirs(row, sought):
            return False
        return not self.is_kept or row.pk in things or getattr(row, "binned_at", None) is not None

    def is_theirs(self, row: Any, sought: Sought) -> bool:
        return any(sought.names(getattr(row, name)) for name in self.theirs)


@dataclass(frozen=True, slots=True, kw_only=True)
class Trail:
    """What remembers a person besides, in the rows of some models. `find` answers keys, looking as long as it takes,
    outside of any transaction; `tell` says what they hold; `erase` takes it out, in the transaction of the erasing. The
    account is None for what belongs to the installation (`of_installation`) and is its operator's to erase."""

    noun: str
    models: Sequence[type[Model]]
    find: Callable[[Account | None, Trace], list[Any]]
    erase: Callable[[Account | None, Sequence[Any], Trace], None]
    tell: Callable[[Sequence[Any], Trace], list[dict[str, Any]]] | None = None
    of_account: bool = True
    of_installation: bool = False


@dataclass(slots=True)
class Part:
    """`whole` are rows that go, `named` those that stay without the address; of these `offered` may go, if the owner
    asks for it."""

    held: Held
    whole: list[Any] = field(default_factory=list)
    named: list[Any] = field(default_factory=list)
    offered: list[Any] = field(default_factory=list)


@dataclass(slots=True)
class Found:
    account: Account | None
    trace: Trace
    parts: list[Part]
    trails: list[tuple[Trail, list[Any]]]

    def __bool__(self) -> bool:
        return bool(self.parts or self.trails)

    def counts(self) -> Counter[str]:
        """How many there are of what goes, by the noun for one; rows that stay are mentions."""
        found = Counter({part.held.noun: len(part.whole) for part in self.parts})
        found.update({trail.noun: len(keys) for trail, keys in self.trails})
        found["mention"] = sum(len(part.named) for part in self.parts)
        return +found


_held: dict[type[Model], Held] = {}
_trails: dict[str, Trail] = {}


def register(*ways: Held | Trail) -> None:
    """In the `ready` of the room whose tables they are. A later one replaces an earlier of the same table or noun."""
    for way in ways:
        if isinstance(way, Held):
            _held[way.model] = way
        else:
            _trails[way.noun] = way


def models() -> set[type[Model]]:
    """Every table that was told."""
    return {*_held, *(model for trail in _trails.values() for model in trail.models)}


def find(account: Account | None, sought: Sought, things: Collection[str] = ()) -> Found:
    """What is known of a person, by a few queries for each table; `things` are ids of the owner's own that go whole."""
    parts = [part for one in _held.values() if account and (part := _part(one, account, sought, things))]
    trace = Trace(sought, frozenset(str(row.pk) for part in parts for row in part.whole))
    trails = []
    for trail in _trails.values():
        fits = trail.of_account if account else trail.of_installation
        if fits and (keys := trail.find(account, trace)):
            trails.append((trail, keys))
    return Found(account, trace, parts, trails)


def _part(one: Held, account: Account, sought: Sought, things: Collection[str]) -> Part | None:
    rows = naming(one.rows(account), columns_of(one.model), Trace(sought))
    part = Part(one)
    for row in rows:
        (part.whole if one.goes_whole(row, sought, things) else part.named).append(row)
    if one.is_kept:
        part.offered = [row for row in part.named if one.is_theirs(row, sought)]
    return part if rows else None


def erase(
    account: Account | None, sought: Sought, *, things: Collection[str] = (), by: Change | None = None
) -> Counter[str]:
    """Erase the person from all that the account holds, and say how many of what. `by` says who did it, through what:
    a row that is not saved, for the account's list of changes. Raises ToolError when something is left."""
    done: Counter[str] = Counter()
    for _ in range(_ROUNDS):
        found = find(account, sought, things)
        if not found:
            break
        with transactions.writing():
            if account is not None:
                account = account.lock()
                _hold(found.parts)
            # first: rows that go take along what leads from earlier changes to their pictures
            for trail, keys in found.trails:
                trail.erase(account, keys, found.trace)
            for part in found.parts:
                if account is not None:
                    _erase_part(account, part, sought, things)
            if account is not None and by is not None:
                _note(account, by, found)
        done.update(found.counts())
    else:
        raise ToolError("Much was erased, and something is left: do it once more")
    if done:
        transactions.wipe()
    return done


def _hold(parts: Sequence[Part]) -> None:
    """One at a time writes on SQLite anyway."""
    if not connection.features.has_select_for_no_key_update:
        return
    wanted: dict[type[Model], set[Any]] = {}
    for part in parts:
        if not part.held.under:
            continue
        whole, model = part.held.model, cast(Any, part.held.model)
        for step in part.held.under.split(LOOKUP_SEP):
            model = model._meta.get_field(step).related_model
        rows = whole._base_manager.filter(pk__in=[row.pk for row in (*part.whole, *part.named)])
        wanted.setdefault(model, set()).update(rows.values_list(part.held.under, flat=True))
    for model, keys in wanted.items():
        held = model._base_manager.filter(pk__in=keys).order_by("pk").select_for_update(no_key=True)
        list(held.values_list("pk"))


def _erase_part(account: Account, part: Part, sought: Sought, things: Collection[str]) -> None:
    one = part.held
    # read again: the owner may have changed them meanwhile
    rows = list(one.rows(account).filter(pk__in=[row.pk for row in (*part.whole, *part.named)]))
    whole = [row for row in rows if one.goes_whole(row, sought, things)]
    gone = {row.pk for row in whole}
    if whole and one.drop is not None:
        one.drop(account, whole)
    elif whole:
        one.model._base_manager.filter(pk__in=gone).delete()
    named = [row for row in rows if row.pk not in gone]
    _empty_names(account, one, [row for row in named if one.names and one.is_theirs(row, sought)])
    if take_out(named, columns_of(one.model), sought) and one.settle is not None:
        one.settle(account, named)


def _empty_names(account: Account, one: Held, rows: Sequence[Any]) -> None:
    """Empty the names in rows that stay, and in what earlier changes keep of them."""
    if not rows:
        return
    for row in rows:
        for name in one.names:
            setattr(row, name, "")
    one.model._base_manager.bulk_update(rows, [*one.names], batch_size=200)
    change_log.forget(account, [str(row.pk) for row in rows])


def take_out(rows: Sequence[Any], columns: Sequence[str], sought: Sought) -> bool:
    """Save rows of one table without what names the person; whether there was any."""
    changed: set[str] = set()
    for row in rows:
        for name in columns:
            value = getattr(row, name)
            rest = sought.without(value)
            if rest == value:
                continue
            column = row._meta.get_field(name)
            if rest == "" and not column.blank:
                rest = ERASED
            setattr(row, name, rest[: column.max_length] if isinstance(rest, str) else rest)
            changed.add(name)
    if changed:
        type(rows[0])._base_manager.bulk_update(rows, sorted(changed), batch_size=200)
    return bool(changed)


def _note(account: Account, by: Change, found: Found) -> None:
    told = ", ".join(counted(count, noun) for noun, count in found.counts().items())
    Change.objects.create(
        account=account,
        actor=by.actor,
        who=by.who,
        face=by.face,
        tool=TOOL,
        whose=permissions.OWNERS,
        text=f"A person was erased: {told}"[: Change._meta.get_field("text").max_length],
        final=FINAL,
    )
