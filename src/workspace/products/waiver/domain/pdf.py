"""What was signed, on paper: the text of that version, clauses with initials, answers, signature, and the evidence; the
sealed copy carries its record, so that both can be checked without this service. The worker makes it after the act."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any

from django.utils import translation
from django.utils.translation import gettext

from workspace.audit_trail import export
from workspace.audit_trail.writer import note
from workspace.delivery.models import Delivery
from workspace.delivery.models.delivery import State
from workspace.documents import document
from workspace.documents.document import Block, Facts, Flow, Heading, NewPage, Picture, Rule, Run, Table, Words
from workspace.documents.pdf_signature import Sealed, seal
from workspace.documents.typesetter import Attachment, typeset
from workspace.products.waiver.models import Signature, Signing, WaiverVersion
from workspace.products.waiver.rules import drawn_signature
from workspace.publishing import signed_copies, verification
from workspace.publishing.language import USUAL, day, moment
from workspace.publishing.markdown import blocks_of
from workspace.publishing.verification import Kept
from workspace.qr_symbols.style import Style
from workspace.qr_symbols.svg import svg
from workspace.storage.files import store

LATER = "waiver.seal"  # the outbox's kind
PREFIX = "waiverpdf"


def name_of(signing: Signing) -> str:
    return f"waiver-{signing.pk[-8:]}.pdf"


def draw(signing: Signing) -> bytes:
    """The PDF, not sealed, in the language in which it was signed."""
    language = signing.language or USUAL
    version = WaiverVersion.objects.get(waiver=signing.waiver_id, number=signing.version)
    with translation.override(language):
        data = document.data(
            _blocks(signing, version, language), footer=f"{signing.account.name} · {version.told['title']}"
        )
        title = f"{version.told['title']}: {signing.name}"
    record = export.record(signing.account, signing.record)
    inside = (
        Attachment("record.json", json.dumps(record, ensure_ascii=False), "The record of the signing"),
        Attachment("version.json", version.body, "What was signed, as its hash is made of"),
    )
    return typeset(document.LAYOUT, data, title=title, language=language, attachments=inside)


def _blocks(signing: Signing, version: WaiverVersion, language: str) -> list[Block]:
    told = version.told
    found: list[Block] = [Heading(told["title"]), *blocks_of(told["text"])]
    for clause in told["clauses"]:
        found += [Heading(clause["title"], 2)] if clause["title"] else []
        found += blocks_of(clause["text"])
        if initials := signing.initials.get(clause["key"]):
            found.append(Facts([(gettext("Initials"), initials)]))
    if answers := [
        (one["label"], _answer(signing.answers[one["key"]]))
        for one in told["questions"]
        if one["key"] in signing.answers
    ]:
        found += [Heading(gettext("Answers"), 2), Facts(answers)]
    signatures = list(signing.signatures.order_by("id"))
    head = [gettext("Who takes part"), gettext("Born"), gettext("Covered until")]
    rows = [[_who(one), _day(one.birth_date, language), _until(one, signing, language)] for one in signatures]
    found += [Rule(), Table(head, rows, ["start", "start", "start"], [1, 0, 0])]
    if signing.strokes:
        found.append(Picture(drawn_signature.svg(signing.strokes), 60, signing.name))
    elif signing.typed:
        found.append(Flow([Run(signing.typed, slanted=True)]))
    at = moment(signing.at, signing.account.zone, language)
    found += [
        Facts([(gettext("Signed by"), f"{signing.name}, {at}")]),
        Words(signing.consent),
        NewPage(),
        *_evidence(signing, version, language),
    ]
    return found


def _evidence(signing: Signing, version: WaiverVersion, language: str) -> Sequence[Block]:
    at = moment(signing.at, signing.account.zone, language)
    facts = [
        (gettext("Signed by"), signing.name),
        (gettext("Signature"), signing.typed or gettext("drawn")),
        (gettext("E-mail"), signing.email),
        (gettext("Phone"), signing.phone),
        (gettext("Born"), _day(signing.birth_date, language)),
        (gettext("At"), f"{at} ({signing.time_zone})"),
        (gettext("Version of the text"), str(version.number)),
        (gettext("Fingerprint of the text"), version.hash),
        (gettext("Record"), signing.record),
        (gettext("Check this paper at"), verification.address()),
    ]
    address = verification.address()
    return [
        Heading(gettext("Evidence"), 2),
        Facts([(name, value) for name, value in facts if value]),
        Picture(svg(address, Style(), title=address), 30, address),
    ]


def _who(one: Signature) -> str:
    return f"{one.name} ({one.relationship})" if one.relationship else one.name


def _day(value: date | None, language: str) -> str:
    return day(value, language) if value else ""


def _until(one: Signature, signing: Signing, language: str) -> str:
    last = last_of(one)
    return day(last, language) if last else gettext("without end")


def last_of(one: Signature) -> date | None:
    """The last day on which it counts, as long as nothing else happens."""
    ends = [moment for moment in (one.expires_at, one.of_age_at) if moment]
    if not ends:
        return None
    return (min(ends).astimezone(one.account.zone) - timedelta(microseconds=1)).date()


def _answer(value: Any) -> str:
    if isinstance(value, bool):
        return gettext("Yes") if value else gettext("No")
    return ", ".join(value) if isinstance(value, list) else str(value)


def sealed(signing: Signing) -> bytes:
    """The kept copy. Raises FileNotFoundError while there is none, or when it was erased."""
    if not signing.pdf_key:
        raise FileNotFoundError(signing.pk)
    return store.get(signing.pdf_key)


def kept_by_hash(sha256: str) -> Kept | None:
    return _kept(pdf_sha256=sha256)


def kept_by_record(id: str) -> Kept | None:
    return _kept(record=id)


def _kept(**which: str) -> Kept | None:
    found = Signing.objects.select_related("account", "waiver").exclude(pdf_sha256="").filter(**which).first()
    if found is None:
        return None
    return Kept(found.waiver.title, found.account.name, found.sealed_at, found.pdf_sha256)


class Seals:
    """The outbox's way for sealing. A second try after a kill finds the copy there, or makes it."""

    delays: Sequence[float] = (10.0, 60.0, 600.0, 3600.0)

    def send(self, delivery: Delivery) -> State:
        from workspace.products.waiver.domain import emails

        rows = Signing.objects.select_related("account", "waiver__publication")
        signing = rows.filter(pk=(delivery.payload or {}).get("signing")).first()
        if signing is None or signing.pdf_sha256:
            return State.SENT

        def then(made: Sealed) -> None:
            data = {"signing": signing.pk, "record": signing.record, "sha256": made.sha256}
            note(signing.account, "waiver.sealed", thing=signing.waiver_id, data=data)
            emails.copy(signing, made.content, name_of(signing))

        signed_copies.keep(signing, seal(draw(signing)), PREFIX, then)
        return State.SENT

    def close(self) -> None:
        pass
