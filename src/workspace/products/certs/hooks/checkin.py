"""What certificates know of who stands at the door: which they hold, and until when."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta

from django.db.models import Exists, OuterRef

from workspace.accounts.models import Account
from workspace.lib import name_key
from workspace.products.certs.models import Certificate, NameWord, State, whole
from workspace.publishing.checkin import Door, Known, Missing, Person, Sought, Wanted, date_told, day_told
from workspace.publishing.checkin import State as Colour
from workspace.storage.database.prefix_lookup import begins

MOST_FOUND = 40
MOST = 300  # of all people who were found, the newest
MANY = 2000  # names that begin alike: the word that fewer share is looked for first
MOST_TOLD = 3  # of one person
SOON = timedelta(days=30)
_WHY_NOT = {State.EXPIRED: "ended {last}", State.REVOKED: "was revoked"}


def found(account: Account, sought: Sought, day: date) -> list[Person]:
    if not sought or sought.phone:  # a certificate knows no numbers
        return []
    if sought.email:
        rows = account.certificates.filter(begins("email", sought.email)).order_by("email", "-pk")
    else:
        rows = account.certificates.filter(pk__in=_called(account, sought.words))
    held = rows.filter(replaced_by=None).values_list("name", "email")[:MOST_FOUND]
    return list(dict.fromkeys(Person(*row) for row in held))


def _called(account: Account, words: Sequence[str]) -> list[str]:
    """Of those with a word that begins so, in the order of the index, some; of several words the rarest leads."""
    mine = NameWord.objects.filter(account=account)
    begun = [mine.filter(begins("word", word)) for word in words]
    counts = [rows.order_by()[:MANY].count() for rows in begun] if len(begun) > 1 else [0]
    first = counts.index(min(counts))
    lead = begun[first]
    for number, word in enumerate(words):
        if number != first:
            # without the account, which would lead to all words that begin so instead of the few of a certificate
            others = NameWord.objects.filter(begins("word", word), certificate=OuterRef("certificate"))
            lead = lead.filter(Exists(others))
    ids = lead.order_by("word", "-certificate").values_list("certificate", flat=True)[: MOST_FOUND * 2]
    return list(dict.fromkeys(ids))


def of(account: Account, wanted: Wanted, day: date) -> list[Known]:
    """Of each person and subject the one that counts, or else the newest."""
    words = [whole(key) for key in wanted.keys]
    named = NameWord.objects.filter(account=account, word__in=words).order_by("-certificate")
    ids = list(named.values_list("certificate", flat=True)[:MOST])
    if wanted.emails:
        mailed = account.certificates.filter(email__in=wanted.emails).order_by("email", "-pk")
        ids += mailed.values_list("pk", flat=True)[:MOST]
    each: dict[str, dict[tuple[str, str], Certificate]] = {}
    rows = Certificate.objects.filter(pk__in=ids, replaced_by=None).select_related("account").order_by("-pk")
    for one in rows if ids else ():
        theirs = each.setdefault(name_key.key(one.name), {})
        before = theirs.get((one.title, one.course))
        if before is None or (before.state is not State.VALID and one.state is State.VALID):
            theirs[one.title, one.course] = one
    return [known for theirs in each.values() for known in _of_one(list(theirs.values()), day)]


def _of_one(theirs: Sequence[Certificate], day: date) -> list[Known]:
    """An ended one beside one that counts is worth a look, and no more."""
    holds = any(one.state is State.VALID for one in theirs)
    return sorted((_known(one, day, holds) for one in theirs), key=lambda one: list(Colour).index(one.state))[
        :MOST_TOLD
    ]


def _known(one: Certificate, day: date, holds: bool) -> Known:
    last = one.expires_on
    if one.state is not State.VALID:
        told = _WHY_NOT[one.state].format(last=date_told(last) if last else "")
        colour = Colour.SOON if holds else Colour.BAD
    elif last is not None and last - day < SOON:
        told, colour = f"ends {day_told(last, day)}", Colour.SOON
    else:
        told, colour = f"valid until {date_told(last)}" if last else "valid", Colour.GOOD
    return Known(
        person=Person(one.name, one.email),
        state=colour,
        words=f"{one.title} {told}",
        page=f"/app/certs/{one.template_id}/issued/{one.pk}" if one.template_id else "/app/certs",
        more=" · ".join(part for part in (one.course, one.organization) if part),
        id=one.pk,
    )


def _asks(account: Account, day: date) -> Missing | None:
    template = account.cert_templates.filter(binned_at=None).order_by("pk").first()
    return Missing("No certificate", f"/app/certs/{template.pk}/issue", "Issue") if template else None


DOOR = Door(found=found, of=of, asks=_asks)
