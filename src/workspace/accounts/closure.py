"""Delete an account for good. It happens in steps, so that nobody waits for it:

1. one write shuts the account: its people, keys and pages are refused (`on_shut`)
2. guests and other services are told, through the outbox (`on_leave`)
3. large tables are emptied piece by piece (`in_pieces`)
4. one write deletes the rest (`on_close`)

After a kill in between the account is due (`closes_at`), and the hourly sweep begins again at the first step.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from django.db import transaction
from django.db.models import CASCADE, ForeignKey, QuerySet
from django.db.models.constants import LOOKUP_SEP

from workspace.accounts.models import Account, Meter, Person
from workspace.accounts.takeout import tables
from workspace.lib import clock
from workspace.storage.database.batched_delete import delete_in_pieces
from workspace.storage.database.errors import trouble_of
from workspace.storage.database.transactions import writing
from workspace.storage.files import images
from workspace.storage.row_tasks import set_aside

logger = logging.getLogger(__name__)

FEW = 50  # rows of a table that the last write may delete

Closer = Callable[[Account], None]
Rows = Callable[[Account], Iterable[QuerySet[Any]]]
_shutters: list[Closer] = []
_leavers: dict[str, Closer] = {}
_pieces: list[Rows] = []
_closers: list[Closer] = []


def on_shut(closer: Closer) -> Closer:
    """Run `closer` in the write that shuts the account, such as for public addresses that answer 410 from then on."""
    return _register(closer, _shutters)


def on_leave(teller: Closer, *, name: str) -> None:
    """Run `teller` once the account is shut, before its rows go, to notify others.

    It writes to the outbox, and gets the account as it was before. One that raises is logged and set aside under
    `name`, such as `booking.notify_of_deletion`: it never stops a deletion.
    """
    _leavers[name] = teller


def in_pieces(rows: Rows) -> Rows:
    """Have `rows(account)` deleted piece by piece: what depends on no row of the account and may be much."""
    if rows not in _pieces:
        _pieces.append(rows)
    return rows


def on_close(closer: Closer) -> Closer:
    """Run `closer` in the last write, before the account's row goes, for what a deleted row would not take along. It is
    a part of the deletion: when it raises, the rest stays and is tried again."""
    return _register(closer, _closers)


def _register(closer: Closer, closers: list[Closer]) -> Closer:
    if closer not in closers:  # registering twice runs it once
        closers.append(closer)
    return closer


def close(account: Account) -> None:
    """Delete the account with all that it owns, and the sign-in of those who belong to no other account."""
    now = clock.now()
    with writing():
        before = account.lock()
        ends = min(before.closes_at or now, now)
        Account.objects.filter(pk=account.pk).update(closes_at=ends, closing_told=True, banned_at=now)
        for closer in _shutters:
            closer(before)
    for name, teller in _leavers.items():
        _contain(name, teller, before)
    for rows in (*_pieces, _large_tables):
        for found in rows(account):
            delete_in_pieces(found)
    _delete_rest(account)


def _contain(name: str, teller: Closer, account: Account) -> None:
    try:
        teller(account)
    except Exception as problem:
        if trouble_of(problem) is not None:
            raise
        set_aside(name, account.pk, problem)


def _large_tables(account: Account) -> Iterator[QuerySet[Any]]:
    """The tables of which the account has many rows, each before those that it points to."""
    for table in reversed(tables.tables()):
        if table.carried.files or not _cascades(table):
            continue
        rows = table.model._base_manager.filter(**{table.way: account})
        if len(rows.order_by().values_list("pk")[: FEW + 1]) > FEW:
            yield rows


def _cascades(table: tables.Table) -> bool:
    """Whether its rows go with the account; addresses, for one, stay."""
    model: Any = table.model
    for name in table.way.split(LOOKUP_SEP):
        field = model._meta.get_field(name)
        if not isinstance(field, ForeignKey) or field.remote_field.on_delete is not CASCADE:
            return False
        model = field.related_model
    return True


def _delete_rest(account: Account) -> None:
    with writing():
        for closer in _closers:
            closer(account)
        Meter.objects.filter(bucket__in=[key.bucket for key in account.keys.all()]).delete()
        Meter.objects.filter(bucket__startswith=f"oauth:{account.pk}:").delete()
        uploads = list(account.uploads.values_list("pk", flat=True))
        transaction.on_commit(lambda: _forget_all(uploads))
        people = [member.person_id for member in account.memberships.all()]
        account.delete()
        Person.objects.filter(pk__in=people, memberships=None).delete()


def _forget_all(keys: list[str]) -> None:
    for key in keys:
        images.forget(key)
