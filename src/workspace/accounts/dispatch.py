"""The dispatcher: tools of all channels run through `execute_tool`.

It validates arguments and runs the tool. For a write, it opens one transaction and locks the account, so that writes of
an account run one after another.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, TypeVar

from workspace.accounts import change_log, item_references, messages, permissions, product_scope
from workspace.accounts.models import Account, Change, IdempotentCall, Person
from workspace.accounts.models.idempotent_call import compute_fingerprint
from workspace.accounts.permissions import FULL_SCOPE, PermissionScope
from workspace.accounts.product_scope import ToolScope
from workspace.lib.errors import ConflictError, ForbiddenError, InvalidInputError, RateLimitedError
from workspace.rate_limits.allowance import Allowance
from workspace.rate_limits.counter import consume
from workspace.storage.database.bulk_insert import create_rows
from workspace.storage.database.errors import translate_storage_errors
from workspace.storage.database.named_lock import exclusive_write_transaction
from workspace.storage.database.transactions import dry_run_transaction, write_transaction
from workspace.storage.journal import Journal, record_journal
from workspace.tools.answer import Answer
from workspace.tools.tool import Tool
from workspace.tools.validation import validate_arguments

MAX_IDEMPOTENCY_KEY_LENGTH = 256
DRY_RUN_NOTICE = "Dry run: nothing was changed. Ids and URLs of new items are examples."

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Caller:
    """The caller of a tool.

    - `account`: the account that tools run for.
    - `can_write`: whether the caller may write.
    - `bucket`: key of the quota that counts the call; None in the dashboard, which has no quota.
    - `person`: the signed-in person, if any.
    - `channel`: how the call arrived, such as `api`.
    - `client`: the name of the key or application.
    - `products`: the products whose tools the caller can use; None for all. The owner changes them at `page`.
    - `url_products`: the products in the connector's URL; None for all.
    - `permission_scope`: the permissions of the member who is signed in, authorized the application or created the key,
      limited to `products` (`tool_scope.limit_permissions`).
    - `unlimited_scope`: the permissions without that limit; None if there is no limit.
    - `change_ids`: collects the ids of changes that can be undone.
    """

    account: Account
    can_write: bool = True
    bucket: str | None = None
    person: Person | None = None
    channel: str = "api"
    client: str = ""
    products: ToolScope = None
    page: str = ""
    url_products: ToolScope = None
    permission_scope: PermissionScope = FULL_SCOPE
    unlimited_scope: PermissionScope | None = None
    change_ids: list[str] = field(default_factory=list, compare=False)

    @property
    def actor_key(self) -> str:
        """The key that identifies the caller's own changes for undo: the key of the quota or of the person."""
        return self.bucket or (f"person:{self.person.pk}" if self.person else "")

    @property
    def actor_name(self) -> str:
        """The caller's display name."""
        names = [self.client, str(self.person) if self.person else ""]
        return ", for ".join(name for name in names if name) or "someone"

    @property
    def member_scope(self) -> PermissionScope:
        """The member's permissions, not limited to the chosen products."""
        return self.unlimited_scope or self.permission_scope

    def product_denial_reason(self, product: str, title: str) -> str:
        """Return why the caller cannot use a product's tools and how to add them, or ""."""
        if self.url_products is not None and product not in self.url_products:
            whole = ",".join([*sorted(self.url_products), product])
            return str(messages.PRODUCT_NOT_IN_URL(product=title, products=whole))
        if not product_scope.has_product(self.products, product):
            if more := product_scope.join_titles(product_scope.missing_products(self.products, product)):
                return str(messages.PRODUCT_NEEDS_OTHERS(product=title, others=more, page=self.page))
            return str(messages.PRODUCT_NOT_ALLOWED(product=title, page=self.page))
        return ""

    def tool_denial_reason(self, tool: Tool[Any]) -> str:
        """Return why the caller cannot call a tool, as a sentence, or ""."""
        name = self.client or "This connection"
        if why := self.product_denial_reason(tool.product, tool.product_title):
            return str(messages.TOOL_NOT_AVAILABLE(client=name, tool=tool.name, reason=why))
        if not tool.reads and not self.can_write:
            return str(messages.READ_ONLY(tool=tool.name))
        if not self.permission_scope.can_access(tool.area, writes=not tool.reads):
            if self.member_scope.can_access(tool.area, writes=not tool.reads):
                limit = product_scope.describe_scope(self.products)
                return str(messages.TOOL_OF_WHOLE_ACCOUNT(client=name, tool=tool.name, products=limit, page=self.page))
            return f"{permissions.denial_reason(self.permission_scope, tool.area, tool.product_title)} ({tool.name})"
        return ""


def closure_notice(account: Account) -> str:
    return str(messages.ACCOUNT_IS_CLOSING(date=f"{account.closes_at:%-d %B %Y}"))


def consume_quota(caller: Caller) -> Allowance | None:
    """Count one call against the daily quota, before doing anything else.

    Raise RateLimitedError if the quota is used up.
    """
    if caller.bucket is None:
        return None
    with translate_storage_errors():
        allowance = consume(caller.account.calls_limit, caller.bucket)
    if not allowance:
        raise RateLimitedError(
            messages.DAILY_LIMIT(limit=allowance.limit),
            allowance.resets_in,
            allowance.limit,
        )
    return allowance


def execute_tool(tool: Tool[T], caller: Caller, arguments: Any, *, idempotency_key: str | None = None) -> Answer[T]:
    """Run a tool for the caller's account. A ToolError means that nothing was changed."""
    with translate_storage_errors(), permissions.use_scope(caller.permission_scope):
        return _execute_tool(tool, caller, arguments, idempotency_key)


def _execute_tool(tool: Tool[T], caller: Caller, arguments: Any, idempotency_key: str | None) -> Answer[T]:
    if why := caller.tool_denial_reason(tool):
        raise ForbiddenError(why)
    if caller.account.closes_at is not None and not tool.reads and not tool.rare:
        raise ConflictError(closure_notice(caller.account))
    if idempotency_key is not None and not (0 < len(idempotency_key) <= MAX_IDEMPOTENCY_KEY_LENGTH):
        raise InvalidInputError.at_path(
            "Idempotency-Key", messages.IDEMPOTENCY_KEY_LENGTH(most=MAX_IDEMPOTENCY_KEY_LENGTH)
        )
    checked = validate_arguments(tool, arguments, partial(item_references.resolve_reference, caller.account, tool))
    if tool.prepare is not None:
        tool.prepare(caller.account, checked)
    if tool.reads:
        return tool.run(caller, checked)
    if getattr(checked, "dry_run", False):
        return _execute_dry_run(tool, caller, checked)
    if idempotency_key is None:
        with write_transaction():
            answer = _execute_write(tool, caller, checked)
    else:
        with exclusive_write_transaction(f"idempotency:{caller.account.pk}:{idempotency_key}") as is_alone:
            if not is_alone:
                raise ConflictError(messages.REQUEST_IN_PROGRESS, retry_after=1)
            answer = _execute_idempotent(tool, caller, checked, arguments, idempotency_key)
    change = answer.data.get("change")
    if change and "cannot_be_undone" not in change:
        caller.change_ids.append(change["id"])
    return answer


def _execute_idempotent(tool: Tool[Any], caller: Caller, checked: Any, arguments: Any, key: str) -> Answer[Any]:
    """Return the stored answer of an identical earlier request, or run the tool and store its answer.

    It runs inside the transaction of the write.
    """
    print_ = compute_fingerprint(tool.name, arguments)
    earlier = IdempotentCall.find_answer(caller.account.pk, key, print_)
    if earlier is not None:
        return earlier
    answer = _execute_write(tool, caller, checked)
    IdempotentCall.save_answer(caller.account.pk, key, print_, answer)
    return answer


def _execute_dry_run(tool: Tool[Any], caller: Caller, checked: Any) -> Answer[Any]:
    """Return the answer that the write would give, and roll the write back."""
    with dry_run_transaction():
        answer = _execute_write(tool, caller, checked, rehearsed=True)
    return Answer({**answer.data, "dry_run": True}, f"{DRY_RUN_NOTICE}\n\n{answer.text}")


def _execute_write(tool: Tool[Any], caller: Caller, checked: Any, *, rehearsed: bool = False) -> Answer[Any]:
    """Run a tool with the account locked, and save the change together with the answer."""
    locked = replace(caller, account=caller.account.lock())
    with record_journal() as kept:
        kept.change_id = Change.new_id()
        answer = tool.run(locked, checked)
    change = _save_change(tool, locked, answer, kept)
    if change is None:
        return Answer({**answer.data, "change": None}, answer.text)
    change_data: dict[str, Any] = {} if rehearsed else {"id": change.pk}
    change_data |= {"before": change.previous, **({"cannot_be_undone": change.final_note} if change.final_note else {})}
    return Answer(
        {**answer.data, "change": change_data},
        f"{answer.text}\n\n{change_log.describe_change(change, rehearsed=rehearsed)}",
    )


def _change_area(tool: Tool[Any], journal: Journal) -> str:
    """Return the area of a change. An undo has the area of the change that it undoes."""
    if journal.undoes:
        return Change.objects.values_list("area", flat=True).get(pk=journal.undoes)
    return tool.area


def _save_change(tool: Tool[Any], caller: Caller, answer: Answer[Any], journal: Journal) -> Change | None:
    """Save the change made by a write and return it, or return None if nothing changed."""
    if not (journal.entries or journal.unrecorded_fields or journal.undoes or journal.final or tool.final):
        return None
    change = Change(
        id=journal.change_id,
        account=caller.account,
        actor_key=caller.actor_key,
        actor_name=caller.actor_name[:200],
        channel=caller.channel,
        tool=tool.name,
        area=_change_area(tool, journal),
        item_kind=journal.thing_kind,
        item_id=journal.thing_id,
        summary=change_log.first_line(answer.text),
        previous=change_log.previous_values(journal),
        journal=journal.entries,
        final_note=tool.final or change_log.final_reason(journal),
    )
    create_rows([change])
    if journal.undoes:
        change_log.mark_undone(change, journal.undoes)
    return change
