"""The change log of an account: summarizing writes from their journals, and undoing them."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Sequence
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import Model, QuerySet

from workspace.accounts import messages, permissions
from workspace.accounts.models import Account, Change, Person, Upload
from workspace.accounts.models.change import MAX_TEXT_LENGTH
from workspace.lib.errors import ConflictError, NotFoundError, OperationNotAllowedError
from workspace.lib.text import escape_markdown
from workspace.storage import journal
from workspace.storage.database.transactions import write_transaction
from workspace.storage.journal import ChangeDisplay, Journal, Journaled, JournalEntry, get_journaled_model
from workspace.storage.undo import UndoConflictError, undo_change

_MARKDOWN = re.compile(r" `\w+`|\*\*|\\(?=[^\w\s]|_)")  # removes ids, because a change already refers to its item
_SENTENCE_ENDS = re.compile(r"(?<=[.:;])\s+")
UNDO_TOOL = "svc_undo"
CANNOT_REDO = "The undone change had created new items. Create them again"
SECRET_NOT_STORED = "Secrets aren’t stored. Set a new one"
_UPLOAD = re.compile(r"\bupl_[a-z0-9]+")
PAGE_CHANGE_REASON = "Change it again on its own page"
SIGN_IN_REASON = "It is part of a person’s sign-in"
MAX_ACCOUNTS = 100  # maximum number of accounts in which a change of a person's sign-in is logged
ERASED_TEXT = "The changed data was deleted"
ERASED_REASON = "Deleted personal data can’t be restored"
MAX_LINES = 50
MAX_NAMED_ITEMS = 3  # up to this many new items are listed individually


def first_line(text: str) -> str:
    """Return the first line of an answer's text, without ids, Markdown and mentions of tools."""
    line = remove_tool_mentions(_MARKDOWN.sub("", text.partition("\n")[0]))
    return line.strip().rstrip(":;")[:MAX_TEXT_LENGTH]


def remove_tool_mentions(line: str) -> str:
    """Remove the sentences that mention a tool from a line, because human readers cannot call tools."""
    return " ".join(part for part in _SENTENCE_ENDS.split(line) if "svc_" not in part)


def previous_values(journal: Journal) -> dict[str, Any]:
    """Return previous values by item id, under the names of tool arguments, or None for new items.

    A model's `journal_display` and `journal_displayed_fields` define what is shown, and how.
    """
    by_name: dict[str, Any] = {}
    for entry in journal.entries:
        model = get_journaled_model(entry["model"])
        if model.journal_display is ChangeDisplay.NOWHERE:
            continue
        id = str(entry["id"])
        if model.journal_display is ChangeDisplay.ITEM:
            id = journal.thing_id or id
        if "new" in entry:
            by_name.setdefault(id, None)
            continue
        former = entry.get("gone") or {name: pair[0] for name, pair in entry["set"].items()}
        values = _display_values(model, former | entry.get("displayed", {}))
        if id not in by_name:
            by_name[id] = values
        elif by_name[id] is not None:
            by_name[id] = {**values, **by_name[id]}  # the first value is the previous one
    return {id: values for id, values in by_name.items() if values is None or values}


def _display_values(model: type[Journaled], former: dict[str, Any]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for column, value in former.items():
        displayed = model.journal_displayed_fields.get(column, (column, None))
        if displayed is None:
            continue
        name, show = displayed
        values[name] = show(value) if show is not None else value
    return values


def final_reason(journal: Journal) -> str:
    """Return the reason that a write cannot be undone, or "" if it can."""
    if journal.final or journal.entries:
        return journal.final
    return CANNOT_REDO if journal.undoes else SECRET_NOT_STORED


def erase_from_changes(account: Account, ids: Collection[str]) -> None:
    """Remove the previous values of erased items from the account's changes. These changes can no longer be undone."""
    pictures: set[str] = set()
    for change in account.changes.filter(previous__has_any_keys=list(ids)):
        pictures |= image_ids_in(change, ids)
        change.previous = {id: values for id, values in change.previous.items() if id not in ids}
        change.journal = []
        change.summary, change.final_note = ERASED_TEXT, ERASED_REASON
        change.save(update_fields=["previous", "journal", "summary", "final_note"])
    Upload.delete_unused(pictures)


def image_ids_in(change: Change, ids: Collection[str]) -> set[str]:
    """Return the ids of the images that these items used before the change and that an undo would need."""
    entries = [entry for entry in change.journal if str(entry["id"]) in ids]
    return set(_UPLOAD.findall(json.dumps(entries, cls=DjangoJSONEncoder)))


def erase_rows(account: Account, rows: Sequence[Model], pictures: Sequence[str] = ()) -> None:
    """Erase rows of one model that belong to guests, their uploads, and their values in earlier changes.

    This takes effect immediately and cannot be undone.
    """
    ids = [row.pk for row in rows]
    type(rows[0])._base_manager.filter(pk__in=ids).delete()
    Upload.release_and_delete(pictures)
    erase_from_changes(account, ids)
    journal.mark_irreversible(ERASED_REASON)


def get_change(account: Account, change_id: str | None, actor: str) -> Change:
    """Return the change with this ID. Without an id, return the caller's newest change that can be undone.

    Raise NotFoundError if there is none.
    """
    if change_id is not None:
        found = account.changes.filter(pk=change_id).first()
        if found is None:
            raise NotFoundError(messages.CHANGE_NOT_FOUND)
        return found
    mine = _own_changes(account, actor).filter(final_note="").exclude(journal=[]).first()
    if mine is None:
        raise NotFoundError(messages.NOTHING_TO_UNDO)
    return mine


def list_skipped(change: Change, actor: str) -> list[Change]:
    """Return the caller's later changes, which cannot be undone."""
    since = _own_changes(change.account, actor).filter(created_at__gte=change.created_at, pk__gt=change.pk)
    return list(since[:MAX_LINES])


def _own_changes(account: Account, actor: str) -> QuerySet[Change]:
    return account.changes.filter(actor_key=actor, undone_by=None).exclude(tool=UNDO_TOOL)


def revert_change(change: Change) -> None:
    """Undo a change through the journal. The caller's journal records the undo.

    Raise OperationNotAllowedError if the change cannot be undone, and ConflictError if its items have changed since.
    """
    if change.undone_by_id is not None:
        raise OperationNotAllowedError(messages.ALREADY_UNDONE(id=change.undone_by_id, summary=change.summary))
    if change.final_note or not change.journal:
        reason = change.final_note or "The previous values are unknown"
        raise OperationNotAllowedError(messages.CANNOT_BE_UNDONE(summary=change.summary, id=change.pk, reason=reason))
    try:
        undo_change(change.pk, change.journal)
    except UndoConflictError as moved:
        raise ConflictError(_describe_conflict(change, moved.entry)) from None


def mark_undone(change: Change, undone: str) -> None:
    """Mark a change as undone. If it was an undo itself, the change that it reverted is in effect again."""
    Change.objects.filter(undone_by_id=undone).update(undone_by=None)
    Change.objects.filter(pk=undone).update(undone_by=change)


def log_change(account: Account, by: Any, tool: str, text: str, final: str = PAGE_CHANGE_REASON) -> None:
    """Log an action on a page that does not call a tool. `by` is the caller."""
    Change.objects.create(
        account=account,
        actor_key=by.actor_key,
        actor_name=by.actor_name[:200],
        channel=by.channel,
        tool=tool,
        area=permissions.OWNERS,
        summary=text[:MAX_TEXT_LENGTH],
        final_note=final,
    )


def sign_in_actor(person: Person) -> str:
    """Return the actor key for changes to a person's sign-in.

    It differs from `Caller.actor_key`, which identifies the changes that a caller can undo. Changes to a sign-in cannot
    be undone.
    """
    return f"{permissions.SIGN_INS}:{person.pk}"


def log_sign_in(person: Person, text: str, *, by: str = "", method: str = "dashboard") -> None:
    """Log a change to a person's sign-in in all their accounts.

    `by` is the person who made the change, if it was someone else.
    """
    columns = {
        "actor_key": sign_in_actor(person),
        "actor_name": by or str(person),
        "channel": method,
        "tool": permissions.SIGN_INS,
    }
    columns |= {"area": permissions.SIGN_INS, "summary": text[:MAX_TEXT_LENGTH], "final_note": SIGN_IN_REASON}
    worked_in = person.memberships.order_by("pk").values_list("account_id", flat=True)[:MAX_ACCOUNTS]
    with write_transaction():
        Change.objects.bulk_create(Change(account_id=id, **columns) for id in worked_in)


def _describe_conflict(change: Change, entry: JournalEntry) -> str:
    later = change.account.changes.filter(pk__gt=change.pk).exclude(journal=[])
    for other in later.iterator(chunk_size=100):
        if any((e["model"], e["id"]) == (entry["model"], entry["id"]) for e in other.journal):
            who, what = other.actor_name, other.summary
            return str(messages.CHANGED_BY_OTHERS(name=who, summary=what, id=other.pk))
    return str(messages.CHANGED_SINCE(summary=change.summary))


def describe_change(change: Change, *, rehearsed: bool = False) -> str:
    """Describe a change, including its id and previous values, for callers that see only text."""
    if change.final_note and rehearsed:
        head = f"The real change can’t be undone. {change.final_note}."
    elif change.final_note:
        head = f"This can’t be undone ({change.pk}). {change.final_note}."
    elif rehearsed:
        head = "Preview only: nothing changed. The real change can be undone with svc_undo."
    else:
        head = f"To undo this, call svc_undo (change_id {change.pk})."
    lines = [f"- {line}" for line in _format_summary(change.previous)]
    more = [f"- and {len(lines) - MAX_LINES} more"] if len(lines) > MAX_LINES else []
    return "\n".join([head, *(["Before:", *lines[:MAX_LINES], *more] if lines else [])])


def _format_summary(before: dict[str, Any]) -> list[str]:
    """Format previous values as text with one line per item. If there are many new items, only count them."""
    new = [id for id, values in before.items() if values is None]
    if len(new) <= MAX_NAMED_ITEMS:
        return format_previous_values(before)
    rest = {id: values for id, values in before.items() if values is not None}
    return [f"{len(new)} new items", *format_previous_values(rest)]


def format_previous_values(before: dict[str, Any]) -> list[str]:
    """Format previous values as text with one line per item."""
    return [_format_values(id, values) for id, values in before.items()]


def _format_values(id: str, values: dict[str, Any] | None) -> str:
    if values is None:
        return f"{id} is new"
    return f"{id}: " + ", ".join(f"{name} {_format_value(value)}" for name, value in values.items())


def _format_value(value: Any) -> str:
    if value in (None, "", [], {}):
        return "empty"
    if isinstance(value, str):
        return f"“{escape_markdown(value)}”"
    return json.dumps(value, ensure_ascii=False, cls=DjangoJSONEncoder)
