"""An account owns everything; its plan stands per product on its own row, so that no call pays a query for it."""

from __future__ import annotations

from typing import Any
from zoneinfo import ZoneInfo

from django.db import connection, models, transaction

from workspace.accounts import plans
from workspace.accounts.models.person import Person
from workspace.storage.statement import Statement, given
from workspace.toolkit import clock
from workspace.toolkit.errors import NotFound
from workspace.toolkit.ids import new_id, new_slug

CLOSED = "This account has been closed"
_INVITE_LETTERS = 9  # 44 bits: nobody finds one by trying, and it can be typed


def _account_id() -> str:
    return new_id("acc")


def invite_code() -> str:
    return new_slug(_INVITE_LETTERS)


class Account(models.Model):
    """`given_plans` are the operator's gift without an end; `chosen_plans` what stands, with what is paid for and what
    was granted until a day. `invite_code` stands in its link for friends; `invite_names_owner`: so does the owner's
    first name."""

    id = models.CharField(primary_key=True, max_length=40, default=_account_id, editable=False)
    name = models.CharField(max_length=120)
    time_zone = models.CharField(max_length=64, default="UTC")
    chosen_plans: models.JSONField[dict[str, str], dict[str, str]] = models.JSONField(default=dict, blank=True)
    given_plans: models.JSONField[dict[str, str], dict[str, str]] = models.JSONField(default=dict, blank=True)
    event_credits = models.PositiveIntegerField(default=0)
    invite_code = models.CharField(max_length=12, unique=True, default=invite_code, editable=False)
    invite_names_owner = models.BooleanField(default=False)
    banned_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(default=clock.now)

    def __str__(self) -> str:
        return self.name

    @property
    def zone(self) -> ZoneInfo:
        return ZoneInfo(self.time_zone)

    @property
    def owner(self) -> Person:
        return _OWNER.one(CLOSED, account=self.pk)

    def owner_told(self) -> tuple[str, bool]:
        """The owner's e-mail, and whether they run this installation."""
        return _OWNER_TOLD.one(CLOSED, account=self.pk)

    @property
    def plans(self) -> dict[str, str]:
        """The plan's name on each product."""
        return plans.standing(self.chosen_plans)

    def plan(self, product: str) -> str:
        """The plan's name on a product."""
        return self.plans[product]

    def limits(self, product: str) -> Any:
        """The frozen dataclass that the product's `plan.py` declares for this account's plan."""
        return plans.limits_of(product, self.plan(product))

    def larger(self, product: str) -> str:
        """How to get a larger plan of the product, as the end of a sentence; empty on its top plan."""
        return "" if self.plan(product) == plans.PRODUCTS[product].top else plans.way_up()

    def or_larger(self, product: str, act: str) -> str:
        """What can be done at a limit: the act ("delete one"), and a larger plan where there is one."""
        larger = self.larger(product)
        return f"{act}, or {larger}" if larger else act

    @property
    def pays(self) -> bool:
        """Whether any product stands on a plan above the free one, which decides the daily calls."""
        return any(plan != plans.FREE for plan in self.plans.values())

    @property
    def daily_calls(self) -> int:
        return plans.PAID_CALLS if self.pays else plans.FREE_CALLS

    def lock(self) -> Account:
        """The account, read afresh, with the lock under which its owner's writes follow one another until the
        transaction ends: limits hold, and a change never meets a deletion half-way. SQLite has one writer at a time
        already. No plain FOR UPDATE: it would hold up guests' inserts."""
        return _LOCKED.one(CLOSED, account=self.pk)

    @classmethod
    def open(
        cls, person: Person, *, name: str, time_zone: str = "UTC", chosen: dict[str, str] | None = None
    ) -> Account:
        """A new account owned by the person, in one transaction."""
        with transaction.atomic():
            given = dict(chosen or {})
            account = cls.objects.create(name=name, time_zone=time_zone, chosen_plans=given, given_plans=given)
            Membership.objects.create(account=account, person=person, role=Membership.OWNER)
        return account

    @classmethod
    def of(cls, person: Person, id: str | None = None) -> Account:
        """The account that the person works in: the named one, or their first."""
        reached = cls.objects.filter(memberships__person=person, banned_at=None).order_by("memberships__id")
        if id and not id.isprintable():
            raise NotFound("You are not a member of this account")  # PostgreSQL takes no NUL
        account = (reached.filter(pk=id) if id else reached).first()
        if account is None:
            raise NotFound("You are not a member of this account")
        return account


class Membership(models.Model):
    OWNER = "owner"
    MEMBER = "member"

    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="memberships")
    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=10, choices=[(OWNER, "Owner"), (MEMBER, "Member")], default=OWNER)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["account", "person"], name="one_membership_a_person"),
            models.UniqueConstraint(fields=["account"], condition=models.Q(role="owner"), name="one_owner_an_account"),
        ]

    def __str__(self) -> str:
        return f"{self.person} in {self.account}"


def _locked() -> models.QuerySet[Account]:
    accounts = Account.objects.filter(pk=given("account"))
    return accounts.select_for_update(no_key=True) if connection.features.has_select_for_no_key_update else accounts


_LOCKED = Statement(_locked)


def _owner() -> models.QuerySet[Person]:
    return Person.objects.filter(memberships__account_id=given("account"), memberships__role=Membership.OWNER)


_OWNER = Statement(_owner)
_OWNER_TOLD = Statement(lambda: _owner().values_list("email", "is_operator"))
