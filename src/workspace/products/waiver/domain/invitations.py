"""Invitations by email.

Each address is emailed once, and again only after a day or after it has signed. The email is withdrawn if the person
signs before it is sent.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.db.models import F, QuerySet
from typing_extensions import TypedDict

from workspace.accounts.models import Account
from workspace.delivery import outbox
from workspace.delivery.models import Delivery
from workspace.delivery.models.delivery import DeliveryState
from workspace.lib import clock
from workspace.lib.errors import OperationNotAllowedError
from workspace.products.waiver import messages
from workspace.products.waiver.domain import emails as waiver_emails
from workspace.products.waiver.models import Signing, SigningInvitation, Waiver
from workspace.products.waiver.rules import person_query
from workspace.publishing.guest_language import guest_language
from workspace.rate_limits.counter import consume
from workspace.rate_limits.table import get_limit
from workspace.storage.database.compiled_function import compile_once

RESEND_INTERVAL = timedelta(days=1)
MAX_LISTED = 200


class InvitationData(TypedDict):
    """An invitation. `state` is waiting (the email is not sent yet), sent, bounced or signed."""

    email: str
    state: str
    at: str
    times: int
    signed_at: str | None


@dataclass(frozen=True, slots=True)
class InvitationResult:
    """The result of sending invitations.

    `sent` are emailed now. `recently_sent` are skipped, because they were invited within a day and have not signed.
    `unsubscribed` do not want such emails.
    """

    sent: list[str]
    recently_sent: list[str]
    unsubscribed: list[str]


def send_invitations(waiver: Waiver, emails: Sequence[str], message: str) -> InvitationResult:
    """Send invitations. Raise OperationNotAllowedError if the account has sent too many in a day."""
    account, now = waiver.account, clock.now()
    requested = {person_query.normalize_email(email): email for email in emails}
    known = {
        invitation.email: invitation
        for invitation in SigningInvitation.objects.filter(waiver=waiver, email__in=requested)
    }
    waits = {
        invitation.email
        for invitation in known.values()
        if invitation.signed_at is None and invitation.last_sent_at > now - RESEND_INTERVAL
    }
    muted_signatures = account.signatures.filter(email__in=requested, signing__muted=True)
    quiet = set(muted_signatures.values_list("email", flat=True))
    fresh = [email for email in requested if email not in waits | quiet]
    sent_today = SigningInvitation.objects.filter(
        account=account, last_sent_at__gt=get_limit("waiver-invitation").window_start()
    )
    allowance = consume("waiver-invitation", used=sent_today.count(), amount=len(fresh))
    if not allowance:
        raise OperationNotAllowedError(messages.INVITATION_LIMIT(limit=allowance.limit, remaining=allowance.remaining))
    languages = _find_languages(account, fresh)
    rows = waiver.signatures.filter(email__in=fresh).select_related("signing").order_by("id")
    before = {row.email: row.signing for row in rows}
    for email in fresh:
        invitation = known.get(email) or SigningInvitation(account=account, waiver=waiver, email=email, send_count=0)
        invitation.send_count, invitation.last_sent_at, invitation.signed_at = invitation.send_count + 1, now, None
        invitation.language = languages.get(email) or waiver.language or guest_language(account)
        invitation.save()
        signing = before.get(email)
        if signing is not None:
            signing.waiver = waiver
        waiver_emails.email_invitation(
            waiver, requested[email], message, before=signing, language=invitation.language, dedupe=invitation.mail_key
        )
    lines = [[requested[email] for email in requested if email in some] for some in (fresh, waits - quiet, quiet)]
    return InvitationResult(*lines)


def _find_languages(account: Account, emails: Sequence[str]) -> dict[str, str]:
    """Return the language of the last signing of each address."""
    rows = account.signatures.filter(email__in=emails).order_by("id").values_list("email", "signing__language")
    return {email: language for email, language in rows if language}


def mark_signed(signing: Signing) -> None:
    """Mark the invitation as signed, and withdraw its pending emails."""
    email = person_query.normalize_email(signing.email)
    for invitation in _invitations_without_signature.fetch(signing.waiver, email) if email else ():
        outbox.withdraw(invitation.mail_key_prefix)
        SigningInvitation.objects.filter(pk=invitation.pk).update(signed_at=signing.signed_at)


@compile_once
def _invitations_without_signature(waiver: Waiver, email: str) -> QuerySet[SigningInvitation]:
    return SigningInvitation.objects.filter(waiver=waiver, email=email, signed_at=None)


def list_invitations(waiver: Waiver) -> list[InvitationData]:
    """Return the latest invitations: first those not signed yet, then the others, newest first."""
    rows = list(
        SigningInvitation.objects.filter(waiver=waiver).order_by(
            F("signed_at").asc(nulls_first=True), "-last_sent_at", "email"
        )[:MAX_LISTED]
    )
    states = dict(
        Delivery.objects.filter(dedupe_key__in=[row.mail_key for row in rows]).values_list("dedupe_key", "state")
    )
    return [
        {
            "email": row.email,
            "state": _invitation_state(row, states.get(row.mail_key, DeliveryState.SENT)),
            "at": clock.to_iso(row.last_sent_at) or "",
            "times": row.send_count,
            "signed_at": clock.to_iso(row.signed_at),
        }
        for row in rows
    ]


def _invitation_state(invitation: SigningInvitation, delivery: str) -> str:
    if invitation.signed_at is not None:
        return "signed"
    data = {DeliveryState.PARKED: "bounced", DeliveryState.WAITING: "waiting", DeliveryState.LEASED: "waiting"}
    return data.get(DeliveryState(delivery), "sent")
