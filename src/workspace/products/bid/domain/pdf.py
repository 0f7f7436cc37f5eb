"""A proposal on paper: as it stands, and once it is approved as a sealed copy that carries its record, so that both can
be checked without this service. Sealing takes a while, so the worker does it after the approval is kept."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import date
from typing import Any

from django.utils import translation
from django.utils.translation import gettext

from workspace.audit_trail import export
from workspace.audit_trail.writer import note
from workspace.delivery import outbox
from workspace.delivery.models import Delivery
from workspace.delivery.models.delivery import State
from workspace.documents import document
from workspace.documents.document import Block, Facts, Heading, Picture, Points, Rule, Table, Words
from workspace.documents.pdf_signature import Sealed, seal
from workspace.documents.typesetter import Attachment, TooMuchToPrint, typeset, typeset_for_good
from workspace.products.bid.domain import offer_text
from workspace.products.bid.models import BidEvent, Decision, Event, Proposal
from workspace.products.bid.models.decision import CLIENT
from workspace.products.bid.models.proposal import OFFERED
from workspace.products.bid.rules.offer import Offer, Selection, first_shown, read_offer
from workspace.products.bid.rules.selection import read as read_selection
from workspace.products.bid.rules.totals import totals
from workspace.publishing import signed_copies
from workspace.publishing.language import day, moment
from workspace.publishing.verification import Kept
from workspace.storage.files import store

LATER = "bid.seal"  # the outbox's kind
PREFIX = "bidpdf"


def name_of(proposal: Proposal) -> str:
    return f"proposal-{proposal.number}.pdf"


def draw(proposal: Proposal, decision: Decision | None = None, language: str = "") -> bytes:
    """The PDF, not sealed. With a decision, what was agreed, with the record inside: that is printed whatever it holds,
    at worst without the descriptions of its lines. Raises as `typeset`."""
    language = language or (decision.language if decision else "") or proposal.language
    with translation.override(language):
        if decision is None:
            return typeset(document.LAYOUT, **_sheet(proposal, None, language))
        inside = _inside(proposal, decision)
        try:
            return typeset_for_good(document.LAYOUT, **_sheet(proposal, decision, language), attachments=inside)
        except TooMuchToPrint:
            brief = _sheet(proposal, decision, language, is_brief=True)
            return typeset_for_good(document.LAYOUT, **brief, attachments=inside)


def _sheet(proposal: Proposal, decision: Decision | None, language: str, *, is_brief: bool = False) -> dict[str, Any]:
    told = decision.revision.told if decision else _as_it_is(proposal)
    if is_brief:
        told = {**told, "line_items": [{**line, "description": ""} for line in told["line_items"]]}
    blocks = _blocks(proposal, told, decision, language)
    if is_brief:
        words = gettext("The descriptions of the lines stand in the file revision.json, which is inside of this one.")
        blocks.insert(2, Words(words, small=True))
    data = document.data(
        blocks,
        paper="us-letter" if told["currency"] == "USD" else "a4",
        footer=f"{proposal.account.name} · {gettext('Proposal')} {proposal.name} · {proposal.public_url}",
    )
    title = f"{gettext('Proposal')} {proposal.name}: {told['title']}"
    return {"data": data, "title": title, "language": language}


def _as_it_is(proposal: Proposal) -> dict[str, Any]:
    return {**{name: getattr(proposal, name) for name in OFFERED}, "valid_until": proposal.valid_until.isoformat()}


def _inside(proposal: Proposal, decision: Decision) -> Sequence[Attachment]:
    record = export.record(proposal.account, decision.record)
    return (
        Attachment("record.json", json.dumps(record, ensure_ascii=False), "The record of the approval"),
        Attachment("revision.json", decision.revision.body, "What was approved, as its hash is made of"),
    )


def _blocks(proposal: Proposal, told: dict[str, Any], decision: Decision | None, language: str) -> list[Block]:
    offer = read_offer(told)
    selection = read_selection(decision.selection, offer) if decision else first_shown(offer)
    found: list[Block] = [Heading(told["title"]), Facts(_head(proposal, told, language))]
    if told["intro"]:
        found.append(Words(told["intro"]))
    found += _prices(offer, selection, language, is_agreed=decision is not None)
    package = offer.package(selection.package)
    if package is not None and decision is None:
        found.append(Words(gettext("The sums are those with “%(name)s”.") % {"name": package.name}, small=True))
    found += _sums(offer, selection, language, told["tax_label"])
    if told["notes"]:
        found += [Heading(gettext("Terms"), 2), Words(told["notes"])]
    if told["numbers"]:
        found.append(Facts([(one["label"], one["value"]) for one in told["numbers"]]))
    if decision is not None:
        found += _signature(proposal, decision, language)
    return found


def _head(proposal: Proposal, told: dict[str, Any], language: str) -> list[tuple[str, str]]:
    client = [proposal.client_name, proposal.client_company, proposal.client_email]
    facts = [
        (gettext("From"), proposal.account.name),
        (gettext("For"), ", ".join(filter(None, client))),
        (gettext("Proposal"), proposal.name),
        (gettext("Valid until"), day(date.fromisoformat(told["valid_until"]), language)),
    ]
    return [(name, value) for name, value in facts if value]


def _prices(offer: Offer, selection: Selection, language: str, *, is_agreed: bool) -> list[Block]:
    rows = offer_text.rows(offer, selection, language)
    found: list[Block] = []
    package = offer.package(selection.package)
    for one in offer.packages if not is_agreed else ([package] if package else []):
        price = offer_text.package_price(one, offer, language)
        recommended = gettext("recommended")  # not inside the f-string, where older Pythons find no text to translate
        mark = f" ({recommended})" if one.recommended and not is_agreed else ""
        found.append(Heading(f"{one.name}{mark}: {price}", 3))
        found += [Words(one.description)] if one.description else []
        lines = [offer_text.row(line, offer, language) for line in one.lines]
        inside = [f"{line.name}{f', {line.quantity}' if line.quantity else ''}" for line in lines]
        found += [Points([*one.features, *inside])] if one.features or inside else []
    if sure := [row for row in rows if row.counted]:
        found.append(_table(sure))
    if not is_agreed and (more := [row for row in rows if not row.counted]):
        found += [Heading(gettext("Options"), 3), _table(more)]
    return found


def _table(rows: Sequence[offer_text.Row]) -> Table:
    body = []
    for row in rows:
        name = f"{row.section}: {row.name}" if row.section else row.name
        described = f"{name}\n{row.description}" if row.description else name
        body.append([described, row.quantity, row.price, row.total])
    head = [gettext("What"), gettext("Quantity"), gettext("Price"), gettext("Amount")]
    return Table(head, body, ["start", "end", "end", "end"], [1, 0, 0, 0])


def _sums(offer: Offer, selection: Selection, language: str, tax_label: str) -> list[Block]:
    """Down to the total, which stands out; what is due of it below."""
    told = offer_text.sums(offer, totals(offer, selection), language, tax_label)
    due = [one for one in told if one.kind in ("deposit", "balance")]
    rest = [one for one in told if one not in due]
    at = next(n for n, one in enumerate(rest) if one.kind == "total") + 1  # a tax within the total stands behind it
    parts = [(rest[:at], 1), (rest[at:], 0), (due, 0)]
    return [
        Table(["", ""], [[one.whole_label, one.value] for one in part], ["end", "end"], [1, 0], totals=bold)
        for part, bold in parts
        if part
    ]


def _signature(proposal: Proposal, decision: Decision, language: str) -> list[Block]:
    at = moment(decision.at, proposal.account.zone, language)
    zone = proposal.account.time_zone
    if decision.by != CLIENT:
        facts = [(gettext("Approved"), f"{at} ({zone})"), (gettext("Recorded by"), proposal.account.name)]
        return [Rule(), Heading(gettext("Approval"), 2), Facts(facts)]
    verified = gettext("confirmed by a code") if decision.verified else gettext("not confirmed")
    drawn = [Picture(svg_of(decision.drawn), 60, decision.name)] if decision.drawn else []
    return [
        Rule(),
        Heading(gettext("Approval"), 2),
        *([Words(decision.consent)] if decision.consent else []),
        *drawn,
        Facts(
            [
                (gettext("Signed by"), decision.name),
                (gettext("E-mail"), f"{decision.email} ({verified})"),
                (gettext("At"), f"{at} ({zone})"),
                (gettext("Fingerprint of what was approved"), decision.revision.hash),
            ]
        ),
    ]


def svg_of(strokes: Sequence[Sequence[Sequence[int]]]) -> str:
    """A drawn signature, of whole numbers that were checked when it was taken."""
    xs = [x for stroke in strokes for x, _ in stroke]
    ys = [y for stroke in strokes for _, y in stroke]
    left, top = min(xs) - 4, min(ys) - 4
    size = f"{left} {top} {max(xs) - left + 4} {max(ys) - top + 4}"
    paths = "".join(
        f'<path d="M{" L".join(f"{x} {y}" for x, y in (stroke if len(stroke) > 1 else [*stroke, *stroke]))}"/>'
        for stroke in strokes
    )
    pen = 'fill="none" stroke="#111" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{size}"><g {pen}>{paths}</g></svg>'


def seal_later(decision: Decision) -> None:
    """In the transaction of the decision."""
    outbox.put(LATER, {"decision": decision.pk}, account=decision.proposal.account, dedupe=f"bid-seal:{decision.pk}")


def sealed(decision: Decision) -> bytes:
    """The kept copy. Raises FileNotFoundError while there is none, or when it was erased."""
    if not decision.pdf_key:
        raise FileNotFoundError(decision.pk)
    return store.get(decision.pdf_key)


def kept_by_hash(sha256: str) -> Kept | None:
    return _kept(pdf_sha256=sha256)


def kept_by_record(id: str) -> Kept | None:
    return _kept(record=id)


def _kept(**which: str) -> Kept | None:
    rows = Decision.objects.select_related("proposal__account").exclude(pdf_sha256="")
    found = rows.filter(**which).first()
    if found is None:
        return None
    what = f"{gettext('Proposal')} {found.proposal.name}"
    return Kept(what, found.proposal.account.name, found.sealed_at, found.pdf_sha256)


class Seals:
    """The outbox's way for sealing. A second try after a kill finds the copy there, or makes it."""

    delays: Sequence[float] = (10.0, 60.0, 600.0, 3600.0)

    def send(self, delivery: Delivery) -> State:
        from workspace.products.bid.domain import emails

        rows = Decision.objects.select_related("proposal__account", "proposal__publication", "revision")
        decision = rows.filter(pk=(delivery.payload or {}).get("decision")).first()
        if decision is None or decision.pdf_sha256:
            return State.SENT
        proposal = decision.proposal

        def then(made: Sealed) -> None:
            data = {"proposal": proposal.number, "decision": decision.record, "sha256": made.sha256}
            id = note(proposal.account, "bid.sealed", thing=proposal.pk, data=data)
            BidEvent.note(proposal, Event.SEALED, "service", record=id)
            if decision.by == CLIENT:
                emails.signed(proposal, decision, made.content, name_of(proposal))

        signed_copies.keep(decision, seal(draw(proposal, decision)), PREFIX, then)
        return State.SENT

    def close(self) -> None:
        pass
