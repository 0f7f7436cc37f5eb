"""Notifications: emails to the owner about submissions, at most 20 per hour and kind.

Additional ones are summarized in one email when the hour is over. Each kind can be switched off.

    LEADS = NotificationKind("card.lead", "Leads", "A guest leaves their details on a card", "/app/card")

    notify_owner(account, LEADS, "owner/card_lead", {"lead": lead}, reply_to=lead.email)   # in the lead's transaction
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.db.models import QuerySet

from workspace.accounts.models import Account
from workspace.delivery import mail, messages, outbox
from workspace.delivery.models import Delivery
from workspace.delivery.models.notification_setting import NotificationSetting, Receiver
from workspace.delivery.outbox import join_transaction
from workspace.lib.errors import InvalidInputError
from workspace.rate_limits.table import get_limit
from workspace.storage.database.transactions import write_transaction
from workspace.storage.row_tasks import row_task

logger = logging.getLogger(__name__)

PAGE_PATH = "/app/account/notifications"


@dataclass(frozen=True, slots=True)
class NotificationKind:
    """A kind of notification.

    `title` is the plural name of the submissions, `about` describes when it is sent, and `path` is the page that lists
    all of them.
    """

    name: str
    title: str
    about: str
    path: str


@dataclass(frozen=True, slots=True)
class NotificationSwitch:
    kind: NotificationKind
    is_on: bool


_kinds: dict[str, NotificationKind] = {}


def register_kind(kind: NotificationKind) -> NotificationKind:
    """Register a kind (`product.what`) with its switch. Products list their kinds in their manifest."""
    _kinds[kind.name] = kind
    return kind


@dataclass(slots=True)
class OwnerEmail:
    """An email to the owner, which `queue` sends in the caller's transaction.

    It is rendered before the transaction if its kind is turned on and the hourly limit is not reached."""

    account: Account
    kind: NotificationKind
    template: str
    context: dict[str, Any]
    reply_to: str | None = None
    dedupe_key: str | None = None
    _payload: dict[str, Any] | None = None

    def render(self) -> None:
        """Render the email now. If it cannot be rendered, log the error and send nothing."""
        context = {"notices_url": settings_url(), **self.context}
        try:
            self._payload = mail.render_payload(
                self.template, self.account.owner.email, context, reply_to=self.reply_to
            )
        except ValueError:
            logger.exception("A notification of kind %s could not be written", self.kind.name)

    def queue(self) -> bool:
        """Queue the email in the caller's transaction. See `notify_owner`."""
        with join_transaction():
            if self.dedupe_key and Delivery.objects.filter(dedupe_key=self.dedupe_key).exists():
                return False
            notice = NotificationSetting.lock_or_create(self.account, self.kind.name)
            if not notice.is_on:
                return False
            if notice.is_period_over and notice.suppressed_count:
                _send_summary(notice, self.kind)
            if not notice.count_email():
                return False
            return self.put()

    def put(self) -> bool:
        """Queue the email in the caller's transaction without counting it. Return whether it could be rendered."""
        if self._payload is None:
            self.render()
        if self._payload is None:
            return False
        outbox.put(mail.KIND, self._payload, account=self.account, dedupe=self.dedupe_key)
        return True


def prepare_owner_email(
    account: Account,
    kind: NotificationKind,
    template: str,
    context: dict[str, Any],
    *,
    reply_to: str | None = None,
    dedupe_key: str | None = None,
) -> OwnerEmail:
    """Render an email like `notify_owner`, before the transaction that queues it."""
    email = OwnerEmail(account, kind, template, context, reply_to, dedupe_key)
    if NotificationSetting.can_send_email(account, kind.name):
        email.render()
    return email


def notify_owner(
    account: Account,
    kind: NotificationKind,
    template: str,
    context: dict[str, Any],
    *,
    reply_to: str | None = None,
    dedupe_key: str | None = None,
) -> bool:
    """Email the owner in the caller's transaction, from the template `mail/TEMPLATE`.

    The template gets `notices_url` in addition to the context. Return False if the kind is off, the hourly limit is
    reached, or an email with the key `dedupe_key` was sent before. An email that cannot be rendered is logged and does
    not fail the transaction, because the submission is more important.
    """
    return OwnerEmail(account, kind, template, context, reply_to, dedupe_key).queue()


def list_switches(account: Account) -> list[NotificationSwitch]:
    """Return all kinds and their states, sorted by title."""
    off = set(NotificationSetting.objects.filter(account=account, is_on=False).values_list("kind", flat=True))
    found = [NotificationSwitch(kind, kind.name not in off) for kind in _kinds.values()]
    return sorted(found, key=lambda switch: switch.kind.title)


def set_switches(account: Account, changes: dict[str, bool]) -> None:
    """Turn kinds on or off, in the caller's transaction. Raise InvalidInputError for an unknown kind."""
    unknown = [name for name in changes if name not in _kinds]
    if unknown:
        message = messages.UNKNOWN_NOTIFICATION(kinds=", ".join(sorted(_kinds)))
        raise InvalidInputError.from_pairs([(f"notifications.{name}", message) for name in unknown])
    with join_transaction():
        receiver = Receiver.objects.get(pk=account.pk)
        off = {*receiver.mail_off, *changes} - {name for name, is_on in changes.items() if is_on}
        receiver.turn_off(off)


def settings_url() -> str:
    return settings.BASE_URL + PAGE_PATH


def _settings_with_suppressed() -> QuerySet[NotificationSetting, tuple[str, str]]:
    over = NotificationSetting.objects.filter(
        suppressed_count__gt=0, started_at__lte=get_limit("notification").window_start()
    )
    return over.values_list("account_id", "kind")


@row_task("delivery.send_suppressed_notifications", _settings_with_suppressed)
def send_suppressed_summary(row: tuple[str, str]) -> bool:
    """Send one email about suppressed notifications of a kind, after the hour is over."""
    account_id, name = row
    with write_transaction():
        account = Account.objects.filter(pk=account_id).first()
        return (
            account is not None
            and name in _kinds
            and _send_summary(NotificationSetting.lock_or_create(account, name), _kinds[name])
        )


def _send_summary(notice: NotificationSetting, kind: NotificationKind) -> bool:
    more = notice.claim_suppressed()
    if not more:
        return False
    context = {"more": more, "kind": kind, "url": settings.BASE_URL + kind.path}
    return OwnerEmail(notice.account, kind, "owner/more_notifications", context).put()
