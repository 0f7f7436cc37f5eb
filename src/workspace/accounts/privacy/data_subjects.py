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
from workspace.accounts.privacy.text_mentions import MentionMatcher, find_mentions, text_columns
from workspace.lib.data_subject import ERASED_MARKER, DataSubject
from workspace.lib.errors import OperationNotAllowedError
from workspace.lib.text import format_count
from workspace.storage.database import transactions

FINAL_REASON = "What is erased does not come back"
TOOL_NAME = "erase_person"  # as the list of changes calls it; it is no tool
_MAX_ROUNDS = 50  # of up to a thousand rows of each table


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonalTable:
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
    identity_columns: Sequence[str] = ()
    is_owner_item: bool = False
    name_columns: Sequence[str] = ()
    delete_rows: Callable[[Account, Sequence[Any]], None] | None = None
    after_erase: Callable[[Account, Sequence[Any]], None] | None = None
    image_columns: Sequence[str] = ()
    page_url: Callable[[Any], str] | None = None
    lock_path: str = ""

    def should_delete(self, row: Any, sought: DataSubject, things: Collection[str]) -> bool:
        if not self.is_about(row, sought):
            return False
        return not self.is_owner_item or row.pk in things or getattr(row, "binned_at", None) is not None

    def is_about(self, row: Any, sought: DataSubject) -> bool:
        return any(sought.is_named_in(getattr(row, name)) for name in self.identity_columns)


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonalText:
    """What remembers a person besides, in the rows of some models. `find_subject_data` answers keys, looking as long as
    it takes, outside of any transaction; `export` says what they hold; `erase_subject` takes it out, in the transaction
    of the erasing. The account is None for what belongs to the installation (`of_installation`) and is its operator's
    to erase."""

    noun: str
    models: Sequence[type[Model]]
    find: Callable[[Account | None, MentionMatcher], list[Any]]
    erase: Callable[[Account | None, Sequence[Any], MentionMatcher], None]
    export: Callable[[Sequence[Any], MentionMatcher], list[dict[str, Any]]] | None = None
    of_account: bool = True
    of_installation: bool = False


@dataclass(slots=True)
class TableMatch:
    """`own_rows` are rows that go, `mentioning_rows` those that stay without the address; of these `deletable_rows` may
    go, if the owner asks for it."""

    table: PersonalTable
    own_rows: list[Any] = field(default_factory=list)
    mentioning_rows: list[Any] = field(default_factory=list)
    deletable_rows: list[Any] = field(default_factory=list)


@dataclass(slots=True)
class SubjectData:
    account: Account | None
    trace: MentionMatcher
    parts: list[TableMatch]
    texts: list[tuple[PersonalText, list[Any]]]

    def __bool__(self) -> bool:
        return bool(self.parts or self.texts)

    def count_by_noun(self) -> Counter[str]:
        """How many there are of what goes, by the noun for one; rows that stay are mentions."""
        found = Counter({part.table.noun: len(part.own_rows) for part in self.parts})
        found.update({trail.noun: len(keys) for trail, keys in self.texts})
        found["mention"] = sum(len(part.mentioning_rows) for part in self.parts)
        return +found


_tables: dict[type[Model], PersonalTable] = {}
_texts: dict[str, PersonalText] = {}


def register_personal_data(*ways: PersonalTable | PersonalText) -> None:
    """In the `ready` of the room whose tables they are. A later one replaces an earlier of the same table or noun."""
    for way in ways:
        if isinstance(way, PersonalTable):
            _tables[way.model] = way
        else:
            _texts[way.noun] = way


def registered_models() -> set[type[Model]]:
    """Every table that was told."""
    return {*_tables, *(model for trail in _texts.values() for model in trail.models)}


def find_subject_data(account: Account | None, sought: DataSubject, things: Collection[str] = ()) -> SubjectData:
    """What is known of a person, by a few queries for each table; `things` are ids of the owner's own that go whole."""
    parts = [part for one in _tables.values() if account and (part := _match_table(one, account, sought, things))]
    trace = MentionMatcher(sought, frozenset(str(row.pk) for part in parts for row in part.own_rows))
    trails = []
    for trail in _texts.values():
        fits = trail.of_account if account else trail.of_installation
        if fits and (keys := trail.find(account, trace)):
            trails.append((trail, keys))
    return SubjectData(account, trace, parts, trails)


def _match_table(
    one: PersonalTable, account: Account, sought: DataSubject, things: Collection[str]
) -> TableMatch | None:
    rows = find_mentions(one.rows(account), text_columns(one.model), MentionMatcher(sought))
    part = TableMatch(one)
    for row in rows:
        (part.own_rows if one.should_delete(row, sought, things) else part.mentioning_rows).append(row)
    if one.is_owner_item:
        part.deletable_rows = [row for row in part.mentioning_rows if one.is_about(row, sought)]
    return part if rows else None


def erase_subject(
    account: Account | None, sought: DataSubject, *, things: Collection[str] = (), by: Change | None = None
) -> Counter[str]:
    """Erase the person from all that the account holds, and say how many of what. `by` says who did it, through what: a
    row that is not saved, for the account's list of changes. Raises OperationNotAllowedError when something is left."""
    done: Counter[str] = Counter()
    for _ in range(_MAX_ROUNDS):
        found = find_subject_data(account, sought, things)
        if not found:
            break
        with transactions.write_transaction():
            if account is not None:
                account = account.lock()
                _lock_parents(found.parts)
            # first: rows that go take along what leads from earlier changes to their pictures
            for trail, keys in found.texts:
                trail.erase(account, keys, found.trace)
            for part in found.parts:
                if account is not None:
                    _erase_table(account, part, sought, things)
            if account is not None and by is not None:
                _log_erasure(account, by, found)
        done.update(found.count_by_noun())
    else:
        raise OperationNotAllowedError("Much was erased, and something is left: do it once more")
    if done:
        transactions.truncate_write_log()
    return done


def _lock_parents(parts: Sequence[TableMatch]) -> None:
    """One at a time writes on SQLite anyway."""
    if not connection.features.has_select_for_no_key_update:
        return
    wanted: dict[type[Model], set[Any]] = {}
    for part in parts:
        if not part.table.lock_path:
            continue
        whole, model = part.table.model, cast(Any, part.table.model)
        for step in part.table.lock_path.split(LOOKUP_SEP):
            model = model._meta.get_field(step).related_model
        rows = whole._base_manager.filter(pk__in=[row.pk for row in (*part.own_rows, *part.mentioning_rows)])
        wanted.setdefault(model, set()).update(rows.values_list(part.table.lock_path, flat=True))
    for model, keys in wanted.items():
        held = model._base_manager.filter(pk__in=keys).order_by("pk").select_for_update(no_key=True)
        list(held.values_list("pk"))


def _erase_table(account: Account, part: TableMatch, sought: DataSubject, things: Collection[str]) -> None:
    one = part.table
    # read again: the owner may have changed them meanwhile
    rows = list(one.rows(account).filter(pk__in=[row.pk for row in (*part.own_rows, *part.mentioning_rows)]))
    whole = [row for row in rows if one.should_delete(row, sought, things)]
    gone = {row.pk for row in whole}
    if whole and one.delete_rows is not None:
        one.delete_rows(account, whole)
    elif whole:
        one.model._base_manager.filter(pk__in=gone).delete()
    named = [row for row in rows if row.pk not in gone]
    _clear_names(account, one, [row for row in named if one.name_columns and one.is_about(row, sought)])
    if erase_mentions(named, text_columns(one.model), sought) and one.after_erase is not None:
        one.after_erase(account, named)


def _clear_names(account: Account, one: PersonalTable, rows: Sequence[Any]) -> None:
    """Empty the names in rows that stay, and in what earlier changes keep of them."""
    if not rows:
        return
    for row in rows:
        for name in one.name_columns:
            setattr(row, name, "")
    one.model._base_manager.bulk_update(rows, [*one.name_columns], batch_size=200)
    change_log.erase_from_changes(account, [str(row.pk) for row in rows])


def erase_mentions(rows: Sequence[Any], columns: Sequence[str], sought: DataSubject) -> bool:
    """Save rows of one table without what names the person; whether there was any."""
    changed: set[str] = set()
    for row in rows:
        for name in columns:
            value = getattr(row, name)
            rest = sought.remove_from(value)
            if rest == value:
                continue
            column = row._meta.get_field(name)
            if rest == "" and not column.blank:
                rest = ERASED_MARKER
            setattr(row, name, rest[: column.max_length] if isinstance(rest, str) else rest)
            changed.add(name)
    if changed:
        type(rows[0])._base_manager.bulk_update(rows, sorted(changed), batch_size=200)
    return bool(changed)


def _log_erasure(account: Account, by: Change, found: SubjectData) -> None:
    told = ", ".join(format_count(count, noun) for noun, count in found.count_by_noun().items())
    Change.objects.create(
        account=account,
        actor_key=by.actor_key,
        actor_name=by.actor_name,
        channel=by.channel,
        tool=TOOL_NAME,
        area=permissions.OWNERS,
        summary=f"A person was erased: {told}"[: Change._meta.get_field("summary").max_length],
        final_note=FINAL_REASON,
    )
