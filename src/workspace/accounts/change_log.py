"""Keeping an account's changes: what a write's journal says to people, and taking a change back."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Sequence
from typing import Any

from django.apps import apps
from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import Model, QuerySet

from workspace.accounts import permissions
from workspace.accounts.models import Account, Change, Person, Upload
from workspace.accounts.models.change import LONGEST
from workspace.lib import clock
from workspace.lib.errors import Conflict, NotFound, ToolError
from workspace.lib.text import escape_markdown
from workspace.storage import journal
from workspace.storage.database.transactions import writing
from workspace.storage.journal import Entry, Journal
from workspace.storage.undo import Moved, undo

_MARKS = re.compile(r" `\w+`|\*\*|\\(?=[^\w\s]|_)")  # ids go whole: the change names what it was about
_PARTS = re.compile(r"(?<=[.:;])\s+")
UNDO = "svc_undo"
UNMADE = "What was taken back was new and nobody had seen it: make it again"
SECRET = "What is secret is not kept: set it anew"
_UPLOAD = re.compile(r"\bupl_[a-z0-9]+")
OF_A_PAGE = "It is done on a page of its own, and changed there"
OF_A_PERSON = "It is of a person's own sign-in"
MOST_ACCOUNTS = 100  # of one person, in which it is told
ERASED = "What this changed is erased"
MOST_LINES = 50
FEW = 3  # new things that are named one by one


def plain(text: str) -> str:
    """The first line of an answer's text, without ids, Markdown's marks, and what it says about other tools."""
    line = without_tools(_MARKS.sub("", text.partition("\n")[0]))
    return line.strip().rstrip(":;")[:LONGEST]


def without_tools(line: str) -> str:
    """Return the parts of a line that name no tool: people cannot call one."""
    return " ".join(part for part in _PARTS.split(line) if "svc_" not in part)


def before_of(kept: Journal) -> dict[str, Any]:
    """What was before, by the id of each thing that changed: its former values by name as tools call them, or None for
    one that was not there. A model's `JOURNAL_TOLD` maps a column to its name and to a function that makes the value
    that tools show (None for a column that says nothing to people); a part without a name of its own (`JOURNAL_PART`)
    is told with the thing, and one that only says what happened (`JOURNAL_SILENT`) is not."""
    told: dict[str, Any] = {}
    for entry in kept.entries:
        model = apps.get_model(entry["model"])
        if getattr(model, "JOURNAL_SILENT", False):
            continue
        id = kept.thing_id or str(entry["id"]) if getattr(model, "JOURNAL_PART", False) else str(entry["id"])
        if "new" in entry:
            told.setdefault(id, None)
            continue
        former = entry.get("gone") or {name: pair[0] for name, pair in entry["set"].items()}
        values = _told(model, former | entry.get("told", {}))
        if id not in told:
            told[id] = values
        elif told[id] is not None:
            told[id] = {**values, **told[id]}  # the first value that was seen is what was before
    return {id: values for id, values in told.items() if values is None or values}


def _told(model: type[Model], former: dict[str, Any]) -> dict[str, Any]:
    names: dict[str, Any] = getattr(model, "JOURNAL_TOLD", {})
    told: dict[str, Any] = {}
    for column, value in former.items():
        known = names.get(column, (column, None))
        if known is None:
            continue
        name, show = known
        told[name] = show(value) if show is not None else value
    return told


def final_of(kept: Journal) -> str:
    """Why a write cannot be taken back; empty where it can."""
    if kept.final or kept.entries:
        return kept.final
    return UNMADE if kept.undoes else SECRET


def forget(account: Account, ids: Collection[str]) -> None:
    """Take out of earlier changes what they hold of things that are erased; such a change cannot be taken back."""
    pictures: set[str] = set()
    for change in account.changes.filter(before__has_any_keys=list(ids)):
        pictures |= pictures_in(change, ids)
        change.before = {id: values for id, values in change.before.items() if id not in ids}
        change.entries = []
        change.text, change.final = ERASED, ERASED
        change.save(update_fields=["before", "entries", "text", "final"])
    Upload.erase_unused(pictures)


def pictures_in(change: Change, ids: Collection[str]) -> set[str]:
    """The pictures that these things had, and that are kept for taking the change back."""
    told = [entry for entry in change.entries if str(entry["id"]) in ids]
    return set(_UPLOAD.findall(json.dumps(told, cls=DjangoJSONEncoder)))


def erase(account: Account, rows: Sequence[Model], pictures: Sequence[str] = ()) -> None:
    """Delete rows of one model that a guest left, at once and everywhere, with these uploads and what earlier changes
    kept of them: nothing brings them back."""
    ids = [row.pk for row in rows]
    type(rows[0])._base_manager.filter(pk__in=ids).delete()
    Upload.erase_many(pictures)
    forget(account, ids)
    journal.for_good("What a guest left is erased, as they may ask")


def find(account: Account, change_id: str | None, actor: str) -> Change:
    """The change of this id, or the newest of the caller's own that stands and can be taken back. Raises NotFound."""
    if change_id is not None:
        found = account.changes.filter(pk=change_id).first()
        if found is None:
            raise NotFound("There is no such change: svc_activity lists them")
        return found
    mine = _standing(account, actor).filter(final="").exclude(entries=[]).first()
    if mine is None:
        raise NotFound("You have changed nothing that could be taken back: svc_activity lists what others did")
    return mine


def passed_over(change: Change, actor: str) -> list[Change]:
    """What the caller did since, and cannot be taken back."""
    since = _standing(change.account, actor).filter(at__gte=change.at, pk__gt=change.pk)
    return list(since[:MOST_LINES])


def _standing(account: Account, actor: str) -> QuerySet[Change]:
    return account.changes.filter(actor=actor, undone_by=None).exclude(tool=UNDO)


def take_back(change: Change) -> None:
    """Undo a change through the journal's helpers; the caller's own journal notes it. Raises ToolError where it cannot
    be undone, Conflict where something has changed since."""
    if change.undone_by_id is not None:
        raise ToolError(f"This was taken back already ({change.undone_by_id}): {change.text}")
    if change.final or not change.entries:
        why = change.final or "nothing is known of what was before"
        raise ToolError(f"This cannot be taken back, {why[:1].lower()}{why[1:]}: {change.text} ({change.pk})")
    try:
        undo(change.pk, change.entries, _remove)
    except Moved as moved:
        raise Conflict(_since(change, moved.entry)) from None


def link(change: Change, undone: str) -> None:
    """Mark what a change took back; where that was an undoing itself, what it had undone stands again."""
    Change.objects.filter(undone_by_id=undone).update(undone_by=None)
    Change.objects.filter(pk=undone).update(undone_by=change)


def note(account: Account, by: Any, tool: str, text: str, final: str = OF_A_PAGE) -> None:
    """What a person did on a page that is no tool, for the list of what was done; `by` is its caller."""
    Change.objects.create(
        account=account,
        actor=by.actor,
        who=by.who[:200],
        face=by.face,
        tool=tool,
        whose=permissions.OWNERS,
        text=text[:LONGEST],
        final=final,
    )


def signing_in(person: Person) -> str:
    """Whose what a person did with their sign-in is: not theirs to take back, so not `Caller.actor`."""
    return f"{permissions.SIGN_INS}:{person.pk}"


def note_sign_in(person: Person, text: str, *, by: str = "", face: str = "dashboard") -> None:
    """What was done with a person's sign-in, in every account that they work in; `by` whom, where not by themselves."""
    told = {"actor": signing_in(person), "who": by or str(person), "face": face, "tool": permissions.SIGN_INS}
    told |= {"whose": permissions.SIGN_INS, "text": text[:LONGEST], "final": OF_A_PERSON}
    worked_in = person.memberships.order_by("pk").values_list("account_id", flat=True)[:MOST_ACCOUNTS]
    with writing():
        Change.objects.bulk_create(Change(account_id=id, **told) for id in worked_in)


def _remove(rows: Sequence[Any]) -> None:
    if hasattr(rows[0], "unmake_many"):
        rows[0].unmake_many(rows)
    elif hasattr(rows[0], "unmake"):
        for row in rows:
            row.unmake()
    elif hasattr(rows[0], "binned_at"):
        journal.change_many((row, {"binned_at": clock.now()}) for row in rows)
    else:
        journal.drop(*rows)


def _since(change: Change, entry: Entry) -> str:
    later = change.account.changes.filter(pk__gt=change.pk).exclude(entries=[])
    for other in later.iterator(chunk_size=100):
        if any((e["model"], e["id"]) == (entry["model"], entry["id"]) for e in other.entries):
            return f"It was changed again since, by {other.who}: {other.text}. Take that back first ({other.pk})."
    return f"It is not any more as this change left it, so nothing was taken back: {change.text}"


def said(change: Change, *, rehearsed: bool = False) -> str:
    """What a caller who sees only the text needs of a change: its id, and what was before."""
    if change.final and rehearsed:
        head = f"The real change cannot be undone. {change.final}."
    elif change.final:
        head = f"This cannot be taken back ({change.pk}). {change.final}."
    elif rehearsed:
        head = "There is nothing to take back now; svc_undo takes the real change back."
    else:
        head = f"svc_undo takes this back (change_id {change.pk})."
    lines = [f"- {line}" for line in _summary_lines(change.before)]
    more = [f"- and {len(lines) - MOST_LINES} more"] if len(lines) > MOST_LINES else []
    return "\n".join([head, *(["Before:", *lines[:MOST_LINES], *more] if lines else [])])


def _summary_lines(before: dict[str, Any]) -> list[str]:
    """What was before, a line for each thing; many new ones are counted."""
    new = [id for id, values in before.items() if values is None]
    if len(new) <= FEW:
        return before_lines(before)
    rest = {id: values for id, values in before.items() if values is not None}
    return [f"{len(new)} new items did not exist", *before_lines(rest)]


def before_lines(before: dict[str, Any]) -> list[str]:
    """What was before, a line a thing."""
    return [_line(id, values) for id, values in before.items()]


def _line(id: str, values: dict[str, Any] | None) -> str:
    if values is None:
        return f"{id} was not there"
    return f"{id}: " + ", ".join(f"{name} {_shown(value)}" for name, value in values.items())


def _shown(value: Any) -> str:
    if value in (None, "", [], {}):
        return "empty"
    if isinstance(value, str):
        return f"“{escape_markdown(value)}”"
    return json.dumps(value, ensure_ascii=False, cls=DjangoJSONEncoder)
