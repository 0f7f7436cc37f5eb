"""Permanent deletion of an account, in steps, so that no other write has to wait long.

1. One transaction shuts down the account: members, keys and pages lose access (`register_shutdown_hook`).
2. Guests and other services are notified through the outbox (`register_after_shutdown_hook`).
3. Large tables are deleted in batches (`register_rows_to_delete`).
4. One transaction deletes the rest (`register_deletion_hook`).

If the process is killed, the account remains due (`closes_at`), and the hourly task starts again with the first step.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from django.db import transaction
from django.db.models import CASCADE, ForeignKey, QuerySet
from django.db.models.constants import LOOKUP_SEP

from workspace.accounts.models import Account, Person
from workspace.accounts.takeout import tables
from workspace.lib import clock
from workspace.rate_limits.models import CallQuota
from workspace.storage.database.batched_delete import delete_in_batches
from workspace.storage.database.errors import find_storage_failure
from workspace.storage.database.transactions import write_transaction
from workspace.storage.files import images
from workspace.storage.row_tasks import set_row_aside

logger = logging.getLogger(__name__)

MAX_ROWS_IN_LAST_WRITE = 50  # maximum number of rows of a table for the last transaction

AccountHook = Callable[[Account], None]
Rows = Callable[[Account], Iterable[QuerySet[Any]]]
_shutdown_hooks: list[AccountHook] = []
_after_shutdown_hooks: dict[str, AccountHook] = {}
_batch_deletions: list[Rows] = []
_deletion_hooks: list[AccountHook] = []


def register_shutdown_hook(hook: AccountHook) -> AccountHook:
    """Register a hook for the transaction that shuts down the account, for example to make its pages return 410."""
    return _register_hook(hook, _shutdown_hooks)


def register_after_shutdown_hook(hook: AccountHook, *, name: str) -> None:
    """Register a hook that notifies others after the shutdown and before rows are deleted.

    The hook receives the account as it was before and writes to the outbox. If it raises, the error is logged and
    recorded under `name`, such as `booking.notify_of_deletion`. It never stops a deletion.
    """
    _after_shutdown_hooks[name] = hook


def register_rows_to_delete(rows: Rows) -> Rows:
    """Register `rows(account)` for deletion in batches, for large tables that no other rows refer to."""
    if rows not in _batch_deletions:
        _batch_deletions.append(rows)
    return rows


def register_deletion_hook(hook: AccountHook) -> AccountHook:
    """Register a hook for the last transaction.

    The hook deletes data that deleting the account's row would leave behind. It is part of the deletion: if it raises,
    the transaction is rolled back and repeated later.
    """
    return _register_hook(hook, _deletion_hooks)


def _register_hook(hook: AccountHook, hooks: list[AccountHook]) -> AccountHook:
    if hook not in hooks:  # registering a hook twice has no effect
        hooks.append(hook)
    return hook


def purge_account(account: Account) -> None:
    """Delete the account, all its data, and the members who belong to no other account."""
    now = clock.now()
    with write_transaction():
        before = account.lock()
        ends = min(before.closes_at or now, now)
        Account.objects.filter(pk=account.pk).update(closes_at=ends, closing_notified=True, banned_at=now)
        for closer in _shutdown_hooks:
            closer(before)
    for name, teller in _after_shutdown_hooks.items():
        _run_isolated(name, teller, before)
    for rows in (*_batch_deletions, _large_table_rows):
        for found in rows(account):
            delete_in_batches(found)
    _delete_rest(account)


def _run_isolated(name: str, hook: AccountHook, account: Account) -> None:
    try:
        hook(account)
    except Exception as problem:
        if find_storage_failure(problem) is not None:
            raise
        set_row_aside(name, account.pk, problem)


def _large_table_rows(account: Account) -> Iterator[QuerySet[Any]]:
    """Yield the account's rows of large tables, each table before those it refers to."""
    for table in reversed(tables.list_tables()):
        if table.takeout.files or not _is_cascading(table):
            continue
        rows = table.model._base_manager.filter(**{table.account_path: account})
        if len(rows.order_by().values_list("pk")[: MAX_ROWS_IN_LAST_WRITE + 1]) > MAX_ROWS_IN_LAST_WRITE:
            yield rows


def _is_cascading(table: tables.AccountTable) -> bool:
    """Return whether the table's rows are deleted with the account. Addresses, for example, are not."""
    model: Any = table.model
    for name in table.account_path.split(LOOKUP_SEP):
        field = model._meta.get_field(name)
        if not isinstance(field, ForeignKey) or field.remote_field.on_delete is not CASCADE:
            return False
        model = field.related_model
    return True


def _delete_rest(account: Account) -> None:
    with write_transaction():
        for closer in _deletion_hooks:
            closer(account)
        CallQuota.objects.filter(key__in=[key.bucket for key in account.keys.all()]).delete()
        CallQuota.objects.filter(key__startswith=f"oauth:{account.pk}:").delete()
        uploads = list(account.uploads.values_list("pk", flat=True))
        transaction.on_commit(lambda: _delete_images(uploads))
        people = [member.person_id for member in account.memberships.all()]
        account.delete()
        Person.objects.filter(pk__in=people, memberships=None).delete()


def _delete_images(keys: list[str]) -> None:
    for key in keys:
        images.delete_image(key)
