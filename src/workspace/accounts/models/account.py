"""An account owns everything; its plan stands per product on its own row, so that no call pays a query for it."""

from __future__ import annotations

from typing import Any
from zoneinfo import ZoneInfo

from django.db import connection, models, transaction

from workspace.accounts import permissions, plans
from workspace.accounts.models.person import Person
from workspace.accounts.permissions import PermissionScope
from workspace.lib import clock
from workspace.lib.errors import NotFoundError, OperationNotAllowedError
from workspace.lib.ids import new_id, new_slug
from workspace.storage.database.compiled_query import CompiledQuery, parameter
from workspace.storage.database.transactions import write_transaction

ACCOUNT_CLOSED = "This account has been closed"
_INVITE_CODE_LENGTH = 9  # 44 bits: nobody finds one by trying, and it can be typed


def _account_id() -> str:
    return new_id("acc")


def generate_invite_code() -> str:
    return new_slug(_INVITE_CODE_LENGTH)


class Account(models.Model):
    """`granted_plans` are the operator's gift without an end; `chosen_plans` what stands, with what is paid for and what
    was granted until a day. `generate_invite_code` stands in its link for friends; `invite_shows_name`: so does the
    owner's first name. `ban_reason`: why it is suspended, for administrators. `closes_at`: when it is erased, once its
    owner asked for it; until then nothing is written, and it may be taken back. `closing_notified`: that the end is near
    was told."""

    id = models.CharField(primary_key=True, max_length=40, default=_account_id, editable=False)
    name = models.CharField(max_length=120)
    time_zone = models.CharField(max_length=64, default="UTC")
    chosen_plans: models.JSONField[dict[str, str], dict[str, str]] = models.JSONField(default=dict, blank=True)
    granted_plans: models.JSONField[dict[str, str], dict[str, str]] = models.JSONField(default=dict, blank=True)
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
        """Whom mails to the account go to: of several owners the first."""
        return _OWNER.get_one(ACCOUNT_CLOSED, account=self.pk)

    def owner_details(self) -> tuple[str, bool]:
        """The owner's e-mail, and whether they run this installation."""
        return _OWNER_DETAILS.get_one(ACCOUNT_CLOSED, account=self.pk)

    @property
    def plans(self) -> dict[str, str]:
        """The plan's name on each product."""
        return plans.effective_plans(self.chosen_plans)

    def plan(self, product: str) -> str:
        """The plan's name on a product."""
        return self.plans[product]

    def limits(self, product: str) -> Any:
        """The frozen dataclass that the product's `plan.py` declares for this account's plan."""
        return plans.limits_for(product, self.plan(product))

    def upgrade_hint(self, product: str) -> str:
        """How to get a larger plan of the product, as the end of a sentence; empty on its top plan."""
        return "" if self.plan(product) == plans.PRODUCTS[product].top_plan else plans.upgrade_hint()

    def with_upgrade_hint(self, product: str, act: str) -> str:
        """What can be done at a limit: the act ("delete one"), and a larger plan where there is one."""
        larger = self.upgrade_hint(product)
        return f"{act}, or {larger}" if larger else act

    @property
    def is_paying(self) -> bool:
        """Whether any product stands on a plan above the free one, which decides the daily calls."""
        return any(plan != plans.FREE for plan in self.plans.values())

    @property
    def daily_calls(self) -> int:
        return plans.PAID_DAILY_CALLS if self.is_paying else plans.FREE_DAILY_CALLS

    def lock(self) -> Account:
        """The account, read afresh, with the lock under which its owner's writes follow one another until the
        transaction ends: limits hold, and a change never meets a deletion half-way. SQLite has one writer at a time
        already. No plain FOR UPDATE: it would hold up guests' inserts."""
        return _LOCKED_ACCOUNT.get_one(ACCOUNT_CLOSED, account=self.pk)

    @classmethod
    def open(
        cls, person: Person, *, name: str, time_zone: str = "UTC", chosen: dict[str, str] | None = None
    ) -> Account:
        """A new account owned by the person, in one transaction."""
        with transaction.atomic():
            given = dict(chosen or {})
            account = cls.objects.create(name=name, time_zone=time_zone, chosen_plans=given, granted_plans=given)
            Membership.objects.create(account=account, person=person, role=Membership.OWNER)
        return account

    @classmethod
    def for_person(cls, person: Person, id: str | None = None) -> Account:
        """The account that the person works in: the named one, or their first."""
        return Membership.for_person(person, id).account


class Membership(models.Model):
    """With the role `some`, `products` says of which: their keys, with `editor` or `viewer`."""

    OWNER, EDITOR, VIEWER, BY_PRODUCT = (
        permissions.OWNER,
        permissions.EDITOR,
        permissions.VIEWER,
        permissions.BY_PRODUCT,
    )
    ROLES = ((OWNER, "Owner"), (EDITOR, "Editor"), (VIEWER, "Viewer"), (BY_PRODUCT, "By product"))

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
        """The membership in the named account, or the person's first one, with its account."""
        if account_id and not account_id.isprintable():
            raise NotFoundError("You are not a member of this account")  # PostgreSQL takes no NUL
        reached = cls.objects.filter(person=person, account__banned_at=None).select_related("account").order_by("pk")
        found = (reached.filter(account=account_id) if account_id else reached).first()
        if found is None:
            raise NotFoundError("You are not a member of this account")
        return found

    def change_role(self, role: str, products: dict[str, str]) -> None:
        """Another role from now on: sessions, keys and connections ask for it with every call. Raises
        OperationNotAllowedError for the last owner."""
        with write_transaction():
            self._check_last_owner(role)
            self.role, self.products = role, products if role == permissions.BY_PRODUCT else {}
            self.save(update_fields=["role", "products"])

    def remove(self) -> None:
        """The person leaves, and the keys that they made there stop working. Raises OperationNotAllowedError for the
        last owner."""
        with write_transaction():
            self._check_last_owner("")
            keys = self.account.keys.filter(created_by=self.person_id, revoked_at=None)
            keys.update(revoked_at=clock.now())
            self.delete()

    def _check_last_owner(self, role: str) -> None:
        others = self.account.lock().memberships.filter(role=permissions.OWNER).exclude(pk=self.pk)
        if role != permissions.OWNER and self.role == permissions.OWNER and not others.exists():
            raise OperationNotAllowedError(
                "An account needs an owner: make somebody else one first, or delete the account"
            )


def _lock_query() -> models.QuerySet[Account]:
    accounts = Account.objects.filter(pk=parameter("account"))
    return accounts.select_for_update(no_key=True) if connection.features.has_select_for_no_key_update else accounts


_LOCKED_ACCOUNT = CompiledQuery(_lock_query)


def _owner_query() -> models.QuerySet[Person]:
    owners = Person.objects.filter(memberships__account_id=parameter("account"), memberships__role=Membership.OWNER)
    return owners.order_by("memberships__pk")


_OWNER = CompiledQuery(_owner_query)
_OWNER_DETAILS = CompiledQuery(lambda: _owner_query().values_list("email", "is_operator"))
