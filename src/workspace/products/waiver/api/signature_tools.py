"""Who has signed, as tools: the door's check, looking for people, visits, voiding, asking to sign."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from typing import Annotated, Literal, NotRequired

from django.db.models import QuerySet
from pydantic import Field
from typing_extensions import TypedDict

from workspace.accounts.models import Account
from workspace.lib import clock
from workspace.lib.errors import InvalidInput, ToolError
from workspace.lib.text import counted, escape_markdown
from workspace.products.waiver.api.arguments import Emails, SignatureId, WaiverId, Why, Words
from workspace.products.waiver.api.serializers import held, waiver_of
from workspace.products.waiver.api.signature_serializers import SignatureRow, signature_of, signature_row, signatures_of
from workspace.products.waiver.api.text import answers_text, person_lines, signature_line, verdict_text
from workspace.products.waiver.api.tools import MAILED, box
from workspace.products.waiver.domain import invitations, signature_search, voids
from workspace.products.waiver.domain.coverage_check import AnswerRow, PersonRow, answer_row, check, check_each
from workspace.products.waiver.models import Signature, Visit
from workspace.products.waiver.rules.person_query import split_lines, split_names
from workspace.publishing.serializers import several
from workspace.storage import journal
from workspace.tools.answer import Answer, Listing, bullets, listing
from workspace.tools.argument_types import Id, Limit, Line, Lines, Offset, Query

logger = logging.getLogger(__name__)

LONGEST_NAME, MOST_PEOPLE = 254, 200
Who = Annotated[
    str,
    Lines(10_000),
    Field(description="A whole name, an email address or a phone number, or one on each line; empty with people"),
]
People = Annotated[
    list[Annotated[str, Line(LONGEST_NAME)]],
    Field(
        min_length=1,
        max_length=MOST_PEOPLE,
        description="Several at once: a name, an email address or a phone number each",
    ),
]
StateOf = Annotated[
    Literal["valid", "expiring", "minor", "expired", "outdated", "of_age", "voided"],
    Field(description="Only those; of the valid ones, expiring: for 30 days at most, minor: minors"),
]


@box.tool("svc_waiver_signatures", title="Who signed a waiver", reads=True, columns="participant reason signed_at id")
def signatures(account: Account, id: WaiverId, limit: Limit = 50, offset: Offset = 0) -> Answer[Listing[SignatureRow]]:
    """Signed copies of a waiver, newest first: signer, participant, time, and whether it counts, with the reason where
    it does not."""
    found = waiver_of(account, id).signatures.order_by("-id")
    return _page(found, found.count(), limit, offset)


def _page(found: QuerySet[Signature], total: int, limit: int, offset: int) -> Answer[Listing[SignatureRow]]:
    return _listed(found.select_related("waiver", "signing")[offset : offset + limit], total, offset)


def _listed(page: Iterable[Signature], total: int, offset: int) -> Answer[Listing[SignatureRow]]:
    rows = [signature_row(one) for one in page]
    return listing(rows, total=total, offset=offset, noun="signatures", line=signature_line)


class Verdict(TypedDict):
    """`waiver_id`: on which waiver they are covered; null where they are not, or several are meant. Where several were
    asked for, `answers` has one entry for each, `not_covered` those without a clear yes, and `people` is empty."""

    verdict: Annotated[str, Field(description="valid, invalid, several or none; each: see answers")]
    people: list[PersonRow]
    waiver_id: str | None
    answers: NotRequired[list[AnswerRow]]
    not_covered: NotRequired[list[str]]


@box.tool("svc_waiver_check", title="Is this person covered?", reads=True)
def check_who(account: Account, who: Who, people: People | None = None) -> Answer[Verdict]:
    """Whether a person has a waiver that counts now, by whole name, e-mail address or phone number, as signer or as
    participant. Where several people could be meant all are listed, and there is no yes. With people, each of a list
    is answered: who of tonight's guests has no valid waiver?"""
    lines = split_lines(who)
    if "\n" in who:
        who = lines[0] if lines else ""
    if not who and not people:
        raise InvalidInput.at("who", "Give a name, an email address or a phone number")
    if any(len(line) > LONGEST_NAME for line in lines):
        raise InvalidInput.at("who", f"Use at most {LONGEST_NAME} characters for each person")
    if len(lines) > 1:
        return _each(account, [*_names_on(account, lines), *(people or [])])
    found = check(account, who) if who else []
    named = [] if found or not who else split_names(who)
    if people or named:
        return _each(account, [*(named or [who] * bool(who)), *(people or [])])
    answer = answer_row(who, found)
    # for whoever looks on: that it was asked, and nothing of who
    logger.info("Waiver check in %s: %s", account.pk, answer["verdict"])
    data: Verdict = {"verdict": answer["verdict"], "people": found, "waiver_id": answer["waiver_id"]}
    lines = [line for one in found for line in person_lines(one)]
    return Answer(data, "\n".join([verdict_text(answer["verdict"], who, found), *lines]))


def _names_on(account: Account, lines: Sequence[str]) -> list[str]:
    """Return the people of a list. A line can name several of them. Raises InvalidInput for too many."""
    found: list[str] = []
    for line in lines:
        named = split_names(line)
        found += [line] if not named or check(account, line) else named
        if len(found) > MOST_PEOPLE:
            raise InvalidInput.at("who", f"Ask for at most {MOST_PEOPLE} people at once")
    return found


def _each(account: Account, names: list[str]) -> Answer[Verdict]:
    rows = [answer_row(name, found) for name, found in check_each(account, names)]
    missing = [row["who"] for row in rows if row["verdict"] != "valid"]
    logger.info("Waiver check in %s: %s of %s", account.pk, len(rows) - len(missing), len(rows))
    data: Verdict = {"verdict": "each", "people": [], "waiver_id": None, "answers": rows, "not_covered": missing}
    return Answer(data, lambda: "\n".join(answers_text(rows, missing)))


@box.tool("svc_waiver_search", title="Search signatures", reads=True, columns="participant reason signed_at id")
def search(
    account: Account,
    q: Annotated[Query, Field(description="The beginnings of names, an address or a number; empty for all")] = "",
    waiver_id: WaiverId | None = None,
    state: StateOf | None = None,
    limit: Limit = 50,
    offset: Offset = 0,
) -> Answer[Listing[SignatureRow]]:
    """Signatures of all waivers, newest first, as one looks for them while typing: by the beginnings of names of
    signers and participants, of addresses and numbers; of a waiver, of a state. With q, total counts up to 1,000."""
    of = waiver_of(account, waiver_id) if waiver_id is not None else None
    found = signature_search.search(account, q, waiver=of, state=state, limit=limit, offset=offset)
    return _listed(found.page, found.total, offset)


class Voided(TypedDict):
    voided: list[SignatureRow]
    mailed: int


@box.tool("svc_waiver_void", title="Void signatures", sends=True)
def void(
    account: Account,
    signature_ids: Annotated[list[SignatureId], Field(min_length=1, max_length=200)],
    reason: Why,
    ask_again: Annotated[bool, Field(description="Mail the signers, with the link to sign again")] = False,
) -> Answer[Voided]:
    """Let signatures not count any more, each by itself: of one of several children, say. That it was voided and why
    stands on record for good; the copy stays to be shown."""
    missing = "There is no such signature: svc_waiver_signatures and svc_waiver_search show them"
    found = several(signature_ids, missing, signatures_of(account))
    mailed = voids.void(account, found, reason, ask_again=ask_again)
    rows = [signature_row(one) for one in found]
    head = f"Voided {counted(len(rows), 'signature')}" + (
        f"; {counted(mailed, 'mail')} asks to sign again" if mailed else ""
    )
    data: Voided = {"voided": rows, "mailed": mailed}
    return Answer(data, "\n".join([f"{head}, mailed: {mailed}.", "", *bullets(rows, signature_line)]))


class VisitMade(TypedDict):
    visit_id: str
    at: str
    was: str
    signature: SignatureRow


@box.tool("svc_waiver_record_visit", title="Record a visit")
def record_visit(account: Account, signature_id: SignatureId) -> Answer[VisitMade]:
    """Note that somebody came in, with whether they were covered at that moment. One whose signature was voided is not
    let in: that is refused."""
    found = signature_of(account, signature_id)
    row = signature_row(found)
    if row["reason"] == "voided":
        raise ToolError("This signature was voided, so it lets nobody in: ask them to sign again")
    visit = Visit.objects.create(account=account, signature=found, checked=row["reason"])
    journal.add(visit)
    data: VisitMade = {"visit_id": visit.pk, "at": clock.iso(visit.at) or "", "was": visit.checked, "signature": row}
    return Answer(data, f"Came in at {data['at']} (`{visit.pk}`), was {visit.checked}: {signature_line(row)}")


class Invited(TypedDict):
    """`already`: asked within a day, and not written to again; `quiet`: want no such mail."""

    waiver_id: str
    title: str
    sent: list[str]
    already: list[str]
    quiet: list[str]


@box.tool("svc_waiver_invite", title="Ask people to sign", sends=True)
def invite(
    account: Account,
    id: Annotated[Id, Field(description="The waiver, from svc_waivers_list")],
    emails: Emails,
    message: Words = "",
) -> Answer[Invited]:
    """Mail the signing link to people before they come, or to those who must sign again, in the language in which they
    signed last, else the waiver's, wearing your brand. Each address once a day at most; svc_waiver_get shows who has
    not signed yet."""
    waiver = held(account, id)
    if not waiver.accepting or waiver.archived_at:
        raise ToolError("This waiver takes no signatures: svc_waiver_edit with accepting=true opens it")
    done = invitations.ask(waiver, emails, message)
    journal.about(waiver.kind, waiver.pk)
    if done.sent:
        journal.for_good(MAILED)
    data: Invited = {
        "waiver_id": waiver.pk,
        "title": waiver.title,
        "sent": done.sent,
        "already": done.already,
        "quiet": done.quiet,
    }
    who, title = ", ".join(map(escape_markdown, done.sent)), escape_markdown(waiver.title)
    head = f"Asked {counted(len(done.sent), 'person', 'people')} to sign {title} (`{waiver.pk}`)"
    more = f"Asked within a day already: {', '.join(map(escape_markdown, done.already))}" if done.already else ""
    still = f"They want no such mail: {', '.join(map(escape_markdown, done.quiet))}" if done.quiet else ""
    return Answer(data, "\n".join(filter(None, [f"{head}: {who}" if who else f"{head}.", more, still])))
