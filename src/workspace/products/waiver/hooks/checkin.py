"""What waivers know of who stands at the door: whether they are covered, until when, and whether they came in."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from typing import Any

from django.db.models import QuerySet

from workspace.accounts.models import Account
from workspace.lib import clock
from workspace.lib.errors import NotFound, ToolError
from workspace.products.waiver.api.signature_tools import record_visit
from workspace.products.waiver.domain import signature_search
from workspace.products.waiver.domain.coverage_check import Covered, covered
from workspace.products.waiver.models import Signature, Visit
from workspace.products.waiver.rules.validity import Reason
from workspace.publishing.checkin import Act, Door, Known, Missing, Person, Sought, State, Wanted, date_told, day_told

MOST_FOUND = 40  # signatures that are looked at for a few letters
MOST = 300  # of all people who were found, the newest
SOON = timedelta(days=7)
TWICE = timedelta(minutes=1)  # within it a second press is the same one
_WHY_NOT = {
    Reason.EXPIRED: "Waiver ended {last}",
    Reason.OUTDATED: "Signed an older waiver",
    Reason.OF_AGE: "Of age by now: has to sign alone",
    Reason.VOIDED: "Waiver voided",
}


def found(account: Account, sought: Sought, day: date) -> list[Person]:
    if not sought:
        return []
    text = sought.email or sought.phone or " ".join(sought.words)
    rows = signature_search.search(account, text, limit=MOST_FOUND, offset=0).page
    people = (Person(one.name, one.email if one.is_signer else "") for one in rows)
    # who signed for others is found by the search as well, and does not stand at the door
    return list(dict.fromkeys(person for person in people if not sought.words or sought.fits(person)))


def of(account: Account, wanted: Wanted, day: date) -> list[Known]:
    """Of each person and waiver the copy that counts, or else the newest; of namesakes with other birth dates each."""
    rows = account.signatures.filter(waiver__binned_at=None, waiver__archived_at=None)
    # one after the other, so that each is found by its index
    ids = _newest(rows.filter(person__in=[key[:160] for key in wanted.keys]))
    ids += _newest(rows.filter(email__in=wanted.emails)) if wanted.emails else []
    signed = list(Signature.objects.filter(pk__in=ids).select_related("waiver", "signing").order_by("-pk"))
    since = datetime.combine(day, time.min, account.zone)
    visits = Visit.objects.filter(signature__in=[one.pk for one in signed], at__gte=since).order_by("at")
    came = dict(visits.values_list("signature_id", "at")) if signed else {}
    each: dict[tuple[str, date | None], dict[str, list[Signature]]] = {}
    for one in signed:
        each.setdefault((one.person, one.birth_date), {}).setdefault(one.waiver_id, []).append(one)
    return [
        known
        for of_waivers in each.values()
        for known in _of_one([(copies[0], covered(copies)) for copies in of_waivers.values()], came, account, day)
    ]


def _newest(rows: QuerySet[Signature]) -> list[str]:
    return list(rows.order_by("-pk").values_list("pk", flat=True)[:MOST])


def _of_one(
    theirs: Sequence[tuple[Signature, Covered]], came: dict[str, datetime], account: Account, day: date
) -> list[Known]:
    is_covered = any(told["valid"] for _, told in theirs)
    known = [_known(one, told, came, account, day, is_covered) for one, told in theirs]
    return sorted(known, key=lambda one: one.state is not State.GOOD)


def _known(
    one: Signature, told: Covered, came: dict[str, datetime], account: Account, day: date, is_covered: bool
) -> Known:
    """An ended waiver beside one that counts is worth a look, and no more."""
    at = came.get(told["signature_id"])
    ends = datetime.fromisoformat(told["expires_at"]) if told["expires_at"] else None
    last = (ends - timedelta(microseconds=1)).astimezone(account.zone).date() if ends else None
    if not told["valid"]:
        words = _WHY_NOT[Reason(told["reason"])].format(last=date_told(last) if last else "")
        state = State.SOON if is_covered else State.BAD
    elif last is not None and last - day < SOON:
        words, state = f"Waiver ends {day_told(last, day)}", State.SOON
    else:
        words, state = (f"Waiver until {date_told(last)}" if last else "Waiver signed"), State.GOOD
    signer = "" if one.is_signer else f"signed by {one.signing.name}"
    born = f"born {one.birth_date.year}" if one.birth_date else ""
    came_in = f"came in {at.astimezone(account.zone):%H:%M}" if at else ""
    return Known(
        person=Person(one.name, one.email if one.is_signer else ""),
        state=state,
        words=f"{words}, {came_in}" if came_in else words,
        page=f"/app/waiver/{one.waiver_id}/signatures/{told['signature_id']}",
        more=" · ".join(part for part in (told["title"], born, signer) if part),
        flags=[f"{said['label']}: {said['answer']}" for said in told["flagged"]],
        act="in" if told["valid"] and not at else "",
        id=told["signature_id"],
    )


def _asks(account: Account, day: date) -> Missing | None:
    """A waiver that is signed now, or none."""
    rows = account.waivers.filter(binned_at=None, archived_at=None, accepting=True)
    waiver = rows.select_related("publication").order_by("pk").first()
    return Missing("Waiver missing", f"{waiver.public_url}/sign", "Sign now") if waiver else None


def _comes_in(account: Account, id: str) -> dict[str, Any]:
    """Raises NotFound, and ToolError where they have just come in."""
    if not account.signatures.filter(pk=id).exists():
        raise NotFound("There is no such signature")
    if Visit.objects.filter(account=account, signature=id, at__gte=clock.now() - TWICE).exists():
        raise ToolError("They came in a moment ago")
    return {"signature_id": id}


DOOR = Door(
    found=found,
    of=of,
    asks=_asks,
    acts=[Act(name="in", label="Comes in", tool=record_visit, arguments=_comes_in, told="Came in.")],
)
