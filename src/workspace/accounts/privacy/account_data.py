"""What an account remembers of people beside its products: changes, answers that were kept, invitations, files."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import PurePath
from typing import Any

from django.db import transaction

from workspace.accounts import change_log
from workspace.accounts.models import Account, ApiKey, Change, IdempotentCall, MemberInvitation, Upload
from workspace.accounts.models.upload import FILE
from workspace.accounts.privacy.data_subjects import Held, Trail, register
from workspace.accounts.privacy.text_mentions import Trace, naming
from workspace.lib.data_subject import Sought
from workspace.storage.files import store

SOMEBODY = "somebody"
_CHANGED = ("before", "entries", "text", "thing_id")
_ANSWERED = ("data", "text", "key")
_BINARY = b"\0"


def register_all() -> None:
    register(
        Held(model=Account, noun="account", rows=lambda account: Account.objects.filter(pk=account.pk)),
        Held(model=ApiKey, noun="API key", rows=lambda account: account.keys.all()),
        Held(
            model=MemberInvitation,
            noun="invitation",
            rows=lambda account: account.invitations.all(),
            theirs=("email",),
            page=lambda row: "/app/members",
        ),
        Trail(noun="earlier change", models=[Change], find=_changes, erase=_forget_changes, tell=_tell_changes),
        Trail(noun="kept answer", models=[IdempotentCall], find=_answers, erase=_forget_answers),
        Trail(noun="file", models=[Upload], find=_files, erase=_forget_files, tell=_tell_files),
    )


def is_member(account: Account, sought: Sought) -> bool:
    """Whether it is somebody who signs in here: their name stays with what they did, as long as they do."""
    return bool(sought.email) and account.memberships.filter(person__email=sought.email).exists()


def _changes(account: Account | None, trace: Trace) -> list[str]:
    assert account is not None
    columns = _CHANGED if is_member(account, trace.sought) else (*_CHANGED, "who")
    return [change.pk for change in naming(account.changes.all(), columns, trace)]


def _forget_changes(account: Account | None, keys: Sequence[str], trace: Trace) -> None:
    """What a change held of the person goes; it cannot be taken back then, since that would bring them back."""
    found = list(Change.objects.filter(account=account, pk__in=keys))
    pictures: set[str] = set()
    for change in found:
        pictures |= change_log.pictures_in(change, trace.ids)
        if trace.sought.names(change.who):
            change.who = SOMEBODY
        if not any(trace.is_in(getattr(change, name)) for name in _CHANGED):
            continue
        kept = {id: values for id, values in change.before.items() if id not in trace.ids}
        change.before = {} if trace.is_in(kept) and trace.ids else trace.sought.without(kept)
        change.entries, change.text, change.final = [], change_log.ERASED, change_log.ERASED
        if change.thing_id in trace.ids:
            change.thing_id = ""
    Change.objects.bulk_update(found, ["who", "before", "entries", "text", "final", "thing_id"], batch_size=200)
    Upload.erase_unused(pictures)


def _tell_changes(keys: Sequence[str], trace: Trace) -> list[dict[str, Any]]:
    found = Change.objects.filter(pk__in=keys)
    return [{"at": one.at.isoformat(), "text": one.text, "before": one.before} for one in found]


def _answers(account: Account | None, trace: Trace) -> list[int]:
    return [call.pk for call in naming(IdempotentCall.objects.filter(account=account), _ANSWERED, trace)]


def _forget_answers(account: Account | None, keys: Sequence[int], trace: Trace) -> None:
    IdempotentCall.objects.filter(pk__in=keys).delete()


def _files(account: Account | None, trace: Trace) -> list[str]:
    """Files that nothing uses: what a product uses goes with its rows."""
    assert account is not None
    mine = account.uploads.filter(kind=FILE, uses=0)
    return [
        pk
        for pk, name in mine.values_list("pk", "name")
        if trace.is_in([name, PurePath(name).stem]) or holds(pk, trace)
    ]


def holds(key: str, trace: Trace) -> bool:
    """Whether a file that is a text names the person. What is packed or sealed (PDF, spreadsheets) is not read."""
    try:
        pieces = store.reading(key)
    except FileNotFoundError:
        return False
    first = next(pieces, b"")
    return _BINARY not in first[:4096] and trace.is_in(b"".join([first, *pieces]).decode("utf-8", "replace"))


def _forget_files(account: Account | None, keys: Sequence[str], trace: Trace) -> None:
    Upload.objects.filter(pk__in=keys, uses=0).delete()
    for key in keys:
        transaction.on_commit(partial(store.delete, key))


def _tell_files(keys: Sequence[str], trace: Trace) -> list[dict[str, Any]]:
    return [{"id": one.pk, "name": one.name, "size": one.size} for one in Upload.objects.filter(pk__in=keys)]
