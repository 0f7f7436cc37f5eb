"""Personal data of an account outside its products: changes, stored answers, invitations and files."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import PurePath
from typing import Any

from django.db import transaction

from workspace.accounts import change_log
from workspace.accounts.models import Account, ApiKey, Change, IdempotentCall, MemberInvitation, Upload
from workspace.accounts.models.upload import FILE
from workspace.accounts.privacy.data_subjects import PersonalTable, PersonalText, register_personal_data
from workspace.accounts.privacy.text_mentions import MentionMatcher, find_mentions
from workspace.lib.data_subject import DataSubject
from workspace.storage.files import store

ANONYMOUS_NAME = "someone"
_CHANGE_COLUMNS = ("previous", "journal", "summary", "item_id")
_ANSWER_COLUMNS = ("data", "text", "key")
_BINARY_MARKER = b"\0"


def register_account_data() -> None:
    register_personal_data(
        PersonalTable(model=Account, noun="account", rows=lambda account: Account.objects.filter(pk=account.pk)),
        PersonalTable(model=ApiKey, noun="API key", rows=lambda account: account.keys.all()),
        PersonalTable(
            model=MemberInvitation,
            noun="invitation",
            rows=lambda account: account.invitations.all(),
            identity_columns=("email",),
            page_url=lambda row: "/app/members",
        ),
        PersonalText(
            noun="earlier change", models=[Change], find=_find_changes, erase=_erase_changes, export=_export_changes
        ),
        PersonalText(noun="stored answer", models=[IdempotentCall], find=_find_answers, erase=_erase_answers),
        PersonalText(noun="file", models=[Upload], find=_find_files, erase=_erase_files, export=_export_files),
    )


def is_member(account: Account, subject: DataSubject) -> bool:
    """Return whether the person is a member. The names of members are kept in the changes they made."""
    return bool(subject.email) and account.memberships.filter(person__email=subject.email).exists()


def _find_changes(account: Account | None, trace: MentionMatcher) -> list[str]:
    assert account is not None
    columns = _CHANGE_COLUMNS if is_member(account, trace.subject) else (*_CHANGE_COLUMNS, "actor_name")
    return [change.pk for change in find_mentions(account.changes.all(), columns, trace)]


def _erase_changes(account: Account | None, keys: Sequence[str], trace: MentionMatcher) -> None:
    """Remove the person from changes. Undoing these would restore the data, so they can no longer be undone."""
    found = list(Change.objects.filter(account=account, pk__in=keys))
    pictures: set[str] = set()
    for change in found:
        pictures |= change_log.image_ids_in(change, trace.ids)
        if trace.subject.is_named_in(change.actor_name):
            change.actor_name = ANONYMOUS_NAME
        if not any(trace.matches(getattr(change, name)) for name in _CHANGE_COLUMNS):
            continue
        kept = {id: values for id, values in change.previous.items() if id not in trace.ids}
        change.previous = {} if trace.matches(kept) and trace.ids else trace.subject.remove_from(kept)
        change.journal, change.summary, change.final_note = [], change_log.ERASED_TEXT, change_log.ERASED_REASON
        if change.item_id in trace.ids:
            change.item_id = ""
    Change.objects.bulk_update(
        found, ["actor_name", "previous", "journal", "summary", "final_note", "item_id"], batch_size=200
    )
    Upload.delete_unused(pictures)


def _export_changes(keys: Sequence[str], trace: MentionMatcher) -> list[dict[str, Any]]:
    found = Change.objects.filter(pk__in=keys)
    return [{"at": one.created_at.isoformat(), "text": one.summary, "before": one.previous} for one in found]


def _find_answers(account: Account | None, trace: MentionMatcher) -> list[int]:
    return [call.pk for call in find_mentions(IdempotentCall.objects.filter(account=account), _ANSWER_COLUMNS, trace)]


def _erase_answers(account: Account | None, keys: Sequence[int], trace: MentionMatcher) -> None:
    IdempotentCall.objects.filter(pk__in=keys).delete()


def _find_files(account: Account | None, trace: MentionMatcher) -> list[str]:
    """Return unused files. Files in use are deleted together with their item's rows."""
    assert account is not None
    mine = account.uploads.filter(kind=FILE, use_count=0)
    return [
        pk
        for pk, name in mine.values_list("pk", "name")
        if trace.matches([name, PurePath(name).stem]) or has_mention(pk, trace)
    ]


def has_mention(key: str, trace: MentionMatcher) -> bool:
    """Return whether a text file mentions the person. Binary files, such as PDFs and spreadsheets, are not searched."""
    try:
        pieces = store.read_chunks(key)
    except FileNotFoundError:
        return False
    first = next(pieces, b"")
    return _BINARY_MARKER not in first[:4096] and trace.matches(b"".join([first, *pieces]).decode("utf-8", "replace"))


def _erase_files(account: Account | None, keys: Sequence[str], trace: MentionMatcher) -> None:
    Upload.objects.filter(pk__in=keys, use_count=0).delete()
    for key in keys:
        transaction.on_commit(partial(store.delete, key))


def _export_files(keys: Sequence[str], trace: MentionMatcher) -> list[dict[str, Any]]:
    return [{"id": one.pk, "name": one.name, "size": one.size} for one in Upload.objects.filter(pk__in=keys)]
