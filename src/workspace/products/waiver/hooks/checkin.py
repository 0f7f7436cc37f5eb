"""Check-in of people with waivers: whether they are covered, until when, and whether they have attended."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from typing import Any

from django.db.models import QuerySet

from workspace.accounts.models import Account
from workspace.lib import clock
from workspace.lib.errors import NotFoundError, OperationNotAllowedError
from workspace.owner_translation import owner_gettext, owner_gettext_lazy
from workspace.products.waiver import messages
from workspace.products.waiver.api.signature_tools import record_visit
from workspace.products.waiver.domain import signature_search
from workspace.products.waiver.domain.coverage_check import WaiverCoverage, waiver_coverage
from workspace.products.waiver.models import Attendance, Signature
from workspace.products.waiver.rules.validity import Reason
from workspace.publishing.checkin import (
    CheckinAction,
    CheckinMatch,
    CheckinPerson,
    CheckinQuery,
    CheckinSearch,
    CheckinSource,
    CheckinState,
    MissingItem,
    format_date,
    format_day,
)

MAX_RESULTS = 40  # signatures examined if only a few letters are given
MAX_SIGNATURES = 300  # newest signatures of all people found
EXPIRY_WARNING = timedelta(days=7)
DUPLICATE_WINDOW = timedelta(minutes=1)  # a second press within this time counts as the same one
_SIGNED = owner_gettext_lazy("Waiver signed")
_REASON_TEXTS = {
    Reason.EXPIRED: owner_gettext_lazy("Waiver expired on %(date)s"),
    Reason.OUTDATED: owner_gettext_lazy("Signed an older version of the waiver"),
    Reason.OF_AGE: owner_gettext_lazy("Now an adult, must sign for themselves"),
    Reason.VOIDED: owner_gettext_lazy("Waiver voided"),
}


def search_people(account: Account, search: CheckinSearch, day: date) -> list[CheckinMatch]:
    if not search:
        return []
    text = search.email or search.phone or " ".join(search.words)
    rows = signature_search.search_signatures(account, text, limit=MAX_RESULTS, offset=0).page
    people = (CheckinMatch(row.name, row.email if row.is_signer else "") for row in rows)
    # the search also finds people who signed for others but do not attend
    return list(dict.fromkeys(person for person in people if not search.words or search.matches_person(person)))


def signatures_for(account: Account, query: CheckinQuery, day: date) -> list[CheckinPerson]:
    """Return each person's valid signature for each waiver or, if none is valid, the newest one.

    People with the same name but different birth dates are different people.
    """
    rows = account.signatures.filter(waiver__binned_at=None, waiver__archived_at=None)
    # two queries, so that each can use its index
    ids = _newest_ids(rows.filter(person__in=[key[:160] for key in query.keys]))
    ids += _newest_ids(rows.filter(email__in=query.emails)) if query.emails else []
    signed = list(Signature.objects.filter(pk__in=ids).select_related("waiver", "signing").order_by("-pk"))
    since = datetime.combine(day, time.min, account.zone)
    visits = Attendance.objects.filter(
        signature__in=[signature.pk for signature in signed], occurred_at__gte=since
    ).order_by("occurred_at")
    came = dict(visits.values_list("signature_id", "occurred_at")) if signed else {}
    each: dict[tuple[str, date | None], dict[str, list[Signature]]] = {}
    for signature in signed:
        each.setdefault((signature.person, signature.birth_date), {}).setdefault(signature.waiver_id, []).append(
            signature
        )
    return [
        known
        for of_waivers in each.values()
        for known in _person_signatures(
            [(copies[0], waiver_coverage(copies)) for copies in of_waivers.values()], came, account, day
        )
    ]


def _newest_ids(rows: QuerySet[Signature]) -> list[str]:
    return list(rows.order_by("-pk").values_list("pk", flat=True)[:MAX_SIGNATURES])


def _person_signatures(
    signatures: Sequence[tuple[Signature, WaiverCoverage]], arrivals: dict[str, datetime], account: Account, day: date
) -> list[CheckinPerson]:
    is_covered = any(coverage["valid"] for _, coverage in signatures)
    known = [
        _build_person(signature, coverage, arrivals, account, day, is_covered) for signature, coverage in signatures
    ]
    return sorted(known, key=lambda person: person.state is not CheckinState.GOOD)


def _build_person(
    signature: Signature,
    coverage: WaiverCoverage,
    arrivals: dict[str, datetime],
    account: Account,
    day: date,
    is_covered: bool,
) -> CheckinPerson:
    """Build a person for check-in. If another waiver is valid, an ended one is only a warning."""
    at = arrivals.get(coverage["signature_id"])
    ends = datetime.fromisoformat(coverage["expires_at"]) if coverage["expires_at"] else None
    last = (ends - timedelta(microseconds=1)).astimezone(account.zone).date() if ends else None
    if not coverage["valid"]:
        words = _REASON_TEXTS[Reason(coverage["reason"])] % {"date": format_date(last) if last else ""}
        state = CheckinState.SOON if is_covered else CheckinState.BAD
    elif last is not None and last - day < EXPIRY_WARNING:
        words = owner_gettext("Waiver expires %(date)s") % {"date": format_day(last, day)}
        state = CheckinState.SOON
    else:
        words = owner_gettext("Waiver valid until %(date)s") % {"date": format_date(last)} if last else _SIGNED
        state = CheckinState.GOOD
    signer = "" if signature.is_signer else owner_gettext("signed by %(name)s") % {"name": signature.signing.name}
    born = owner_gettext("born %(year)s") % {"year": signature.birth_date.year} if signature.birth_date else ""
    if at:
        time_text = f"{at.astimezone(account.zone):%H:%M}"
        words = owner_gettext("%(state)s, checked in at %(time)s") % {"state": words, "time": time_text}
    return CheckinPerson(
        person=CheckinMatch(signature.name, signature.email if signature.is_signer else ""),
        state=state,
        words=str(words),
        page=f"/app/waiver/{signature.waiver_id}/signatures/{coverage['signature_id']}",
        more=" · ".join(part for part in (coverage["title"], born, signer) if part),
        flags=[f"{flagged_answer['label']}: {flagged_answer['answer']}" for flagged_answer in coverage["flagged"]],
        act="in" if coverage["valid"] and not at else "",
        id=coverage["signature_id"],
    )


def _find_missing(account: Account, day: date) -> MissingItem | None:
    """Return a link to sign a waiver that accepts signatures, or None."""
    rows = account.waivers.filter(binned_at=None, archived_at=None, accepting=True)
    waiver = rows.select_related("publication").order_by("pk").first()
    return (
        MissingItem(owner_gettext("No waiver"), f"{waiver.public_url}/sign", owner_gettext("Sign now"))
        if waiver
        else None
    )


def _checkin_arguments(account: Account, id: str) -> dict[str, Any]:
    """Return the tool's arguments.

    Raise NotFoundError if there is no such signature, and OperationNotAllowedError if the person has just checked in.
    """
    if not account.signatures.filter(pk=id).exists():
        raise NotFoundError(messages.SIGNATURE_NOT_FOUND)
    if Attendance.objects.filter(
        account=account, signature=id, occurred_at__gte=clock.now() - DUPLICATE_WINDOW
    ).exists():
        raise OperationNotAllowedError(messages.ALREADY_CHECKED_IN)
    return {"signature_id": id}


CHECKIN_SOURCE = CheckinSource(
    search_people=search_people,
    people_for=signatures_for,
    find_missing=_find_missing,
    actions=[
        CheckinAction(
            name="in",
            label=owner_gettext_lazy("Check in"),
            tool=record_visit,
            arguments=_checkin_arguments,
            done_message=owner_gettext_lazy("Checked in."),
        )
    ],
)
