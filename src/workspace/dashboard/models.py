"""An account's dashboard settings: its first steps, and the products at check-in."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Self

from django.db import models

from workspace.accounts.models import Account
from workspace.lib import clock
from workspace.storage.database.compiled_function import compile_once
from workspace.storage.database.transactions import write_transaction


class Onboarding(models.Model):
    """The first steps of an account. The row is created once there is data.

    It records when the account first saved a file to print or share, and when the list was dismissed.
    """

    account = models.OneToOneField(Account, on_delete=models.CASCADE, primary_key=True, related_name="onboarding")
    saved_at = models.DateTimeField(null=True, blank=True)
    dismissed_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"First steps of {self.account_id}"

    @classmethod
    def for_account(cls, account: Account) -> Self:
        """Return the account's row, or an unsaved one if there is none. It takes one query."""
        found: list[Self] = _rows_of_account.fetch(cls, account)
        return found[0] if found else cls(account=account)

    def mark_saved(self) -> None:
        """Record that a file was saved to print or share. Only the first time is stored."""
        if self.saved_at is None:
            self._save_fields(saved_at=clock.now())

    def set_dismissed(self, is_dismissed: bool) -> None:
        if is_dismissed != (self.dismissed_at is not None):
            self._save_fields(dismissed_at=clock.now() if is_dismissed else None)

    def _save_fields(self, **fields: datetime | None) -> None:
        with write_transaction():
            type(self).objects.update_or_create(pk=self.account_id, defaults=fields)


class CheckinSetting(models.Model):
    """The products hidden at check-in, by key. An account has a row once it hides one."""

    account = models.OneToOneField(Account, on_delete=models.CASCADE, primary_key=True, related_name="checkin_setting")
    hidden_kinds: models.JSONField[list[str], list[str]] = models.JSONField(default=list)

    def __str__(self) -> str:
        return f"Door of {self.account_id}"

    @classmethod
    def hidden_kinds_for(cls, account: Account) -> list[str]:
        return next(iter(cls.objects.filter(pk=account.pk).values_list("hidden_kinds", flat=True)), [])

    @classmethod
    def save_hidden_kinds(cls, account: Account, hidden_kinds: list[str]) -> None:
        with write_transaction():
            cls.objects.update_or_create(pk=account.pk, defaults={"hidden_kinds": hidden_kinds})


@compile_once
def _rows_of_account(model: type[models.Model], account: Account) -> models.QuerySet[Any]:
    return model._default_manager.filter(pk=account)
