"""Certificates at check-in: which ones a person has, and until when they are valid."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta

from django.db.models import Exists, OuterRef

from workspace.accounts.models import Account
from workspace.lib import name_key
from workspace.owner_translation import owner_gettext, owner_gettext_lazy
from workspace.products.certs.models import Certificate, NameWord, State, full_name_key
from workspace.publishing.checkin import (
    CheckinMatch,
    CheckinPerson,
    CheckinQuery,
    CheckinSearch,
    CheckinSource,
    MissingItem,
    format_date,
    format_day,
)
from workspace.publishing.checkin import CheckinState as Color
from workspace.storage.database.prefix_lookup import starts_with

MAX_RESULTS = 40
MAX_CERTIFICATES = 300  # for all people found, newest first
MAX_COUNTED_WORDS = 2000  # limit for counting names with the same prefix: the search starts with the rarest word
MAX_PER_PERSON = 3  # per person
EXPIRY_WARNING = timedelta(days=30)
_STATE_TEXTS = {
    State.EXPIRED: owner_gettext_lazy("%(title)s expired on %(date)s"),
    State.REVOKED: owner_gettext_lazy("%(title)s revoked"),
}


def search_people(account: Account, search: CheckinSearch, day: date) -> list[CheckinMatch]:
    if not search or search.phone:  # a certificate has no phone number
        return []
    if search.email:
        rows = account.certificates.filter(starts_with("email", search.email)).order_by("email", "-pk")
    else:
        rows = account.certificates.filter(pk__in=_find_ids_by_name(account, search.words))
    certificates = rows.filter(replaced_by=None).values_list("name", "email")[:MAX_RESULTS]
    return list(dict.fromkeys(CheckinMatch(*row) for row in certificates))


def _find_ids_by_name(account: Account, name_prefixes: Sequence[str]) -> list[str]:
    """Return some certificates whose names have words with these prefixes, in index order.

    The rarest word comes first.
    """
    mine = NameWord.objects.filter(account=account)
    started = [mine.filter(starts_with("word", word)) for word in name_prefixes]
    counts = [rows.order_by()[:MAX_COUNTED_WORDS].count() for rows in started] if len(started) > 1 else [0]
    first = counts.index(min(counts))
    lead = started[first]
    for number, word in enumerate(name_prefixes):
        if number != first:
            # without the account, because the query would otherwise read all words with this prefix
            others = NameWord.objects.filter(starts_with("word", word), certificate=OuterRef("certificate"))
            lead = lead.filter(Exists(others))
    ids = lead.order_by("word", "-certificate").values_list("certificate", flat=True)[: MAX_RESULTS * 2]
    return list(dict.fromkeys(ids))


def certificates_for(account: Account, query: CheckinQuery, day: date) -> list[CheckinPerson]:
    """Return each person's valid certificate for each subject or, if none is valid, the newest one."""
    words = [full_name_key(key) for key in query.keys]
    name_words = NameWord.objects.filter(account=account, word__in=words).order_by("-certificate")
    ids = list(name_words.values_list("certificate", flat=True)[:MAX_CERTIFICATES])
    if query.emails:
        mailed = account.certificates.filter(email__in=query.emails).order_by("email", "-pk")
        ids += mailed.values_list("pk", flat=True)[:MAX_CERTIFICATES]
    each: dict[str, dict[tuple[str, str], Certificate]] = {}
    rows = Certificate.objects.filter(pk__in=ids, replaced_by=None).select_related("account").order_by("-pk")
    for row in rows if ids else ():
        by_subject = each.setdefault(name_key.build_key(row.name), {})
        before = by_subject.get((row.title, row.course))
        if before is None or (before.state is not State.VALID and row.state is State.VALID):
            by_subject[row.title, row.course] = row
    return [known for by_subject in each.values() for known in _person_certificates(list(by_subject.values()), day)]


def _person_certificates(person_certificates: Sequence[Certificate], day: date) -> list[CheckinPerson]:
    """Sort a person's certificates. If there is also a valid one, an expired one is only a hint."""
    holds = any(certificate.state is State.VALID for certificate in person_certificates)
    return sorted(
        (_build_person(certificate, day, holds) for certificate in person_certificates),
        key=lambda person: list(Color).index(person.state),
    )[:MAX_PER_PERSON]


def _build_person(certificate: Certificate, day: date, holds: bool) -> CheckinPerson:
    last = certificate.expires_on
    if certificate.state is not State.VALID:
        text, date_text = _STATE_TEXTS[certificate.state], format_date(last) if last else ""
        color = Color.SOON if holds else Color.BAD
    elif last is not None and last - day < EXPIRY_WARNING:
        text, date_text = owner_gettext("%(title)s expires %(date)s"), format_day(last, day)
        color = Color.SOON
    else:
        text = owner_gettext("%(title)s valid until %(date)s") if last else owner_gettext("%(title)s valid")
        date_text, color = format_date(last) if last else "", Color.GOOD
    return CheckinPerson(
        person=CheckinMatch(certificate.name, certificate.email),
        state=color,
        words=text % {"title": certificate.title, "date": date_text},
        page=f"/app/certs/{certificate.template_id}/issued/{certificate.pk}"
        if certificate.template_id
        else "/app/certs",
        more=" · ".join(part for part in (certificate.course, certificate.organization) if part),
        id=certificate.pk,
    )


def _find_missing(account: Account, day: date) -> MissingItem | None:
    template = account.cert_templates.filter(binned_at=None).order_by("pk").first()
    return (
        MissingItem(
            owner_gettext("No certificate"), f"/app/certs/{template.pk}/issue", owner_gettext("Issue certificate")
        )
        if template
        else None
    )


CHECKIN_SOURCE = CheckinSource(search_people=search_people, people_for=certificates_for, find_missing=_find_missing)
