"""Whether an account's owner wants mail about one kind of thing that came in, and how many went out within the hour."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from typing import Self

from django.db import connection, models

from workspace.accounts.models import Account
from workspace.lib import clock
from workspace.storage.journal import record_field_changes

HOURLY_LIMIT = 20
LIMIT_PERIOD = timedelta(hours=1)


class NotificationSetting(models.Model):
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="notification_settings")
    kind = models.CharField(max_length=60)
    is_on = models.BooleanField(default=True)
    started_at = models.DateTimeField(default=clock.now)  # the hour in which mails are counted
    sent_count = models.PositiveSmallIntegerField(default=0)
    suppressed_count = models.PositiveIntegerField(default=0)  # came in beyond the hour's mails and were not told yet

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
    def lock_or_create(cls, account: Account, kind: str) -> Self:
        """The account's row for this kind, made where there is none, locked until the transaction ends: so that the
        hour's count holds under parallel guests."""
        rows = cls.objects.filter(account=account, kind=kind)
        if connection.features.has_select_for_update:
            rows = rows.select_for_update()
        found = rows.first()
        if found is None:
            cls.objects.bulk_create([cls(account=account, kind=kind)], ignore_conflicts=True)
            found = rows.get()
        return found

    @property
    def is_period_over(self) -> bool:
        return self.started_at <= clock.now() - LIMIT_PERIOD

    def consume(self) -> bool:
        """One of the hour's mails; False when they are used up, and then it counts as one more to tell later."""
        if self.is_period_over:
            self.started_at, self.sent_count = clock.now(), 0
        granted = self.sent_count < HOURLY_LIMIT
        if granted:
            self.sent_count += 1
        else:
            self.suppressed_count += 1
        self.save(update_fields=["started_at", "sent_count", "suppressed_count"])
        return granted

    def claim_suppressed(self) -> int:
        """How many came in beyond the mails, to be told in one that begins a new hour; 0 when it is not time yet."""
        if not self.suppressed_count or not self.is_period_over:
            return 0
        more = self.suppressed_count
        self.started_at, self.sent_count, self.suppressed_count = clock.now(), 1, 0
        self.save(update_fields=["started_at", "sent_count", "suppressed_count"])
        return more


class Receiver(Account):
    """An account as the one that mail about what comes in goes to."""

    JOURNAL_TOLD = {"mail_off": ("notices_off", None)}

    class Meta:
        proxy = True

    @property
    def mail_off(self) -> list[str]:
        """The kinds that its owner wants no mail about."""
        return sorted(NotificationSetting.objects.filter(account=self, is_on=False).values_list("kind", flat=True))

    def turn_off(self, kinds: Iterable[str]) -> None:
        """Want no mail about these kinds, and mail about all others."""
        before, after = self.mail_off, sorted(set(kinds))
        if before == after:
            return
        for kind in sorted({*before} ^ {*after}):
            notice = NotificationSetting.lock_or_create(self, kind)
            # what was not told while it was off is no news afterwards
            NotificationSetting.objects.filter(pk=notice.pk).update(is_on=kind not in after, suppressed_count=0)
        record_field_changes(self, {"mail_off": (before, after)})

    restore_mail_off = turn_off  # the journal's name for it
