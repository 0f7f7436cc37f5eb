"""A proposal as its client's page shows it: what is on offer with what is chosen of it, what became of it, and all
that the page's script needs to reckon the same sums."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest
from django.utils.translation import gettext

from workspace.accounts.models import Upload
from workspace.accounts.models.account import Membership
from workspace.products.bid.domain import deposits, offer_text, revision_diff
from workspace.products.bid.domain.decisions import CONSENT
from workspace.products.bid.domain.owner_decisions import standing
from workspace.products.bid.models import Decision, Outcome, Proposal, Revision, Status
from workspace.products.bid.models.decision import CLIENT, REASONS
from workspace.products.bid.public import line_rows
from workspace.products.bid.public.forms import APPROVE, ASK, DECLINE
from workspace.products.bid.rules import selection as bid_selection
from workspace.products.bid.rules.offer import Line, Offer, Selection, Share, first_shown, text_of
from workspace.products.bid.rules.totals import Totals, of_each, totals
from workspace.public_site.guest_form import Sheet, signed_words
from workspace.public_site.spam_protection import hidden_fields
from workspace.publishing.language import amount, coins, day, moment
from workspace.publishing.locale import voice
from workspace.storage.files.images import picture_url


@dataclass(frozen=True, slots=True)
class Figure:
    """A line below the prices that may show: which ones do follows from what is chosen."""

    kind: str
    label: str
    rate: str
    value: str
    shows: bool


def is_owner(request: HttpRequest, proposal: Proposal) -> bool:
    """Whether a member of the account that made it, who may see it, is signed in."""
    user = getattr(request, "user", None)
    if user is None or not user.is_authenticated:
        return False
    found = Membership.objects.filter(account=proposal.account, person_id=user.pk).first()
    return found is not None and found.reach.may("quote")


def context_of(
    proposal: Proposal,
    *,
    selection: Selection | None = None,
    approving: Sheet[Any] | None = None,
    declining: Sheet[Any] | None = None,
    asking: Sheet[Any] | None = None,
    changes: Sequence[str] | None = None,
    drawn: str = "",
    code_sent: str = "",
    unpaid: str = "",
    is_preview: bool = False,
    is_shown: bool = False,
) -> dict[str, Any]:
    """`selection` is what is first shown where left out; the sheets are what was typed and refused; `changes` differ
    from what the client saw, those since the revision before where left out; `unpaid` says why a deposit cannot be paid
    now."""
    language, offer = voice().language, proposal.offer
    decision = standing(proposal)
    chosen = selection or first_shown(offer)
    if decision is not None and decision.selection:
        chosen = bid_selection.read(decision.selection, offer)
    sums = totals(offer, chosen)
    rows = offer_text.rows(offer, chosen, language)
    if changes is None:
        changes = revision_diff.between(proposal, proposal.revision - 1, proposal.revision, language)
    return {
        "bid": proposal,
        "slug": proposal.slug,
        "state": _state(proposal, decision),
        "is_preview": is_preview,
        "is_shown": is_shown,
        "business": proposal.account.name,
        "picture": _picture(proposal.picture),
        "sections": line_rows.sections(rows, only_taken=decision is not None),
        "options": "" if decision else line_rows.options(rows),
        "packages": _packages(offer, chosen, language, only_taken=decision is not None),
        "figures": _figures(offer, sums, language, proposal.tax_label),
        "total": amount(sums.total, sums.currency, language),
        "minor": sums.total,
        "until": day(proposal.valid_until, language),
        "changes": [] if decision else changes,
        "decided": _decided(proposal, decision, language),
        "thread": [
            (message, message.by == CLIENT, moment(message.created_at, proposal.account.zone, language))
            for message in proposal.messages.all()
        ],
        "offer": json.dumps(reckoned(offer, language), separators=(",", ":")),
        "reasons": [(key, gettext(words)) for key, words in REASONS.items()],
        "consent": gettext(CONSENT),
        "words": signed_words(gettext(CONSENT)),
        "approving": approving or Sheet(APPROVE.model),
        "declining": declining or Sheet(DECLINE.model),
        "asking": asking or Sheet(ASK.model),
        "approve_fields": hidden_fields(APPROVE.name),
        "decline_fields": hidden_fields(DECLINE.name),
        "ask_fields": hidden_fields(ASK.name),
        "drawn": drawn,
        "code_sent": code_sent,
        "unpaid": unpaid,
    }


def _picture(upload: Upload | None) -> dict[str, Any]:
    """At three widths: a phone takes the middle one."""
    if upload is None:
        return {}
    urls = {width: picture_url(upload.pk, width) for width in (384, 768, 1536)}
    return {
        "url": urls[768],
        "set": ", ".join(f"{url} {min(width, upload.width)}w" for width, url in urls.items()),
        "width": upload.width,
        "height": upload.height,
    }


def changed_since(proposal: Proposal, hash: str) -> list[str]:
    """What is not as it was in the revision that somebody saw."""
    seen = Revision.objects.filter(proposal=proposal, hash=hash).first() if hash else None
    if seen is None:
        return []
    return revision_diff.between(proposal, seen.number, proposal.revision, voice().language)


def _state(proposal: Proposal, decision: Decision | None) -> str:
    """draft, open, expired, approved, declined or withdrawn."""
    if proposal.status == Status.DECLINED and decision is not None and decision.outcome == Outcome.WITHDRAWN:
        return "withdrawn"
    if proposal.is_expired:
        return "expired"
    return "open" if proposal.is_open else str(proposal.status)


def _packages(offer: Offer, chosen: Selection, language: str, *, only_taken: bool) -> list[dict[str, Any]]:
    return [
        {
            "id": package.id,
            "package": package,
            "price": offer_text.package_price(package, offer, language),
            "lines": [offer_text.row(line, offer, language) for line in package.lines],
            "is_chosen": package.id == chosen.package,
        }
        for package in offer.packages
        if not only_taken or package.id == chosen.package
    ]


def _figures(offer: Offer, found: Totals, language: str, tax_label: str) -> list[Figure]:
    """All that may show for some selection, with what shows for this one."""
    shown = {one.kind: one for one in offer_text.sums(offer, found, language, tax_label)}
    most = [Selection(package.id, offer.options) for package in offer.packages] or [Selection(None, offer.options)]
    all_of = [offer_text.sums(offer, one, language, tax_label) for one in of_each(offer, most)]
    longest = max([*all_of, list(shown.values())], key=len)
    return [
        Figure(one.kind, one.label, one.rate, shown[one.kind].value if one.kind in shown else "", one.kind in shown)
        for one in longest
    ]


def _decided(proposal: Proposal, decision: Decision | None, language: str) -> Mapping[str, Any]:
    if decision is None:
        return {}
    sums = decision.totals
    deposit = amount(sums["deposit"], sums["currency"], language) if sums.get("deposit") else ""
    found = deposits.standing(proposal, decision)
    back = found.payment.refunded if found.payment is not None else 0
    return {
        "by_client": decision.by == CLIENT,
        "name": decision.name if decision.by == CLIENT else "",
        "at": moment(decision.at, proposal.account.zone, language),
        "is_sealed": bool(decision.pdf_sha256),
        "hash": decision.revision.hash,
        "deposit": deposit,
        "deposit_state": found.state,
        "deposit_back": amount(back, sums["currency"], language) if back else "",
        "deposit_moves": found.state not in ("none", "paid", "refunded"),
        "is_payable": found.is_payable,
    }


def reckoned(offer: Offer, language: str) -> dict[str, Any]:
    """What `totals.js` takes, and how money is written here."""
    how = coins(offer.currency, language)
    return {
        "decimals": how.decimals,
        "lines": [[line.id, *_priced(line), line.optional, line.taxable] for line in offer.lines],
        "packages": [
            [
                package.id,
                None if package.price is None else text_of(package.price),
                package.taxable,
                [] if package.price is not None else [[*_priced(line), line.taxable] for line in package.lines],
            ]
            for package in offer.packages
        ],
        "discount": _share(offer.discount),
        "deposit": _share(offer.deposit),
        "tax": text_of(offer.tax_rate),
        "inclusive": offer.tax_inclusive,
        "money": {name: getattr(how, name) for name in ("before", "after", "minus", "behind", "point", "group")},
    }


def _priced(line: Line) -> list[str]:
    return [text_of(line.quantity), text_of(line.unit_price or 0 * line.quantity)]


def _share(share: Share | None) -> list[str] | None:
    return None if share is None else [share.kind, text_of(share.value)]
