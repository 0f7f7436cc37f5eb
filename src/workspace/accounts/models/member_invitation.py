"""Invitations to an account by email. Only the person with that address can accept."""

from __future__ import annotations

import secrets
from datetime import timedelta

from django.db import models

from workspace.accounts import messages
from workspace.accounts.models.account import Account, Membership
from workspace.accounts.models.api_key import hash_secret
from workspace.accounts.models.person import Person
from workspace.lib import clock
from workspace.lib.errors import OperationNotAllowedError
from workspace.storage.database.transactions import write_transaction

LIFETIME = timedelta(days=7)
MAX_MEMBERS = 50  # including open invitations


class MemberInvitation(models.Model):
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="invitations")
    email = models.EmailField(max_length=254)
    token_hash = models.CharField(max_length=64, unique=True)
    role = models.CharField(max_length=10, choices=Membership.ROLES, default=Membership.EDITOR)
    products: models.JSONField[dict[str, str], dict[str, str]] = models.JSONField(default=dict, blank=True)
    invited_by = models.ForeignKey(Person, on_delete=models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(default=clock.now)
    expires_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["account", "email"], name="one_invitation_an_address")]

    def __str__(self) -> str:
        return f"{self.email} to {self.account_id}"

    @classmethod
    def create(
        cls,
        account: Account,
        email: str,
        by: Person,
        role: str = Membership.EDITOR,
        products: dict[str, str] | None = None,
    ) -> tuple[MemberInvitation, str]:
        """Create an invitation and return it with the token of its link.

        It replaces earlier invitations to this address. Raise OperationNotAllowedError if the person is already a
        member, or the account is full.
        """
        email = email.strip().lower()
        token = secrets.token_urlsafe(32)
        with write_transaction():
            account = account.lock()
            if account.memberships.filter(person__email=email).exists():
                raise OperationNotAllowedError(messages.ALREADY_A_MEMBER)
            account.invitations.filter(email=email).delete()
            account.invitations.filter(expires_at__lte=clock.now()).delete()
            if account.memberships.count() + account.invitations.count() >= MAX_MEMBERS:
                raise OperationNotAllowedError(messages.MEMBER_LIMIT(most=MAX_MEMBERS))
            made = cls.objects.create(
                account=account,
                email=email,
                token_hash=hash_secret(token),
                role=role,
                products=products or {},
                invited_by=by,
                expires_at=clock.now() + LIFETIME,
            )
        return made, token

    @classmethod
    def find_by_token(cls, token: str) -> MemberInvitation | None:
        """Return the open invitation with this token and its account, or None."""
        found = cls.objects.select_related("account", "invited_by")
        return found.filter(token_hash=hash_secret(token), expires_at__gt=clock.now(), account__banned_at=None).first()

    def accept(self, person: Person) -> Membership | None:
        """Make the person a member, or return None if the invitation was withdrawn or used.

        The caller must verify that the person has the invited address.
        """
        with write_transaction():
            if not MemberInvitation.objects.filter(pk=self.pk).delete()[0]:
                return None
            given = {"role": self.role, "products": self.products}
            return Membership.objects.get_or_create(account=self.account, person=person, defaults=given)[0]
