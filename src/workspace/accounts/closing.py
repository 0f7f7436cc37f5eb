"""Closing an account for good. Whatever keeps something that a deleted row would not take along, such
as public addresses that must answer 410, registers here:

    @on_close
    def retire_addresses(account: Account) -> None: ...
"""

from __future__ import annotations

from collections.abc import Callable

from django.db import transaction

from workspace.accounts.models import Account, Meter, Person
from workspace.storage import pictures
from workspace.storage.database import writing

Closer = Callable[[Account], None]
_closers: list[Closer] = []


def on_close(closer: Closer) -> Closer:
    """Run `closer` inside the closing transaction, before the account's row goes. Registering twice runs it once."""
    if closer not in _closers:
        _closers.append(closer)
    return closer


def close(account: Account) -> None:
    """Delete the account with all that it owns, and the sign-in of those who belong to no other account."""
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
        pictures.forget(key)
