"""The door: every tool of every face goes through `perform`, which validates, opens one transaction for a write, takes
the account's lock, so that its owner's writes follow one another, runs and answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeVar

from workspace.accounts.models import Account, IdempotentCall, Meter, Person
from workspace.accounts.models.idempotent_call import fingerprint
from workspace.accounts.models.meter import Allowance
from workspace.storage.database import writing
from workspace.storage.try_lock import try_lock
from workspace.toolkit.answer import Answer
from workspace.toolkit.errors import Conflict, Forbidden, InvalidInput, RateLimited
from workspace.toolkit.tool import Tool
from workspace.toolkit.validation import validate

MAX_IDEMPOTENCY_KEY = 256

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks: the account that everything runs as, whether they may write, the bucket that pays for the call
    (None in the dashboard, which is not counted), and the person where one is signed in."""

    account: Account
    may_write: bool = True
    bucket: str | None = None
    person: Person | None = None


def take_call(caller: Caller) -> Allowance | None:
    """Count one call against the day, before anything else of it happens; raises RateLimited when none is left."""
    if caller.bucket is None:
        return None
    allowance = Meter.take(caller.bucket, caller.account.daily_calls)
    if not allowance.granted:
        raise RateLimited(
            f"The {allowance.limit} calls of today are used up. They start afresh at midnight in UTC.",
            allowance.resets_in,
        )
    return allowance


def perform(tool: Tool[T], caller: Caller, arguments: Any, *, idempotency_key: str | None = None) -> Answer[T]:
    """Run a tool as the caller's account. Raises a Refusal, and then nothing has changed."""
    if not tool.reads and not caller.may_write:
        raise Forbidden(
            f"This key or connection may only read, and {tool.name} changes something: use one with full access"
        )
    if idempotency_key is not None and not (0 < len(idempotency_key) <= MAX_IDEMPOTENCY_KEY):
        raise InvalidInput.at("Idempotency-Key", f"1 to {MAX_IDEMPOTENCY_KEY} characters")
    checked = validate(tool, arguments)
    if tool.prepare is not None:
        tool.prepare(caller.account, checked)
    if tool.reads:
        return tool.run(caller.account, checked)
    if idempotency_key is None:
        with writing():
            return tool.run(caller.account.lock(), checked)
    with try_lock(f"idempotency:{caller.account.pk}:{idempotency_key}") as had:
        if not had:
            raise Conflict("The same request is still being worked on: wait a moment for its answer")
        return _once(tool, caller.account, checked, arguments, idempotency_key)


def _once(tool: Tool[T], account: Account, checked: Any, arguments: Any, key: str) -> Answer[T]:
    print_ = fingerprint(tool.name, arguments)
    with writing():
        earlier = IdempotentCall.recall(account.pk, key, print_)
        if earlier is not None:
            return earlier
        answer = tool.run(account.lock(), checked)
        IdempotentCall.remember(account.pk, key, print_, answer)
        return answer
