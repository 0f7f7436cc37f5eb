"""Emails about proposals: to clients in their language, with the owner's brand and reply address, and to the owner."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.utils import translation

from workspace.accounts.models import Account
from workspace.delivery import mail, notifications
from workspace.delivery.mail import Attachment
from workspace.delivery.models import Delivery
from workspace.delivery.notifications import NotificationKind, OwnerEmail
from workspace.lib.ids import new_id
from workspace.lib.languages import OWNER_LANGUAGES
from workspace.owner_translation import owner_gettext, owner_gettext_lazy
from workspace.payments import checkout
from workspace.payments.models import Payment
from workspace.products.bid.domain.offer_text import list_chosen_names
from workspace.products.bid.models import Decision, DecisionOutcome, Message, Proposal
from workspace.products.bid.models.decision import DECLINE_REASONS
from workspace.products.bid.rules.totals import compute_totals
from workspace.publishing.language import format_amount, format_day, format_moment

OFFER_DEDUPE_PREFIX = "bid-offer:"  # the prefix of the dedupe keys of emails with a proposal

OPENED_NOTIFICATION = NotificationKind(
    "bid.opened",
    owner_gettext_lazy("Proposals opened"),
    owner_gettext_lazy("A client opens a proposal for the first time"),
    "/app/bid",
)
QUESTION_NOTIFICATION = NotificationKind(
    "bid.question",
    owner_gettext_lazy("Questions about proposals"),
    owner_gettext_lazy("A client asks a question about a proposal"),
    "/app/bid",
)
DECISION_NOTIFICATION = NotificationKind(
    "bid.decided",
    owner_gettext_lazy("Decisions on proposals"),
    owner_gettext_lazy("A client approves or declines a proposal"),
    "/app/bid",
)
DEPOSIT_NOTIFICATION = NotificationKind(
    "bid.deposit",
    owner_gettext_lazy("Deposits"),
    owner_gettext_lazy("A client pays a deposit online, or the payment fails"),
    "/app/bid",
)
BOUNCE_NOTIFICATION = NotificationKind(
    "bid.bounced",
    owner_gettext_lazy("Proposals not delivered"),
    owner_gettext_lazy("An email to a client can’t be delivered"),
    "/app/bid",
)
DEVICE_TEXTS = {
    "phone": owner_gettext_lazy("Opened on a phone"),
    "tablet": owner_gettext_lazy("Opened on a tablet"),
    "desktop": owner_gettext_lazy("Opened on a computer"),
}


def build_context(proposal: Proposal, language: str) -> dict[str, Any]:
    """Return the context of all emails to a client, in their language."""
    totals = compute_totals(proposal.offer)
    with translation.override(language):
        return {
            "bid": proposal,
            "url": proposal.public_url,
            "deposit_url": f"{proposal.public_url}#deposit",
            "business": proposal.account.name,
            "total": format_amount(totals.total, proposal.currency, language),
            "is_from": totals.total_from != totals.total_to,
            "total_from": format_amount(totals.total_from, proposal.currency, language),
            "total_to": format_amount(totals.total_to, proposal.currency, language),
            "deposit": format_amount(totals.deposit, proposal.currency, language) if totals.deposit else "",
            "until": format_day(proposal.valid_until, language),
        }


def email_proposal(proposal: Proposal, message: str, changes: Sequence[str] = ()) -> Delivery:
    """Email the proposal. `changes` are the differences from an earlier revision that the client has received."""
    template = "bid_revised" if changes else "bid_offer"
    return _email_client(
        proposal,
        template,
        {"words": message, "changes": changes},
        dedupe=f"{OFFER_DEDUPE_PREFIX}{proposal.pk}:{new_id('m')}",
    )


def email_reminder(proposal: Proposal, reminder_kind: str, *, message: str = "", dedupe: str | None = None) -> Delivery:
    """Email a reminder. `reminder_kind` is unopened, ending, expired, or hand if the owner sends it."""
    quiet = f"{proposal.public_url}/quiet"
    headers = {"List-Unsubscribe": f"<{quiet}>", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"}
    fields = {"what": reminder_kind, "words": message, "quiet": quiet}
    template = "bid_expired" if reminder_kind == "expired" else "bid_reminder"
    return _email_client(proposal, template, fields, dedupe=dedupe, headers=headers)


def email_answer(proposal: Proposal, message: str, to: str, language: str) -> Delivery:
    return _send_email("bid_answer", proposal, to, language, {"words": message})


def email_code(proposal: Proposal, to: str, digits: str, language: str) -> Delivery:
    return _send_email("bid_code", proposal, to, language, {"code": f"{digits[:3]} {digits[3:]}"})


def email_signed_copy(proposal: Proposal, decision: Decision, pdf: bytes, name: str) -> Delivery | None:
    """Email the signed copy to the person who approved the proposal."""
    to = decision.email or proposal.client_email
    if not to:
        return None
    language = decision.language or proposal.language
    fields = {**_agreed_context(proposal, decision, language), "decision": decision}
    copy = Attachment(name, "application/pdf", pdf)
    return _send_email(
        "bid_signed", proposal, to, language, fields, attachments=[copy], dedupe=f"bid-signed:{decision.pk}"
    )


def email_deposit_update(proposal: Proposal, decision: Decision, payment: Payment, change: str) -> Delivery | None:
    """Email the payer that a deposit was paid, failed or was refunded."""
    to = payment.email or decision.email or proposal.client_email
    if not to:
        return None
    language = payment.language or decision.language or proposal.language
    with translation.override(language):
        fields = {
            "what": change,
            "asked": format_amount(payment.amount, payment.currency, language),
            "back": format_amount(payment.refunded, payment.currency, language) if payment.refunded else "",
        }
    key = f"bid-deposit:{payment.pk}:{change}:{payment.refunded}"
    return _send_email("bid_deposit", proposal, to, language, fields, dedupe=key)


def notify_deposit(proposal: Proposal, decision: Decision, payment: Payment, change: str) -> None:
    """Notify the owner of a deposit.

    `change` is paid, failed or twice. `twice` means that the deposit was already marked as paid or that the decision
    has been reopened.
    """
    amount = format_amount(payment.amount, payment.currency, OWNER_LANGUAGES[0])
    template = f"owner/bid_deposit_{change}"
    if change == "twice":
        template = "owner/bid_deposit_paid_twice" if decision.is_current else "owner/bid_deposit_paid_after_reopening"
    fields = {"asked": amount, "payment": payment}
    _notify_owner(proposal, DEPOSIT_NOTIFICATION, template, fields, reply_to=payment.email or None)


def notify_opened(proposal: Proposal, device: str) -> None:
    fields = {"device": str(DEVICE_TEXTS.get(device, ""))}
    _notify_owner(proposal, OPENED_NOTIFICATION, "owner/bid_opened", fields)


def notify_question(proposal: Proposal, message: Message) -> None:
    fields = {"message": message, "client": message.name or owner_gettext("Your client")}
    _notify_owner(proposal, QUESTION_NOTIFICATION, "owner/bid_question", fields, reply_to=message.email or None)


def prepare_decision_email(proposal: Proposal, decision: Decision) -> OwnerEmail:
    """Render the email about a client's decision, before the transaction that saves it."""
    template = "owner/bid_approved" if decision.outcome == DecisionOutcome.APPROVED else "owner/bid_declined"
    fields = {**_agreed_context(proposal, decision, OWNER_LANGUAGES[0]), "decision": decision}
    fields["reason"] = DECLINE_REASONS.get(decision.reason, "")
    fields["client"] = decision.name or _client_name(proposal)
    return notifications.prepare_owner_email(
        proposal.account,
        DECISION_NOTIFICATION,
        template,
        _owner_context(proposal, fields),
        reply_to=decision.email or None,
    )


def notify_bounce(proposal: Proposal, reason: str) -> None:
    _notify_owner(proposal, BOUNCE_NOTIFICATION, "owner/bid_bounced", {"reason": reason})


def _agreed_context(proposal: Proposal, decision: Decision, language: str) -> dict[str, Any]:
    result = decision.totals
    deposit_due: int = result.get("deposit", 0) if decision.deposit_paid_at is None else 0
    with translation.override(language):
        return {
            "is_payable": bool(deposit_due) and checkout.can_charge(proposal.account, deposit_due, result["currency"]),
            "agreed": format_amount(result["total"], result["currency"], language) if result else "",
            "asked": format_amount(result["deposit"], result["currency"], language) if result.get("deposit") else "",
            "at": format_moment(decision.created_at, proposal.account.zone, language),
            "chosen": list_chosen_names(proposal.offer, decision.selection) if result else [],
        }


def _notify_owner(
    proposal: Proposal, kind: NotificationKind, template: str, more: dict[str, Any], *, reply_to: str | None = None
) -> None:
    notifications.notify_owner(proposal.account, kind, template, _owner_context(proposal, more), reply_to=reply_to)


def _owner_context(proposal: Proposal, more: dict[str, Any]) -> dict[str, Any]:
    page = f"{settings.BASE_URL}/app/bid/{proposal.pk}"
    return {**build_context(proposal, OWNER_LANGUAGES[0]), "page": page, "client": _client_name(proposal), **more}


def _client_name(proposal: Proposal) -> str:
    return proposal.client_name or proposal.client_company or owner_gettext("Your client")


def _email_client(proposal: Proposal, template: str, more: dict[str, Any], **how: Any) -> Delivery:
    return _send_email(template, proposal, proposal.client_email, proposal.language, more, **how)


def _send_email(
    template: str, proposal: Proposal, to: str, language: str, more: dict[str, Any], **how: Any
) -> Delivery:
    account: Account = proposal.account
    return mail.send(
        template,
        to,
        {**build_context(proposal, language), **more},
        account=account,
        reply_to=account.owner.email,
        language=language,
        **how,
    )
