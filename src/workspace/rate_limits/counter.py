"""The single function that counts attempts against the limits in the table.

    if not consume("bid-post", request, item=proposal.pk):
        …  # answer 429

No IP address is stored: attempts are counted by a hash with the day's salt, which is deleted afterwards.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from datetime import UTC, datetime
from functools import partial

from django.http import HttpRequest

from workspace.lib import clock
from workspace.rate_limits.allowance import Allowance
from workspace.rate_limits.distinct_values import count_values
from workspace.rate_limits.joined_attempts import Attempt, add_attempt
from workspace.rate_limits.models import CallQuota
from workspace.rate_limits.table import Limit, Store, Subject, get_limit
from workspace.storage.client_address import client_address, compute_digest, truncate_address
from workspace.storage.visitor_salt import get_salt


def consume(
    name: str,
    who: HttpRequest | str = "",
    *,
    item: str = "",
    values: Iterable[str] = (),
    used: int | None = None,
    amount: int = 1,
    has_work: bool = False,
    joins_write: bool = False,
) -> Allowance:
    """Count an attempt against the limit with this name. Return an allowance, which is truthy if it was granted.

    `who` is the request, from which the address or the person is taken, or the subject as text: a client address, the
    bucket of a caller, or the id of an account. Limits per item need `item`. The count is exact even with parallel
    calls. Once the limit is reached, further attempts require one read and no write. Another browser on the same
    network counts as the same guest.

    A limit of `Store.VALUES` counts every value in `values` once. For a limit of `Store.ROWS`, the caller passes how
    many rows are `used` since `Limit.window_start()`, and stores `amount` more if they are granted; nothing is stored
    here. `has_work` doubles the limit for guests with proof of work. With `joins_write`, an attempt of a guest's post
    is counted in the transaction of the write that follows (`joined_attempts`). Raise KeyError for an unknown name, and
    ValueError if arguments do not fit the limit.
    """
    limit = get_limit(name)
    wanted = sorted(set(values))
    _check_arguments(limit, item, wanted, used, amount, has_work)
    if used is not None:
        return _compare_rows(limit, used, amount)
    subject = _find_subject(limit, who)
    if limit.store is Store.QUOTA:
        return CallQuota.consume(subject, limit.count)
    moment = clock.now()
    number = int(moment.timestamp()) // limit.window
    ends = datetime.fromtimestamp((number + 1) * limit.window, UTC)
    compute_key = partial(_compute_key, limit, subject, item, moment, number)
    if limit.store is Store.VALUES:
        visitor = compute_digest(subject, name, item)
        return _build_allowance(limit, ends, count_values(compute_key, visitor, wanted, limit.count, ends))
    most = limit.count * 2 if has_work else limit.count
    attempt = Attempt(compute_key(), ends, most)
    count = attempt.read_count()
    if count >= most:
        return _build_allowance(limit, ends, None, most)  # further attempts cost no write
    taken = count + 1 if joins_write and add_attempt(attempt) else attempt.increment()
    return _build_allowance(limit, ends, taken, most)


def _check_arguments(limit: Limit, item: str, values: list[str], used: int | None, amount: int, has_work: bool) -> None:
    if limit.store is Store.ALLAUTH or (limit.store is Store.ROWS) != (used is not None):
        raise ValueError(f"{limit.name} is counted {limit.store}")
    if (limit.store is not Store.ROWS and amount != 1) or (limit.store is not Store.VALUES and values):
        raise ValueError(f"{limit.name} counts one attempt at a time")
    if limit.store is not Store.ROWS and bool(item) != (limit.per_item or limit.by is Subject.ITEM):
        raise ValueError(f"{limit.name} is counted per item" if not item else f"{limit.name} is counted for all items")
    if has_work and not limit.doubles_with_work:
        raise ValueError(f"{limit.name} has one number, with or without proof of work")


def _compare_rows(limit: Limit, used: int, amount: int) -> Allowance:
    left = max(0, limit.count - used)
    is_granted = amount <= left
    return Allowance(limit.count, left - amount if is_granted else left, limit.window, is_granted)


def _build_allowance(limit: Limit, ends: datetime, taken: int | None, most: int | None = None) -> Allowance:
    """Return the allowance of a window. `taken` is None if the attempt was not granted."""
    most = limit.count if most is None else most
    resets_in = max(1, int((ends - clock.now()).total_seconds()))
    return Allowance(most, 0 if taken is None else most - taken, resets_in, is_granted=taken is not None)


def _find_subject(limit: Limit, who: HttpRequest | str) -> str:
    """Return the subject that the limit counts: a hash of the address, a person's id, a bucket, or an account's id."""
    if limit.by is Subject.ADDRESS:
        address = who if isinstance(who, str) else client_address(who)
        return compute_digest(truncate_address(address))
    if limit.by is Subject.PERSON:
        if isinstance(who, str) or who.user.pk is None:
            raise ValueError(f"{limit.name} needs the request of a person who is signed in")
        return str(who.user.pk)
    if limit.by is Subject.CALLER:
        if not isinstance(who, str) or not who:
            raise ValueError(f"{limit.name} needs the bucket of a caller")
        return who
    if limit.by is Subject.ACCOUNT:
        if not isinstance(who, str) or not who:
            raise ValueError(f"{limit.name} needs the id of an account")
        return who
    return ""


def _compute_key(limit: Limit, subject: str, item: str, moment: datetime, number: int) -> str:
    """Return the key of the current window. It is a hash with the day's salt."""
    told = "\0".join((get_salt(moment.date()), limit.name, item, subject, str(limit.window), str(number)))
    return hashlib.blake2b(told.encode("utf-8", "replace"), digest_size=16).hexdigest()
