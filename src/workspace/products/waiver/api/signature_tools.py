"""Tools for signatures: the coverage check, search, attendance, voiding and invitations."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from typing import Annotated, Literal, NotRequired

from django.db.models import QuerySet
from pydantic import Field
from typing_extensions import TypedDict

from workspace.accounts.models import Account
from workspace.lib import clock
from workspace.lib.errors import InvalidInputError, OperationNotAllowedError
from workspace.lib.text import escape_markdown, format_count
from workspace.products.waiver import messages
from workspace.products.waiver.api.arguments import Emails, InvitationMessage, SignatureId, VoidReason, WaiverId
from workspace.products.waiver.api.signature_serializers import SignatureSummary, signature_summary
from workspace.products.waiver.api.text import format_answers, format_person, format_signature, format_verdict
from workspace.products.waiver.api.tools import SENDING_IS_FINAL, box
from workspace.products.waiver.domain import invitations, signature_search, signature_voids
from workspace.products.waiver.domain.coverage_check import (
    CoverageAnswer,
    PersonCoverage,
    build_answer,
    check_people,
    check_person,
)
from workspace.products.waiver.domain.queries import get_signature, get_waiver, lock_waiver, signatures_for
from workspace.products.waiver.models import Attendance, Signature
from workspace.products.waiver.rules.person_query import split_lines, split_names
from workspace.publishing.serializers import get_many_or_404
from workspace.storage import journal
from workspace.tools.answer import Answer, Listing, format_bullets, listing_answer
from workspace.tools.argument_types import Id, Limit, Line, Lines, Offset, Query

logger = logging.getLogger(__name__)

MAX_NAME_LENGTH, MAX_PEOPLE = 254, 200
PersonText = Annotated[
    str,
    Lines(10_000),
    Field(
        description=(
            "Full name, email address or phone number. For several people, use one line each. Pass an empty string "
            "with people."
        )
    ),
]
People = Annotated[
    list[Annotated[str, Line(MAX_NAME_LENGTH)]],
    Field(
        min_length=1,
        max_length=MAX_PEOPLE,
        description="People to check, by full name, email address or phone number.",
    ),
]
StateFilter = Annotated[
    Literal["valid", "expiring", "minor", "expired", "outdated", "of_age", "voided"],
    Field(
        description=(
            "Only signatures in this state. expiring means valid for at most 30 more days. minor means valid and for a "
            "minor."
        )
    ),
]


@box.tool(
    "svc_waiver_signatures",
    title="List signatures of a waiver",
    about="List the signatures of a waiver, newest first, with signer, participant and time. Also returns whether each "
    "signature is valid and, if not, the reason.",
    short="List who signed a waiver, newest first.",
    synonyms="who signed, signers, participants, signed copies, how many signed, unterschriften, wer hat "
    "unterschrieben, teilnehmer, firmas, quién ha firmado, participantes",
    reads=True,
    columns="participant reason signed_at id",
)
def list_signatures(
    account: Account, id: WaiverId, limit: Limit = 50, offset: Offset = 0
) -> Answer[Listing[SignatureSummary]]:
    signatures = get_waiver(account, id).signatures.order_by("-id")
    return _page_answer(signatures, signatures.count(), limit, offset)


def _page_answer(
    signatures: QuerySet[Signature], total: int, limit: int, offset: int
) -> Answer[Listing[SignatureSummary]]:
    return _signatures_answer(signatures.select_related("waiver", "signing")[offset : offset + limit], total, offset)


def _signatures_answer(page: Iterable[Signature], total: int, offset: int) -> Answer[Listing[SignatureSummary]]:
    rows = [signature_summary(signature) for signature in page]
    return listing_answer(rows, total=total, offset=offset, noun="signatures", line=format_signature)


class CoverageVerdict(TypedDict):
    """The verdict on one or several people.

    `waiver_id` is the waiver that covers the person. It is null if none does, or if several people match. If several
    people were requested, `answers` has one entry for each, `not_covered` those without a clear yes, and `people` is
    empty.
    """

    verdict: Annotated[
        str, Field(description="valid, invalid, several or none. each means that answers has one verdict per person.")
    ]
    people: list[PersonCoverage]
    waiver_id: str | None
    answers: NotRequired[list[CoverageAnswer]]
    not_covered: NotRequired[list[str]]


@box.tool(
    "svc_waiver_check",
    title="Check whether someone has a valid waiver",
    about="Check whether a person (signer or participant) has a waiver signature that is valid now. Searches by full "
    "name, email address or phone number. If several people match, lists all of them without a verdict. Pass "
    "people to check a whole list at once.",
    short="Check whether people have a valid waiver now.",
    synonyms="has signed, covered, allowed to participate, is valid, expired, did they sign, front desk, hat "
    "unterschrieben, gültig, abgelaufen, ha firmado, válida, vigente, caducada, puede participar, has "
    "anyone signed, has he signed, has she signed, did she sign, did he sign, is covered, ist gültig, "
    "ya firmó",
    reads=True,
)
def check_coverage(account: Account, who: PersonText, people: People | None = None) -> Answer[CoverageVerdict]:
    lines = split_lines(who)
    if "\n" in who:
        who = lines[0] if lines else ""
    if not who and not people:
        raise InvalidInputError.at_path("who", messages.PERSON_NEEDED)
    if any(len(line) > MAX_NAME_LENGTH for line in lines):
        raise InvalidInputError.at_path("who", messages.PERSON_TOO_LONG(most=MAX_NAME_LENGTH))
    if len(lines) > 1:
        return _check_each_person(account, [*_split_people(account, lines), *(people or [])])
    coverages = check_person(account, who) if who else []
    named = [] if coverages or not who else split_names(who)
    if people or named:
        return _check_each_person(account, [*(named or [who] * bool(who)), *(people or [])])
    answer = build_answer(who, coverages)
    # log that a check was made, but nothing about the person
    logger.info("Waiver check in %s: %s", account.pk, answer["verdict"])
    data: CoverageVerdict = {"verdict": answer["verdict"], "people": coverages, "waiver_id": answer["waiver_id"]}
    lines = [line for coverage in coverages for line in format_person(coverage)]
    return Answer(data, "\n".join([format_verdict(answer["verdict"], who, coverages), *lines]))


def _split_people(account: Account, lines: Sequence[str]) -> list[str]:
    """Return the people in a list. A line can name several people. Raise InvalidInputError if there are too many."""
    results: list[str] = []
    for line in lines:
        named = split_names(line)
        results += [line] if not named or check_person(account, line) else named
        if len(results) > MAX_PEOPLE:
            raise InvalidInputError.at_path("who", messages.TOO_MANY_PEOPLE_ASKED(most=MAX_PEOPLE))
    return results


def _check_each_person(account: Account, names: list[str]) -> Answer[CoverageVerdict]:
    rows = [build_answer(name, coverages) for name, coverages in check_people(account, names)]
    missing = [row["who"] for row in rows if row["verdict"] != "valid"]
    logger.info("Waiver check in %s: %s of %s", account.pk, len(rows) - len(missing), len(rows))
    data: CoverageVerdict = {
        "verdict": "each",
        "people": [],
        "waiver_id": None,
        "answers": rows,
        "not_covered": missing,
    }
    return Answer(data, lambda: "\n".join(format_answers(rows, missing)))


@box.tool(
    "svc_waiver_search",
    title="Search signatures",
    about="Search the signatures of all waivers, newest first, by the first letters of names, email addresses and "
    "phone numbers of signers and participants. Filter by waiver or state. With q, total counts up to 1,000.",
    short="Search signatures of all waivers by name, email or phone.",
    synonyms="find signer, look up participant, find signed waiver, unterschrift suchen, teilnehmer suchen, buscar "
    "firma, buscar participante",
    reads=True,
    columns="participant reason signed_at id",
)
def search(
    account: Account,
    q: Annotated[
        Query,
        Field(description="Start of a name, email address or phone number. An empty string returns all."),
    ] = "",
    waiver_id: WaiverId | None = None,
    state: StateFilter | None = None,
    limit: Limit = 50,
    offset: Offset = 0,
) -> Answer[Listing[SignatureSummary]]:
    of = get_waiver(account, waiver_id) if waiver_id is not None else None
    signatures = signature_search.search_signatures(account, q, waiver=of, state=state, limit=limit, offset=offset)
    return _signatures_answer(signatures.page, signatures.total, offset)


class VoidedSignatures(TypedDict):
    voided: list[SignatureSummary]
    mailed: int


@box.tool(
    "svc_waiver_void",
    title="Void signatures",
    about="Void (invalidate) individual waiver signatures, for example that of one of several children. The reason "
    "stays on record permanently, and the signed copy stays available.",
    short="Void signatures and record the reason.",
    synonyms="invalidate, cancel signature, revoke waiver, annul, no longer valid, ungültig machen, für ungültig "
    "erklären, unterschrift widerrufen, anular firma, invalidar",
    sends=True,
)
def void_signatures(
    account: Account,
    signature_ids: Annotated[
        list[SignatureId],
        Field(min_length=1, max_length=200, description="Signature IDs, from svc_waiver_signatures."),
    ],
    reason: VoidReason,
    ask_again: Annotated[
        bool, Field(description="Whether to email the signers a link to sign again. Defaults to false.")
    ] = False,
) -> Answer[VoidedSignatures]:
    items = get_many_or_404(signature_ids, messages.SIGNATURES_NOT_FOUND, signatures_for(account))
    mailed = signature_voids.void_signatures(account, items, reason, ask_again=ask_again)
    rows = [signature_summary(item) for item in items]
    head = f"Voided {format_count(len(rows), 'signature')}" + (
        f"; {format_count(mailed, 'email')} sent to ask for a new signature" if mailed else ""
    )
    data: VoidedSignatures = {"voided": rows, "mailed": mailed}
    return Answer(data, "\n".join([f"{head}, emails: {mailed}.", "", *format_bullets(rows, format_signature)]))


class RecordedAttendance(TypedDict):
    visit_id: str
    at: str
    was: str
    signature: SignatureSummary


@box.tool(
    "svc_waiver_record_visit",
    title="Check in a participant",
    about="Check in a participant, and record whether they had a valid waiver. Fails if their signature was voided.",
    short="Check in a participant and record their waiver status.",
    synonyms="check-in, arrived, arrival, attendance, visit, front desk, einchecken, ankunft, besuch erfassen, "
    "registrar entrada, llegada, asistencia, visita",
)
def record_visit(account: Account, signature_id: SignatureId) -> Answer[RecordedAttendance]:
    signature = get_signature(account, signature_id)
    row = signature_summary(signature)
    if row["reason"] == "voided":
        raise OperationNotAllowedError(messages.VOIDED_SIGNATURE)
    visit = Attendance.objects.create(account=account, signature=signature, validity=row["reason"])
    journal.record_new_rows(visit)
    data: RecordedAttendance = {
        "visit_id": visit.pk,
        "at": clock.to_iso(visit.occurred_at) or "",
        "was": visit.validity,
        "signature": row,
    }
    return Answer(data, f"Checked in at {data['at']} (`{visit.pk}`), waiver {visit.validity}: {format_signature(row)}")


class InvitedPeople(TypedDict):
    """The result of inviting people.

    `already` were invited within a day and are not emailed again. `quiet` do not want such emails.
    """

    waiver_id: str
    title: str
    sent: list[str]
    already: list[str]
    quiet: list[str]


@box.tool(
    "svc_waiver_invite",
    title="Email the signing link",
    about="Email the signing link of a waiver to people before they arrive, or to people who must sign again. Each "
    "address is emailed at most once a day, in the language of their last signature or of the waiver. To see who has "
    "not signed, use svc_waiver_get.",
    short="Email a waiver's signing link to people.",
    synonyms="send waiver, request signature, ask to sign, remind to sign, zur unterschrift senden, link zum "
    "unterschreiben, um unterschrift bitten, enviar para firmar, pedir firma, recordar firma",
    sends=True,
)
def invite_people(
    account: Account,
    id: Annotated[Id, Field(description="Waiver ID, from svc_waivers_list.")],
    emails: Emails,
    message: InvitationMessage = "",
) -> Answer[InvitedPeople]:
    waiver = lock_waiver(account, id)
    if not waiver.accepting or waiver.archived_at:
        raise OperationNotAllowedError(messages.NOT_ACCEPTING)
    done = invitations.send_invitations(waiver, emails, message)
    journal.set_item(waiver.kind, waiver.pk)
    if done.sent:
        journal.mark_irreversible(SENDING_IS_FINAL)
    data: InvitedPeople = {
        "waiver_id": waiver.pk,
        "title": waiver.title,
        "sent": done.sent,
        "already": done.recently_sent,
        "quiet": done.unsubscribed,
    }
    who, title = ", ".join(map(escape_markdown, done.sent)), escape_markdown(waiver.title)
    head = f"Asked {format_count(len(done.sent), 'person', 'people')} to sign {title} (`{waiver.pk}`)"
    more = (
        f"Already asked within the last day: {', '.join(map(escape_markdown, done.recently_sent))}"
        if done.recently_sent
        else ""
    )
    still = (
        f"Unsubscribed from these emails: {', '.join(map(escape_markdown, done.unsubscribed))}"
        if done.unsubscribed
        else ""
    )
    return Answer(data, "\n".join(filter(None, [f"{head}: {who}" if who else f"{head}.", more, still])))
