"""The context of the client's page: the offer and the selection, the decision, and the input of the page's script.

The script computes the same totals as the server."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext

from workspace.accounts.models import Upload
from workspace.accounts.models.account import Membership
from workspace.products.bid.domain import deposits, offer_text, revision_diff
from workspace.products.bid.domain.decisions import CONSENT
from workspace.products.bid.domain.owner_decisions import current_decision
from workspace.products.bid.models import Decision, DecisionOutcome, Message, Proposal, Revision, Status
from workspace.products.bid.models.decision import CLIENT_ACTOR, DECLINE_REASONS
from workspace.products.bid.public import line_markup
from workspace.products.bid.public.forms import APPROVAL_FORM, DECLINE_FORM, QUESTION_FORM
from workspace.products.bid.rules import selection as bid_selection
from workspace.products.bid.rules.offer import Offer, OfferLine, Selection, Share, format_number
from workspace.products.bid.rules.totals import Totals, compute_totals, compute_totals_of_each, default_selection
from workspace.public_site.guest_form import FormState, sign_words
from workspace.public_site.spam_protection import render_hidden_fields
from workspace.publishing.language import currency_format, format_amount, format_day, format_moment
from workspace.publishing.locale import current_locale
from workspace.storage.database.compiled_function import compile_once
from workspace.storage.files.images import image_url


@dataclass(frozen=True, slots=True)
class DisplayedSum:
    """A row of the totals that may be shown, depending on the selection."""

    kind: str
    label: str
    rate: str
    value: str
    is_visible: bool


def is_owner(request: HttpRequest, proposal: Proposal) -> bool:
    """Return whether a member of the account who has access to proposals is signed in."""
    user = getattr(request, "user", None)
    if user is None or not user.is_authenticated:
        return False
    membership = Membership.objects.filter(account=proposal.account, person_id=user.pk).first()
    return membership is not None and membership.permission_scope.can_access("quote")


def build_context(
    proposal: Proposal,
    *,
    selection: Selection | None = None,
    approving: FormState[Any] | None = None,
    declining: FormState[Any] | None = None,
    asking: FormState[Any] | None = None,
    changes: Sequence[str] | None = None,
    drawn_signature: str = "",
    code_sent: str = "",
    payment_problem: str = "",
    is_preview: bool = False,
    show_unpublished: bool = False,
) -> dict[str, Any]:
    """Build the context.

    `selection` defaults to the one shown first. `approving`, `declining` and `asking` are forms that were rejected.
    `changes` are the differences from the revision that the client saw, by default those since the previous revision.
    `payment_problem` explains why a deposit cannot be paid now.
    """
    language, offer = current_locale().language, proposal.offer
    decision = current_decision(proposal)
    chosen = selection or default_selection(offer)
    if decision is not None and decision.selection:
        chosen = bid_selection.load_selection(decision.selection, offer)
    sums = compute_totals(offer, chosen)
    rows = offer_text.build_line_rows(offer, chosen, language)
    if changes is None and decision is None:  # a decided proposal shows no changes
        changes = revision_diff.describe_changes(proposal, proposal.revision - 1, proposal.revision, language)
    return {
        "bid": proposal,
        "slug": proposal.slug,
        "state": _display_state(proposal, decision),
        "is_preview": is_preview,
        "is_shown": show_unpublished,
        "business": proposal.account.name,
        "picture": _image_context(proposal.image),
        "sections": line_markup.render_sections(rows, only_taken=decision is not None),
        "options": "" if decision else line_markup.render_options(rows),
        "packages": _present_packages(offer, chosen, language, only_taken=decision is not None),
        "figures": _build_displayed_sums(offer, sums, language, proposal.tax_label),
        "total": format_amount(sums.total, sums.currency, language),
        "minor": sums.total,
        "until": format_day(proposal.valid_until, language),
        "changes": [] if decision else changes,
        "decided": _decision_context(proposal, decision, language),
        "thread": [
            (
                message,
                message.author == CLIENT_ACTOR,
                format_moment(message.created_at, proposal.account.zone, language),
            )
            for message in _messages_of.fetch(proposal)
        ],
        "offer": json.dumps(build_script_input(offer, language), separators=(",", ":")),
        "reasons": [(key, gettext(words)) for key, words in DECLINE_REASONS.items()],
        "consent": gettext(CONSENT),
        "words": sign_words(gettext(CONSENT)),
        "approving": approving or FormState(APPROVAL_FORM.model),
        "declining": declining or FormState(DECLINE_FORM.model),
        "asking": asking or FormState(QUESTION_FORM.model),
        "approve_fields": render_hidden_fields(APPROVAL_FORM.name),
        "decline_fields": render_hidden_fields(DECLINE_FORM.name),
        "ask_fields": render_hidden_fields(QUESTION_FORM.name),
        "drawn": drawn_signature,
        "code_sent": code_sent,
        "unpaid": payment_problem,
    }


@compile_once
def _messages_of(proposal: Proposal) -> QuerySet[Message]:
    return proposal.messages.all()


def _image_context(upload: Upload | None) -> dict[str, Any]:
    """Return the image in three widths. Phones use the middle one."""
    if upload is None:
        return {}
    urls = {width: image_url(upload.pk, width) for width in (384, 768, 1536)}
    return {
        "url": urls[768],
        "set": ", ".join(f"{url} {min(width, upload.width)}w" for width, url in urls.items()),
        "width": upload.width,
        "height": upload.height,
    }


def describe_changes_since(proposal: Proposal, hash: str) -> list[str]:
    """Return the differences from the revision with this hash."""
    seen = Revision.objects.filter(proposal=proposal, hash=hash).first() if hash else None
    if seen is None:
        return []
    return revision_diff.describe_changes(proposal, seen.number, proposal.revision, current_locale().language)


def _display_state(proposal: Proposal, decision: Decision | None) -> str:
    """Return the state to show: draft, open, expired, approved, declined or withdrawn."""
    if proposal.status == Status.DECLINED and decision is not None and decision.outcome == DecisionOutcome.WITHDRAWN:
        return "withdrawn"
    if proposal.is_expired:
        return "expired"
    return "open" if proposal.is_open else str(proposal.status)


def _present_packages(offer: Offer, selection: Selection, language: str, *, only_taken: bool) -> list[dict[str, Any]]:
    return [
        {
            "id": package.id,
            "package": package,
            "price": offer_text.format_package_price(package, offer, language),
            "lines": [offer_text.build_line_row(line, offer, language) for line in package.lines],
            "is_chosen": package.id == selection.package,
        }
        for package in offer.packages
        if not only_taken or package.id == selection.package
    ]


def _build_displayed_sums(offer: Offer, totals: Totals, language: str, tax_label: str) -> list[DisplayedSum]:
    """Build all rows that any selection can show, with the values for this selection."""
    shown = {line.kind: line for line in offer_text.build_total_rows(offer, totals, language, tax_label)}
    most = [Selection(package.id, offer.options) for package in offer.packages] or [Selection(None, offer.options)]
    all_of = [
        offer_text.build_total_rows(offer, totals, language, tax_label)
        for totals in compute_totals_of_each(offer, most)
    ]
    longest = max([*all_of, list(shown.values())], key=len)
    return [
        DisplayedSum(
            line.kind, line.label, line.rate, shown[line.kind].value if line.kind in shown else "", line.kind in shown
        )
        for line in longest
    ]


def _decision_context(proposal: Proposal, decision: Decision | None, language: str) -> Mapping[str, Any]:
    if decision is None:
        return {}
    sums = decision.totals
    deposit = format_amount(sums["deposit"], sums["currency"], language) if sums.get("deposit") else ""
    deposit_state = deposits.get_deposit_state(proposal, decision)
    back = deposit_state.payment.refunded if deposit_state.payment is not None else 0
    return {
        "by_client": decision.decided_by == CLIENT_ACTOR,
        "name": decision.name if decision.decided_by == CLIENT_ACTOR else "",
        "at": format_moment(decision.created_at, proposal.account.zone, language),
        "is_sealed": bool(decision.pdf_sha256),
        "hash": decision.revision.hash,
        "deposit": deposit,
        "deposit_state": deposit_state.state,
        "deposit_back": format_amount(back, sums["currency"], language) if back else "",
        "deposit_moves": deposit_state.state not in ("none", "paid", "refunded"),
        "is_payable": deposit_state.is_payable,
    }


def build_script_input(offer: Offer, language: str) -> dict[str, Any]:
    """Build the input of `totals.js`, with the currency format."""
    how = currency_format(offer.currency, language)
    return {
        "decimals": how.decimals,
        "lines": [[line.id, *_line_numbers(line), line.optional, line.taxable] for line in offer.lines],
        "packages": [
            [
                package.id,
                None if package.price is None else format_number(package.price),
                package.taxable,
                [] if package.price is not None else [[*_line_numbers(line), line.taxable] for line in package.lines],
            ]
            for package in offer.packages
        ],
        "discount": _share_input(offer.discount),
        "deposit": _share_input(offer.deposit),
        "tax": format_number(offer.tax_rate),
        "inclusive": offer.tax_inclusive,
        "money": {
            "before": how.prefix,
            "after": how.suffix,
            "minus": how.negative_prefix,
            "behind": how.negative_suffix,
            "point": how.point,
            "group": how.group,
        },
    }


def _line_numbers(line: OfferLine) -> list[str]:
    return [format_number(line.quantity), format_number(line.unit_price or 0 * line.quantity)]


def _share_input(share: Share | None) -> list[str] | None:
    return None if share is None else [share.kind, format_number(share.value)]
