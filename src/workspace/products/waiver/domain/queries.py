"""Queries for an account's waivers and signatures."""

from __future__ import annotations

from django.db.models import QuerySet

from workspace.accounts.models import Account
from workspace.lib.errors import NotFoundError
from workspace.products.waiver import messages
from workspace.products.waiver.models import Signature, Waiver, WaiverVersion
from workspace.publishing.serializers import with_public_state
from workspace.storage.database.compiled_function import compile_once


@compile_once
def waivers_for(account: Account) -> QuerySet[Waiver]:
    return with_public_state(account.waivers.filter(archived_at=None))


@compile_once
def _all_waivers_for(account: Account) -> QuerySet[Waiver]:
    return with_public_state(account.waivers.all())


def get_waiver(account: Account, id: str) -> Waiver:
    """Return a waiver, which may be archived. Raise NotFoundError if it does not exist."""
    return _all_waivers_for.get(id, messages.WAIVER_NOT_FOUND, account)


def lock_waiver(account: Account, id: str) -> Waiver:
    """Lock a waiver for writing until the transaction ends, and return it. Raise NotFoundError if it does not exist."""
    Waiver.lock_many([get_waiver(account, id)])
    return get_waiver(account, id)


def get_version(waiver: Waiver, number: int) -> WaiverVersion:
    """Return a version of the waiver. Raise NotFoundError if it does not exist."""
    waiver_version = waiver.versions.filter(number=number).first()
    if waiver_version is None:
        raise NotFoundError(messages.VERSION_NOT_FOUND(number=number))
    return waiver_version


@compile_once
def signatures_for(account: Account) -> QuerySet[Signature]:
    return account.signatures.select_related("waiver", "signing")


def get_signature(account: Account, id: str) -> Signature:
    """Return a signature by its id. Raise NotFoundError if it does not exist."""
    return signatures_for.get(id, messages.WAIVER_NOT_FOUND, account)
