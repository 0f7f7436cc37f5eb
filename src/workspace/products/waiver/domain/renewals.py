"""Emails that ask people to sign again: after a change of text if the owner wants it, and two weeks before the end.

The outbox stores only the time of the check. The recipients are determined at that time, each once per reason. People
who have signed again or unsubscribed are skipped.

    schedule_renewal(waiver, CHANGED)  at the owner's request, immediately
    schedule_before_end(waiver, end)   after a signature, or a change of validity
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, time, timedelta
from itertools import groupby
from typing import Any

from django.db.models import Exists, F, OuterRef, Q, QuerySet

from workspace.accounts.models import Account
from workspace.delivery import mail, outbox
from workspace.delivery.models import Delivery
from workspace.delivery.models.delivery import DeliveryState
from workspace.lib import clock
from workspace.products.waiver.domain import emails
from workspace.products.waiver.models import Signature, Signing, Waiver
from workspace.storage.database.compiled_function import compile_once
from workspace.storage.database.transactions import write_transaction

DELIVERY_KIND = "waiver.again"  # kind of the delivery in the outbox
CHANGED, ENDING = "changed", "ending"
_TEMPLATES = {CHANGED: "waiver_text_changed", ENDING: "waiver_expiring"}
NOTICE_PERIOD = timedelta(days=14)
MIN_VALIDITY = timedelta(days=28)  # a shorter validity has no reminder, so occasional guests are not emailed
BATCH_SIZE, MAX_BATCHES = 200, 10  # signatures in a batch, and batches in one turn
_SEND_TIME = time(9)


def schedule_renewal(waiver: Waiver, reason: str) -> None:
    """Schedule a renewal in the caller's transaction."""
    outbox.put(DELIVERY_KIND, {"waiver": waiver.pk, "why": reason}, account=waiver.account)


def schedule_before_end(waiver: Waiver, end: datetime | None) -> None:
    """Schedule a reminder in the caller's transaction. Signatures that end on the same day share one reminder."""
    now, zone = clock.now(), waiver.account.zone
    if not waiver.reminders_enabled or end is None or end - NOTICE_PERIOD <= now:
        return
    day = (end - NOTICE_PERIOD).astimezone(zone).date()
    payload = {"waiver": waiver.pk, "why": ENDING}
    at = datetime.combine(day, _SEND_TIME, zone)
    outbox.put(DELIVERY_KIND, payload, account=waiver.account, at=at, dedupe=f"waiver-ending:{waiver.pk}:{day:%Y%m%d}")


def update_after_signing(signing: Signing, signatures: Sequence[Signature]) -> None:
    """Withdraw emails that ask the signer to sign again, and schedule the next reminder."""
    first = signatures[0]
    if first.email and first.expires_at and first.expires_at - signing.signed_at >= MIN_VALIDITY:
        schedule_before_end(signing.waiver, first.expires_at)
    if not first.email:
        return
    for id in _signings_asked_again.fetch(signing.account, signing.waiver, first.email):
        if id != signing.pk:
            outbox.withdraw(_dedupe_key(id))


@compile_once
def _signings_asked_again(account: Account, waiver: Waiver, email: str) -> QuerySet[Signature, str]:
    """Return the ids of signings whose signer was asked by email to sign again."""
    is_renewal_sent = Q(signing__renewal_version__isnull=False) | Q(signing__expiry_notice_at__isnull=False)
    signatures = Signature.objects.filter(is_renewal_sent, account=account, email=email, waiver=waiver)
    return signatures.values_list("signing_id", flat=True).distinct().order_by()


def mute_reminders(signing: Signing) -> None:
    """Stop all reminders from this account to the signer's address, including those for later signatures."""
    email = signing.signatures.values_list("email", flat=True).first() or ""
    signings = Signing.objects.filter(signatures__email=email, account=signing.account_id) if email else None
    ids = list(signings.values_list("pk", flat=True).distinct()) if signings is not None else [signing.pk]
    Signing.objects.filter(pk__in=ids).update(muted=True)
    for id in ids:
        outbox.withdraw(_dedupe_key(id))


def _dedupe_key(id: str) -> str:
    return f"waiver-again:{id}"


class RenewalChannel:
    """The outbox channel of renewal emails."""

    delays: Sequence[float] = (60.0, 600.0, 3600.0)

    def send(self, delivery: Delivery) -> DeliveryState:
        payload = delivery.payload or {}
        rows = Waiver.objects.select_related("account", "publication")
        waiver = rows.filter(pk=payload.get("waiver"), archived_at=None, accepting=True).first()
        if waiver is not None and waiver.binned_at is None:
            reason = str(payload.get("why"))
            _, after = send_renewals(waiver, reason, str(payload.get("after", "")))
            if after:  # continue later, so that a hundred thousand of these do not delay other emails
                outbox.put(DELIVERY_KIND, {"waiver": waiver.pk, "why": reason, "after": after}, account=waiver.account)
            elif reason == ENDING and waiver.reminders_enabled:
                with write_transaction():
                    schedule_before_end(waiver, _find_next_end(waiver))
        return DeliveryState.SENT

    def close(self) -> None:
        pass


def send_renewals(waiver: Waiver, reason: str, after: str = "") -> tuple[int, str]:
    """Send the emails that are due, one to each address, with one query for each batch.

    Return the number of emails, and the last address, which is empty if no more emails are due.
    """
    due, count = _find_due(waiver, reason), 0
    for _ in range(MAX_BATCHES):
        signatures = list(due.filter(email__gt=after).order_by("email", "id")[:BATCH_SIZE])
        groups = [(email, list(group)) for email, group in groupby(signatures, key=lambda signature: signature.email)]
        if len(signatures) == BATCH_SIZE and len(groups) > 1:
            groups.pop()  # it may be incomplete, so it comes first in the next batch
        if not groups:
            return count, ""
        after = groups[-1][0]
        count += _queue_emails(waiver, reason, [group for _, group in groups])
    return count, after


def _queue_emails(waiver: Waiver, reason: str, signature_groups: Sequence[Sequence[Signature]]) -> int:
    account, letters = waiver.account, {}
    for signatures in signature_groups:
        newest = max(signatures, key=lambda signature: signature.id).signing
        newest.waiver, signatures[0].account = waiver, account
        which = waiver.required_version if reason == CHANGED else f"{signatures[0].expires_at:%Y%m%d}"
        key = f"{_dedupe_key(newest.pk)}:{reason}:{which}"
        letters[newest.pk] = emails.build_renewal(newest, signatures, _TEMPLATES[reason], dedupe=key)
    ids = [signature.signing_id for signatures in signature_groups for signature in signatures]
    data: dict[str, Any] = (
        {"renewal_version": waiver.required_version} if reason == CHANGED else {"expiry_notice_at": clock.now()}
    )
    with write_transaction():
        fresh = set(
            _filter_unasked(Signing.objects.filter(pk__in=letters), waiver, reason).values_list("pk", flat=True)
        )
        Signing.objects.filter(pk__in=ids).update(**data)
        mail.queue_emails([letter for id, letter in letters.items() if id in fresh], account=account)
    return len(fresh)


def _filter_unasked(signings: QuerySet[Signing], waiver: Waiver, reason: str) -> QuerySet[Signing]:
    if reason == CHANGED:
        return signings.filter(Q(renewal_version=None) | Q(renewal_version__lt=waiver.required_version), muted=False)
    return signings.filter(expiry_notice_at=None, muted=False)


def _find_due(waiver: Waiver, reason: str) -> QuerySet[Signature]:
    """Return signatures that need an email, with their signings.

    Signatures that were signed again since, and those of unsubscribed addresses, are skipped.
    """
    now = clock.now()
    rows = waiver.signatures.filter(voided_at=None).exclude(email="").select_related("signing")
    rows = rows.filter(Q(of_age_at=None) | Q(of_age_at__gt=now + NOTICE_PERIOD))  # they sign for themselves then
    if reason == CHANGED:
        rows = rows.filter(Q(expires_at=None) | Q(expires_at__gt=now), version__lt=waiver.required_version)
        rows = rows.filter(Q(signing__renewal_version=None) | Q(signing__renewal_version__lt=waiver.required_version))
    else:
        rows = rows.filter(
            expires_at__gt=now, expires_at__lte=now + NOTICE_PERIOD, version__gte=waiver.required_version
        )
        rows = rows.filter(expires_at__gte=F("created_at") + MIN_VALIDITY, signing__expiry_notice_at=None)
    mine = Signature.objects.filter(account=waiver.account_id, email=OuterRef("email"))
    since = mine.filter(waiver=waiver, person=OuterRef("person"), id__gt=OuterRef("id"), voided_at=None)
    return rows.filter(~Exists(since), ~Exists(mine.filter(signing__muted=True)))


def _find_next_end(waiver: Waiver) -> datetime | None:
    """Return the earliest end whose reminder is not sent yet, or None."""
    rows = waiver.signatures.filter(voided_at=None, expires_at__gt=clock.now() + NOTICE_PERIOD).exclude(email="")
    rows = rows.filter(expires_at__gte=F("created_at") + MIN_VALIDITY)
    moment: datetime | None = rows.order_by("expires_at").values_list("expires_at", flat=True).first()
    return moment
