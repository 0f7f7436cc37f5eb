"""An account's notification settings: whether each kind is on, and how many were sent in the current hour."""

from __future__ import annotations

from collections.abc import Iterable

from django.db import connection, models

from workspace.accounts.models import Account
from workspace.lib import clock
from workspace.rate_limits.counter import consume
from workspace.rate_limits.table import get_limit
from workspace.storage.database.bulk_insert import create_rows
from workspace.storage.database.compiled_function import compile_once
from workspace.storage.database.compiled_write import CompiledModel
from workspace.storage.journal import record_field_changes


class NotificationSetting(CompiledModel):
    """The setting and the hourly count of one kind of notification."""

    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="notification_settings")
    kind = models.CharField(max_length=60)
    is_on = models.BooleanField(default=True)
    started_at = models.DateTimeField(default=clock.now)  # start of the hour in which emails are counted
    sent_count = models.PositiveSmallIntegerField(default=0)
    suppressed_count = models.PositiveIntegerField(default=0)  # beyond the hourly limit, not yet reported

    class Meta:
        constraints = [models.UniqueConstraint(fields=["account", "kind"], name="one_notification_setting_a_kind")]
        indexes = [
            models.Index(
                fields=["started_at"], condition=models.Q(suppressed_count__gt=0), name="notifications_suppressed"
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} for {self.account_id}"

    @classmethod
    def lock_or_create(cls, account: Account, kind: str) -> NotificationSetting:
        """Return the account's row for this kind, creating it if needed. It is locked until the transaction ends.

        The lock keeps the hourly count correct when guests submit at the same time."""
        found = _setting_for_update.fetch(account, kind)
        if not found:
            create_rows([cls(account=account, kind=kind)], tail="ON CONFLICT DO NOTHING")
            found = _setting_for_update.fetch(account, kind)
        return found[0]

    @classmethod
    def can_send_email(cls, account: Account, kind: str) -> bool:
        """Return whether an email of this kind could be sent now, without counting it."""
        found = _setting_for.fetch(account, kind)
        return not found or (found[0].is_on and (found[0].is_period_over or found[0]._has_emails_left()))

    def _has_emails_left(self) -> bool:
        return consume("notification", used=self.sent_count).is_granted

    @property
    def is_period_over(self) -> bool:
        return self.started_at <= get_limit("notification").window_start()

    def count_email(self) -> bool:
        """Count one email for the current hour. If the limit is reached, count a suppressed email and return False."""
        if self.is_period_over:
            self.started_at, self.sent_count = clock.now(), 0
        granted = self._has_emails_left()
        if granted:
            self.sent_count += 1
        else:
            self.suppressed_count += 1
        self.save(update_fields=["started_at", "sent_count", "suppressed_count"])
        return granted

    def claim_suppressed(self) -> int:
        """Claim the suppressed notifications for one summary email, which starts a new hour.

        Return their number, or 0.
        """
        if not self.suppressed_count or not self.is_period_over:
            return 0
        more = self.suppressed_count
        self.started_at, self.sent_count, self.suppressed_count = clock.now(), 1, 0
        self.save(update_fields=["started_at", "sent_count", "suppressed_count"])
        return more


@compile_once
def _setting_for(account: Account, kind: str) -> models.QuerySet[NotificationSetting]:
    return NotificationSetting.objects.filter(account=account, kind=kind)


@compile_once
def _setting_for_update(account: Account, kind: str) -> models.QuerySet[NotificationSetting]:
    rows = NotificationSetting.objects.filter(account=account, kind=kind)
    return rows.select_for_update() if connection.features.has_select_for_update else rows


class Receiver(Account):
    """An account as the recipient of notifications."""

    journal_displayed_fields = {"mail_off": ("notices_off", None)}

    class Meta:
        proxy = True

    @property
    def mail_off(self) -> list[str]:
        """The kinds of notifications that are off."""
        return sorted(NotificationSetting.objects.filter(account=self, is_on=False).values_list("kind", flat=True))

    def turn_off(self, kinds: Iterable[str]) -> None:
        """Turn off notifications of these kinds, and turn on all others."""
        before, after = self.mail_off, sorted(set(kinds))
        if before == after:
            return
        for kind in sorted({*before} ^ {*after}):
            notice = NotificationSetting.lock_or_create(self, kind)
            # what was suppressed while a kind was off is not reported later
            NotificationSetting.objects.filter(pk=notice.pk).update(is_on=kind not in after, suppressed_count=0)
        record_field_changes(self, {"mail_off": (before, after)})

    journal_field_restorers = {"mail_off": turn_off}
