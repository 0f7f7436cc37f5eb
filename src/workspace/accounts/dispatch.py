"""The door: every tool of every face goes through `perform`, which validates, opens one transaction for a write, takes
the account's lock, so that its owner's writes follow one another, runs and answers."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, TypeVar

from workspace.accounts import change_log, item_references, permissions, tool_scope
from workspace.accounts.models import Account, Change, IdempotentCall, Meter, Person
from workspace.accounts.models.call_quota import Allowance
from workspace.accounts.models.idempotent_call import fingerprint
from workspace.accounts.permissions import EVERYTHING, Reach
from workspace.accounts.tool_scope import Choice
from workspace.lib.errors import Conflict, Forbidden, InvalidInput, RateLimited
from workspace.storage.database.errors import refusing
from workspace.storage.database.transactions import rehearsal, writing
from workspace.storage.database.try_lock import writing_alone
from workspace.storage.journal import Journal, keeping
from workspace.tools.answer import Answer
from workspace.tools.tool import Tool
from workspace.tools.validation import validate

MAX_IDEMPOTENCY_KEY = 256
REHEARSED = "Dry run: nothing was changed. Ids and addresses of what is new are examples."

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks: the account that everything runs as, whether they may write, the bucket that pays for the call
    (None in the dashboard, which is not counted), and the person where one is signed in. `face` is the way they came,
    `client` the name of the key or application that they use, `made` collects the ids of what can be taken back.
    `products` are those whose tools they have, None is all; `page` is the address at which the owner changes that;
    `narrowed` is what the connector's own address leaves of it, None all. `reach` is the member's: of who is signed in,
    who let an application act for them, or who made the key, as far as `products` leave it (`choice.limit`).
    `unlimited` is the reach before that, None where nothing limits it."""

    account: Account
    may_write: bool = True
    bucket: str | None = None
    person: Person | None = None
    face: str = "api"
    client: str = ""
    products: Choice = None
    page: str = ""
    narrowed: Choice = None
    reach: Reach = EVERYTHING
    unlimited: Reach | None = None
    made: list[str] = field(default_factory=list, compare=False)

    @property
    def actor(self) -> str:
        """Whose changes these are, for taking back one's own: what pays for the calls, or the person."""
        return self.bucket or (f"person:{self.person.pk}" if self.person else "")

    @property
    def who(self) -> str:
        """The same for people to read."""
        names = [self.client, str(self.person) if self.person else ""]
        return ", for ".join(name for name in names if name) or "somebody"

    @property
    def role(self) -> Reach:
        """The member's own reach, before a choice of products limits it."""
        return self.unlimited or self.reach

    def lacks(self, product: str, title: str) -> str:
        """Why they have no tools of a product, with the way to add it; empty where they have."""
        if self.narrowed is not None and product not in self.narrowed:
            whole = ",".join([*sorted(self.narrowed), product])
            return f"its address leaves {title} out. The owner may change its end to ?products={whole}"
        if not tool_scope.holds(self.products, product):
            if more := tool_scope.named(tool_scope.missing(self.products, product)):
                return f"{title} needs {more} as well. The owner adds that at {self.page}"
            return f"it was not given {title}. The owner adds that at {self.page}"
        return ""

    def kept_from(self, tool: Tool[Any]) -> str:
        """Why they may not call a tool, as a sentence; empty where they may."""
        name = self.client or "This connection"
        if why := self.lacks(tool.product, tool.product_title):
            return f"{name} has no {tool.name}: {why}"
        if not tool.reads and not self.may_write:
            return f"This key or connection may only read, and {tool.name} changes something: use one with full access"
        if not self.reach.may(tool.whose, writes=not tool.reads):
            if self.role.may(tool.whose, writes=not tool.reads):
                why = f"it is for the whole account, and {name} is limited to {tool_scope.said(self.products)}"
                return f"{name} has no {tool.name}: {why}. The owner changes that at {self.page}"
            return f"{permissions.refused(self.reach, tool.whose, tool.product_title)} ({tool.name})"
        return ""


def closing_words(account: Account) -> str:
    return (
        f"This account is being closed, and is erased on {account.closes_at:%-d %B %Y}: nothing in it can be changed. "
        "Its owner may take it back until then, on the page of the account"
    )


def take_call(caller: Caller) -> Allowance | None:
    """Count one call against the day, before anything else of it happens; raises RateLimited when none is left."""
    if caller.bucket is None:
        return None
    with refusing():
        allowance = Meter.take(caller.bucket, caller.account.daily_calls)
    if not allowance.granted:
        raise RateLimited(
            f"The {allowance.limit} calls of today are used up. They start afresh at midnight in UTC.",
            allowance.resets_in,
            allowance.limit,
        )
    return allowance


def perform(tool: Tool[T], caller: Caller, arguments: Any, *, idempotency_key: str | None = None) -> Answer[T]:
    """Run a tool as the caller's account. Raises a Refusal, and then nothing has changed."""
    with refusing(), permissions.reaching(caller.reach):
        return _perform(tool, caller, arguments, idempotency_key)


def _perform(tool: Tool[T], caller: Caller, arguments: Any, idempotency_key: str | None) -> Answer[T]:
    if why := caller.kept_from(tool):
        raise Forbidden(why)
    if caller.account.closes_at is not None and not tool.reads and not tool.rare:
        raise Conflict(closing_words(caller.account))
    if idempotency_key is not None and not (0 < len(idempotency_key) <= MAX_IDEMPOTENCY_KEY):
        raise InvalidInput.at("Idempotency-Key", f"1 to {MAX_IDEMPOTENCY_KEY} characters")
    checked = validate(tool, arguments, partial(item_references.refer, caller.account, tool))
    if tool.prepare is not None:
        tool.prepare(caller.account, checked)
    if tool.reads:
        return tool.run(caller, checked)
    if getattr(checked, "dry_run", False):
        return _rehearsed(tool, caller, checked)
    if idempotency_key is None:
        with writing():
            answer = _write(tool, caller, checked)
    else:
        with writing_alone(f"idempotency:{caller.account.pk}:{idempotency_key}") as is_alone:
            if not is_alone:
                raise Conflict("The same request is still being worked on: wait a moment for its answer", retry_after=1)
            answer = _once(tool, caller, checked, arguments, idempotency_key)
    change = answer.data.get("change")
    if change and "cannot_be_undone" not in change:
        caller.made.append(change["id"])
    return answer


def _once(tool: Tool[Any], caller: Caller, checked: Any, arguments: Any, key: str) -> Answer[Any]:
    """Within a write: what was answered to the same request before, else what it does."""
    print_ = fingerprint(tool.name, arguments)
    earlier = IdempotentCall.recall(caller.account.pk, key, print_)
    if earlier is not None:
        return earlier
    answer = _write(tool, caller, checked)
    IdempotentCall.remember(caller.account.pk, key, print_, answer)
    return answer


def _rehearsed(tool: Tool[Any], caller: Caller, checked: Any) -> Answer[Any]:
    """What the write would answer, with nothing of it left behind."""
    with rehearsal():
        answer = _write(tool, caller, checked, rehearsed=True)
    return Answer({**answer.data, "dry_run": True}, f"{REHEARSED}\n\n{answer.text}")


def _write(tool: Tool[Any], caller: Caller, checked: Any, *, rehearsed: bool = False) -> Answer[Any]:
    """Run a tool under the account's lock, and keep what it changed with its answer."""
    locked = replace(caller, account=caller.account.lock())
    with keeping() as kept:
        kept.change_id = Change.new_id()
        answer = tool.run(locked, checked)
    change = _keep(tool, locked, answer, kept)
    if change is None:
        return Answer({**answer.data, "change": None}, answer.text)
    told: dict[str, Any] = {} if rehearsed else {"id": change.pk}
    told |= {"before": change.before, **({"cannot_be_undone": change.final} if change.final else {})}
    return Answer({**answer.data, "change": told}, f"{answer.text}\n\n{change_log.said(change, rehearsed=rehearsed)}")


def _whose(tool: Tool[Any], kept: Journal) -> str:
    """Whose a change is: of taking back, that of what was taken back."""
    if kept.undoes:
        return Change.objects.values_list("whose", flat=True).get(pk=kept.undoes)
    return tool.whose


def _keep(tool: Tool[Any], caller: Caller, answer: Answer[Any], kept: Journal) -> Change | None:
    """The row of what a write changed; None when it changed nothing."""
    if not (kept.entries or kept.kept_back or kept.undoes or kept.final or tool.final):
        return None
    change = Change.objects.create(
        id=kept.change_id,
        account=caller.account,
        actor=caller.actor,
        who=caller.who[:200],
        face=caller.face,
        tool=tool.name,
        whose=_whose(tool, kept),
        thing_kind=kept.thing_kind,
        thing_id=kept.thing_id,
        text=change_log.plain(answer.text),
        before=change_log.before_of(kept),
        entries=kept.entries,
        final=tool.final or change_log.final_of(kept),
    )
    if kept.undoes:
        change_log.link(change, kept.undoes)
    return change
