"""What the dashboard remembers of an account: its list of first steps, and what counts at its door."""

from __future__ import annotations

from datetime import datetime
from typing import Self

from django.db import models

from workspace.accounts.models import Account
from workspace.lib import clock
from workspace.storage.database.transactions import write_transaction


class Onboarding(models.Model):
    """One row an account, as soon as there is something to remember: when it first saved something for paper or
    elsewhere, and when the list was put away."""

    account = models.OneToOneField(Account, on_delete=models.CASCADE, primary_key=True, related_name="onboarding")
    saved_at = models.DateTimeField(null=True, blank=True)
    dismissed_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"First steps of {self.account_id}"

    @classmethod
    def for_account(cls, account: Account) -> Self:
        """The account's, which is not stored while there is nothing to remember. One query."""
        return cls.objects.filter(pk=account.pk).first() or cls(account=account)

    def mark_saved(self) -> None:
        """Something was saved to be printed or shared. Written the first time only."""
        if self.saved_at is None:
            self._save_fields(saved_at=clock.now())

    def set_dismissed(self, away: bool) -> None:
        if away != (self.dismissed_at is not None):
            self._save_fields(dismissed_at=clock.now() if away else None)

    def _save_fields(self, **fields: datetime | None) -> None:
        with write_transaction():
            type(self).objects.update_or_create(pk=self.account_id, defaults=fields)


class CheckinSetting(models.Model):
    """What does not count at the door, by the keys of products. One row an account, as soon as it leaves one out."""

    account = models.OneToOneField(Account, on_delete=models.CASCADE, primary_key=True, related_name="checkin_setting")
    hidden_kinds: models.JSONField[list[str], list[str]] = models.JSONField(default=list)

    def __str__(self) -> str:
        return f"Door of {self.account_id}"

    @classmethod
    def hidden_kinds_for(cls, account: Account) -> list[str]:
        return next(iter(cls.objects.filter(pk=account.pk).values_list("hidden_kinds", flat=True)), [])

    @classmethod
    def save_hidden_kinds(cls, account: Account, left_out: list[str]) -> None:
        with write_transaction():
            cls.objects.update_or_create(pk=account.pk, defaults={"hidden_kinds": left_out})
