"""Personal data of one person in an account, identified by email or phone: find, export and erase.

Erasure is immediate and complete. Neither undo nor the bin restores it. Each package and product declares its own
tables:

- PersonalTable: rows of a table. Rows about a person (a contact that they submitted) are deleted, with their images.
  Rows that mention a person (a note, a link, an owner's card) remain without the address.
- PersonalText: other places that contain copies of text: changes, emails, stored answers, files.

Products declare them as `privacy` in their manifest, and packages register them here. A test checks that every table is
declared or listed as free of personal data.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from django.db import connection
from django.db.models import Model, QuerySet
from django.db.models.constants import LOOKUP_SEP

from workspace.accounts import change_log, messages, permissions
from workspace.accounts.models import Account, Change
from workspace.accounts.privacy.text_mentions import MentionMatcher, find_mentions, text_columns
from workspace.lib.data_subject import ERASED_MARKER, DataSubject
from workspace.lib.errors import OperationNotAllowedError
from workspace.lib.text import format_count
from workspace.storage.database import transactions

FINAL_REASON = "Deleted personal data can’t be restored"
TOOL_NAME = "erase_person"  # its name in the change log, although it is not a tool
_MAX_ROUNDS = 50  # each with up to a thousand rows of each table


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonalTable:
    """Rows of one table that contain personal data.

    - `noun`: the name of a row in a sentence.
    - `rows`: all rows of an account, including those in the bin.
    - `identity_columns`: columns that identify the person whom a row is about. A row about the person is deleted.
    - `is_owner_item`: the row is the owner's item even if it is about the person (a business card). It is deleted if
      the owner requests it or has moved it to the bin; otherwise only the address is removed.
    - `name_columns`: columns with the person's name, cleared in such a row that remains.
    - `delete_rows`: deletes rows with everything that belongs to them. Default: delete the rows.
    - `after_erase`: runs after text was removed from rows that remain, for example to render pages again.
    - `image_columns`: foreign keys to uploads that are exported with the row.
    - `page_url`: the owner's page for a row, below `/app`.
    - `lock_path`: lookup to the row that guests lock before they write (`card__publication`). Erasure locks it first,
      to prevent deadlocks.
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

    def should_delete(self, row: Any, subject: DataSubject, item_ids: Collection[str]) -> bool:
        if not self.is_about(row, subject):
            return False
        return not self.is_owner_item or row.pk in item_ids or getattr(row, "binned_at", None) is not None

    def is_about(self, row: Any, subject: DataSubject) -> bool:
        return any(subject.is_named_in(getattr(row, name)) for name in self.identity_columns)


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonalText:
    """Other text that may mention a person, in the rows of some models.

    `find` returns keys; it may be slow and runs outside of any transaction. `export` returns their contents. `erase`
    removes them, in the transaction of the erasure. The account is None for data of the instance (`of_installation`),
    which the administrator erases.
    """

    noun: str
    models: Sequence[type[Model]]
    find: Callable[[Account | None, MentionMatcher], list[Any]]
    erase: Callable[[Account | None, Sequence[Any], MentionMatcher], None]
    export: Callable[[Sequence[Any], MentionMatcher], list[dict[str, Any]]] | None = None
    of_account: bool = True
    of_installation: bool = False


@dataclass(slots=True)
class TableMatch:
    """The rows of a table that match.

    `own_rows` will be deleted, and `mentioning_rows` remain without the address. Of the latter, `deletable_rows` are
    deleted if the owner requests it.
    """

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
        """Return the number of rows to delete, keyed by their display name.

        Rows that are kept are counted as "mentions".
        """
        found = Counter({part.table.noun: len(part.own_rows) for part in self.parts})
        found.update({trail.noun: len(keys) for trail, keys in self.texts})
        found["mention"] = sum(len(part.mentioning_rows) for part in self.parts)
        return +found


_tables: dict[type[Model], PersonalTable] = {}
_texts: dict[str, PersonalText] = {}


def register_personal_data(*declarations: PersonalTable | PersonalText) -> None:
    """Register personal data. Call it in `AppConfig.ready`.

    A later declaration replaces an earlier one for the same table or display name.
    """
    for declaration in declarations:
        if isinstance(declaration, PersonalTable):
            _tables[declaration.model] = declaration
        else:
            _texts[declaration.noun] = declaration


def registered_models() -> set[type[Model]]:
    """Return all declared models."""
    return {*_tables, *(model for trail in _texts.values() for model in trail.models)}


def find_subject_data(account: Account | None, subject: DataSubject, item_ids: Collection[str] = ()) -> SubjectData:
    """Find a person's data with a few queries per table.

    `item_ids` are ids of the owner's items that will be deleted completely.
    """
    parts = [part for one in _tables.values() if account and (part := _match_table(one, account, subject, item_ids))]
    trace = MentionMatcher(subject, frozenset(str(row.pk) for part in parts for row in part.own_rows))
    trails = []
    for trail in _texts.values():
        fits = trail.of_account if account else trail.of_installation
        if fits and (keys := trail.find(account, trace)):
            trails.append((trail, keys))
    return SubjectData(account, trace, parts, trails)


def _match_table(
    table: PersonalTable, account: Account, subject: DataSubject, item_ids: Collection[str]
) -> TableMatch | None:
    rows = find_mentions(table.rows(account), text_columns(table.model), MentionMatcher(subject))
    part = TableMatch(table)
    for row in rows:
        (part.own_rows if table.should_delete(row, subject, item_ids) else part.mentioning_rows).append(row)
    if table.is_owner_item:
        part.deletable_rows = [row for row in part.mentioning_rows if table.is_about(row, subject)]
    return part if rows else None


def erase_subject(
    account: Account | None, subject: DataSubject, *, item_ids: Collection[str] = (), by: Change | None = None
) -> Counter[str]:
    """Erase a person's data in an account, and return the counts, keyed by display name.

    `by` is an unsaved change that says who did it and how, for the change log. Raise OperationNotAllowedError if any
    data is left.
    """
    done: Counter[str] = Counter()
    for _ in range(_MAX_ROUNDS):
        found = find_subject_data(account, subject, item_ids)
        if not found:
            break
        with transactions.write_transaction():
            if account is not None:
                account = account.lock()
                _lock_parents(found.parts)
            # First: deleted rows would remove the links from earlier changes to their images.
            for trail, keys in found.texts:
                trail.erase(account, keys, found.trace)
            for part in found.parts:
                if account is not None:
                    _erase_table(account, part, subject, item_ids)
            if account is not None and by is not None:
                _log_erasure(account, by, found)
        done.update(found.count_by_noun())
    else:
        raise OperationNotAllowedError(messages.ERASURE_INCOMPLETE)
    if done:
        transactions.truncate_write_log()
    return done


def _lock_parents(parts: Sequence[TableMatch]) -> None:
    """Lock the rows that guests lock before they write. SQLite needs no lock, because it has only one writer."""
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


def _erase_table(account: Account, part: TableMatch, subject: DataSubject, item_ids: Collection[str]) -> None:
    one = part.table
    # Read the rows again: the owner may have changed them.
    rows = list(one.rows(account).filter(pk__in=[row.pk for row in (*part.own_rows, *part.mentioning_rows)]))
    whole = [row for row in rows if one.should_delete(row, subject, item_ids)]
    gone = {row.pk for row in whole}
    if whole and one.delete_rows is not None:
        one.delete_rows(account, whole)
    elif whole:
        one.model._base_manager.filter(pk__in=gone).delete()
    named = [row for row in rows if row.pk not in gone]
    _clear_names(account, one, [row for row in named if one.name_columns and one.is_about(row, subject)])
    if erase_mentions(named, text_columns(one.model), subject) and one.after_erase is not None:
        one.after_erase(account, named)


def _clear_names(account: Account, table: PersonalTable, rows: Sequence[Any]) -> None:
    """Clear the names in rows that remain, and in previous values of earlier changes."""
    if not rows:
        return
    for row in rows:
        for name in table.name_columns:
            setattr(row, name, "")
    table.model._base_manager.bulk_update(rows, [*table.name_columns], batch_size=200)
    change_log.erase_from_changes(account, [str(row.pk) for row in rows])


def erase_mentions(rows: Sequence[Any], columns: Sequence[str], subject: DataSubject) -> bool:
    """Remove the person from the text of rows and save the rows. Return whether anything changed."""
    changed: set[str] = set()
    for row in rows:
        for name in columns:
            value = getattr(row, name)
            rest = subject.remove_from(value)
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


def _log_erasure(account: Account, by: Change, data: SubjectData) -> None:
    counts = ", ".join(format_count(count, noun) for noun, count in data.count_by_noun().items())
    Change.objects.create(
        account=account,
        actor_key=by.actor_key,
        actor_name=by.actor_name,
        channel=by.channel,
        tool=TOOL_NAME,
        area=permissions.OWNERS,
        summary=f"Deleted a person’s data: {counts}"[: Change._meta.get_field("summary").max_length],
        final_note=FINAL_REASON,
    )
