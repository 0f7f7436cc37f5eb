"""Accounts and memberships.

An account owns all data. Its plans are in its own row, so that calls need no query for them.
"""

from __future__ import annotations

from typing import Any
from zoneinfo import ZoneInfo

from django.db import connection, models, transaction

from workspace.accounts import messages, permissions, plans
from workspace.accounts.models.person import Person
from workspace.accounts.permissions import PermissionScope
from workspace.lib import clock
from workspace.lib.errors import NotFoundError, OperationNotAllowedError
from workspace.lib.ids import new_id, new_slug
from workspace.owner_translation import owner_gettext_noop
from workspace.rate_limits.table import get_limit
from workspace.storage.database.compiled_function import compile_once
from workspace.storage.database.compiled_query import CompiledQuery, parameter
from workspace.storage.database.transactions import write_transaction
from workspace.storage.journal import Journaled

_INVITE_CODE_LENGTH = 9  # 44 bits: too many to guess, and short enough to type


def _account_id() -> str:
    return new_id("acc")


def generate_invite_code() -> str:
    return new_slug(_INVITE_CODE_LENGTH)


class Account(Journaled):
    """A business that owns data.

    - `granted_plans`: plans that the administrator granted without an end date.
    - `chosen_plans`: plans in effect, including paid and temporary ones.
    - `tab_bar`: products in the tab bar on phones, as chosen by an owner. Empty for those of the trade.
    - `invite_code`: part of its invite link.
    - `invite_shows_name`: whether the invite page shows the owner's first name.
    - `ban_reason`: why it is suspended, for administrators.
    - `closes_at`: when it will be erased, if the owner closed it. Until then it is read-only and the closure can be
      cancelled.
    - `closing_notified`: whether the owner was warned of the coming erasure.
    """

    id = models.CharField(primary_key=True, max_length=40, default=_account_id, editable=False)
    name = models.CharField(max_length=120)
    time_zone = models.CharField(max_length=64, default="UTC")
    chosen_plans: models.JSONField[dict[str, str], dict[str, str]] = models.JSONField(default=dict, blank=True)
    granted_plans: models.JSONField[dict[str, str], dict[str, str]] = models.JSONField(default=dict, blank=True)
    tab_bar: models.JSONField[list[str], list[str]] = models.JSONField(default=list, blank=True)
    event_credits = models.PositiveIntegerField(default=0)
    invite_code = models.CharField(max_length=12, unique=True, default=generate_invite_code, editable=False)
    invite_shows_name = models.BooleanField(default=False)
    banned_at = models.DateTimeField(null=True, blank=True)
    ban_reason = models.CharField(max_length=200, blank=True)
    closes_at = models.DateTimeField(null=True, blank=True)
    closing_notified = models.BooleanField(default=False)
    created_at = models.DateTimeField(default=clock.now)

    def __str__(self) -> str:
        return self.name

    @property
    def zone(self) -> ZoneInfo:
        return ZoneInfo(self.time_zone)

    @property
    def owner(self) -> Person:
        """The recipient of emails to the account: its first owner."""
        return _OWNER.get_one(messages.ACCOUNT_CLOSED, account=self.pk)

    def owner_details(self) -> tuple[str, bool]:
        """Return the owner's email address, and whether they are an administrator."""
        return _OWNER_DETAILS.get_one(messages.ACCOUNT_CLOSED, account=self.pk)

    @property
    def plans(self) -> dict[str, str]:
        """The plan's name for each product."""
        return plans.effective_plans(self.chosen_plans)

    def plan(self, product: str) -> str:
        """Return the name of the plan for a product."""
        return self.plans[product]

    def limits(self, product: str) -> Any:
        """Return the limits of this account's plan for a product: a frozen dataclass that the product declares."""
        return plans.limits_for(product, self.plan(product))

    def upgrade_hint(self, product: str) -> str:
        """Return the end of a sentence that says how to get a larger plan, or "" on the top plan."""
        return "" if self.plan(product) == plans.PRODUCTS[product].top_plan else plans.upgrade_hint()

    def with_upgrade_hint(self, product: str, act: str) -> str:
        """Return advice for when a limit is reached: the action ("delete one") and, if there is one, a larger plan."""
        larger = self.upgrade_hint(product)
        return f"{act}, or {larger}" if larger else act

    @property
    def is_paying(self) -> bool:
        """True if any product has a paid plan, which raises the daily call limit."""
        return any(plan != plans.FREE for plan in self.plans.values())

    @property
    def daily_calls(self) -> int:
        return get_limit(self.calls_limit).count

    @property
    def calls_limit(self) -> str:
        """The name of the limit on calls per day."""
        return "calls-paid" if self.is_paying else "calls-free"

    def lock(self) -> Account:
        """Lock the account's row and return it, read again from the database.

        Until the transaction ends, writes of the account wait for one another, so limits are exact and a change cannot
        overlap a deletion. SQLite allows only one writer anyway. A plain FOR UPDATE is not used, because it would block
        inserts by guests.
        """
        return _LOCKED_ACCOUNT.get_one(messages.ACCOUNT_CLOSED, account=self.pk)

    @classmethod
    def open(
        cls, person: Person, *, name: str, time_zone: str = "UTC", chosen: dict[str, str] | None = None
    ) -> Account:
        """Create an account that the person owns, in one transaction."""
        with transaction.atomic():
            given = dict(chosen or {})
            account = cls.objects.create(name=name, time_zone=time_zone, chosen_plans=given, granted_plans=given)
            Membership.objects.create(account=account, person=person, role=Membership.OWNER)
        return account

    @classmethod
    def for_person(cls, person: Person, id: str | None = None) -> Account:
        """Return the account that the person works in: the given one, or their first."""
        return Membership.for_person(person, id).account


class Membership(models.Model):
    """A person's role in an account. If the role is `some`, `products` maps product keys to `editor` or `viewer`."""

    OWNER, EDITOR, VIEWER, BY_PRODUCT = (
        permissions.OWNER,
        permissions.EDITOR,
        permissions.VIEWER,
        permissions.BY_PRODUCT,
    )
    ROLES = (
        (OWNER, owner_gettext_noop("Owner")),
        (EDITOR, owner_gettext_noop("Editor")),
        (VIEWER, owner_gettext_noop("Viewer")),
        (BY_PRODUCT, owner_gettext_noop("By product")),
    )

    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="memberships")
    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=10, choices=ROLES, default=OWNER)
    products: models.JSONField[dict[str, str], dict[str, str]] = models.JSONField(default=dict, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["account", "person"], name="one_membership_a_person")]

    def __str__(self) -> str:
        return f"{self.person} in {self.account}"

    @property
    def permission_scope(self) -> PermissionScope:
        return PermissionScope.for_role(self.role, self.products)

    @classmethod
    def for_person(cls, person: Person, account_id: str | None = None) -> Membership:
        """Return the person's membership in the given account, or their first one, with its account loaded.

        Raise NotFoundError if there is none.
        """
        if account_id and not account_id.isprintable():
            raise NotFoundError(messages.NOT_A_MEMBER)  # PostgreSQL rejects NUL
        found = _memberships.fetch_some(1, person.pk, account_id or None)
        if not found:
            raise NotFoundError(messages.NOT_A_MEMBER)
        return found[0]

    def change_role(self, role: str, products: dict[str, str]) -> None:
        """Change the role. It applies to sessions, keys and connections from their next call.

        Raise OperationNotAllowedError for the last owner.
        """
        with write_transaction():
            self._check_last_owner(role)
            self.role, self.products = role, products if role == permissions.BY_PRODUCT else {}
            self.save(update_fields=["role", "products"])

    def remove(self) -> None:
        """Remove the person from the account, and revoke the keys that they created.

        Raise OperationNotAllowedError for the last owner.
        """
        with write_transaction():
            self._check_last_owner("")
            keys = self.account.keys.filter(created_by=self.person_id, revoked_at=None)
            keys.update(revoked_at=clock.now())
            self.delete()

    def _check_last_owner(self, role: str) -> None:
        others = self.account.lock().memberships.filter(role=permissions.OWNER).exclude(pk=self.pk)
        if role != permissions.OWNER and self.role == permissions.OWNER and not others.exists():
            raise OperationNotAllowedError(messages.LAST_OWNER)


def _lock_query() -> models.QuerySet[Account]:
    accounts = Account.objects.filter(pk=parameter("account"))
    return accounts.select_for_update(no_key=True) if connection.features.has_select_for_no_key_update else accounts


_LOCKED_ACCOUNT = CompiledQuery(_lock_query)


def _owner_query() -> models.QuerySet[Person]:
    owners = Person.objects.filter(memberships__account_id=parameter("account"), memberships__role=Membership.OWNER)
    return owners.order_by("memberships__pk")


_OWNER = CompiledQuery(_owner_query)
_OWNER_DETAILS = CompiledQuery(lambda: _owner_query().values_list("email", "is_operator"))


@compile_once
def _memberships(person_id: int, account_id: str | None) -> models.QuerySet[Membership]:
    reached = Membership.objects.filter(person=person_id, account__banned_at=None)
    reached = reached.select_related("account__brand")  # every owner page needs the trade for its tab bar
    return (reached.filter(account=account_id) if account_id else reached).order_by("pk")
