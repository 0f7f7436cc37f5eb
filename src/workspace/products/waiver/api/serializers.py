"""Waivers and signatures as data, the same in every answer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django.db.models import Count, QuerySet
from typing_extensions import TypedDict

from workspace.accounts.models import Account
from workspace.delivery import webhooks
from workspace.lib import clock
from workspace.lib.errors import NotFound
from workspace.products.waiver.models import Waiver, WaiverVersion
from workspace.products.waiver.rules.definition_input import told_span
from workspace.public_site.embeds import RefusedWebsite, Snippets, refused_lately, snippets
from workspace.publishing.serializers import Addresses, PublishedRow, addresses_of, one, published_row, shown

FRAME_HEIGHT = 900  # of one that cannot tell its website how high it is: it scrolls
MISSING = "There is no such waiver or signature: svc_waivers_list and svc_waiver_search show yours"


class WaiverRow(PublishedRow):
    """`public_url` is the signing link."""

    title: str
    accepting: bool
    signed_count: int
    version: int
    required_version: int


class ClauseRow(TypedDict):
    key: str
    title: str
    text: str
    initials: bool
    required: bool


class QuestionRow(TypedDict):
    key: str
    label: str
    type: str
    required: bool
    help: str
    options: list[str]
    flag: bool | list[str]


class VersionRow(TypedDict):
    number: int
    hash: str
    material: bool
    made_at: str
    signed: int


class WaiverWhole(WaiverRow, Addresses, Snippets):
    """`script` and `iframe` are HTML for the websites among `hosts`; `refused` are those that tried in the last 30 days
    and may not."""

    text: str
    clauses: list[ClauseRow]
    questions: list[QuestionRow]
    valid_for: dict[str, Any]
    counts: str
    age_of_majority: int
    minors: str
    guardian_participates: str
    max_minors: int
    signature: str
    email_required: bool
    phone_required: bool
    marketing_opt_in: str
    language: str
    remind: bool
    kiosk: dict[str, Any]
    redirect_url: str
    webhook_url: str
    hosts: list[str]
    refused: list[RefusedWebsite]
    archived: bool
    versions: list[VersionRow]


def waivers_of(account: Account) -> QuerySet[Waiver]:
    return shown(account.waivers.filter(archived_at=None)).select_related("account")


def waiver_of(account: Account, id: str) -> Waiver:
    """Archived ones too. Raises NotFound."""
    return one(shown(account.waivers.all()).select_related("account"), id, MISSING)


def held(account: Account, id: str) -> Waiver:
    """One to write to, held until the write is over. Raises NotFound."""
    Waiver.hold_many([waiver_of(account, id)])
    return waiver_of(account, id)


def waiver_row(waiver: Waiver) -> WaiverRow:
    return {
        **published_row(waiver),
        "title": waiver.title,
        "accepting": waiver.accepting,
        "signed_count": waiver.signed_count,
        "version": waiver.version,
        "required_version": waiver.required_version,
    }


def whole(waiver: Waiver) -> WaiverWhole:
    return {
        **waiver_row(waiver),
        **addresses_of(waiver),
        **snippets(waiver, waiver.title, FRAME_HEIGHT),
        "text": waiver.text,
        "clauses": [_clause(clause) for clause in waiver.clauses],
        "questions": [_question(question) for question in waiver.questions],
        "valid_for": waiver.valid_for,
        "counts": told_span(waiver.valid_for),
        "age_of_majority": waiver.age_of_majority,
        "minors": waiver.minors,
        "guardian_participates": waiver.guardian_participates,
        "max_minors": waiver.max_minors,
        "signature": waiver.signature,
        "email_required": waiver.email_required,
        "phone_required": waiver.phone_required,
        "marketing_opt_in": waiver.marketing_opt_in,
        "language": waiver.language,
        "remind": waiver.remind,
        "kiosk": waiver.kiosk,
        "redirect_url": waiver.redirect_url,
        "webhook_url": webhooks.url_of(waiver.account, waiver.pk),
        "hosts": waiver.hosts,
        "refused": refused_lately(waiver),
        "archived": waiver.archived_at is not None,
        "versions": versions_of(waiver),
    }


def _clause(one: dict[str, Any]) -> ClauseRow:
    return {
        "key": one["key"],
        "title": one["title"],
        "text": one["text"],
        "initials": one["initials"],
        "required": one["required"],
    }


def _question(one: dict[str, Any]) -> QuestionRow:
    return {
        "key": one["key"],
        "label": one["label"],
        "type": one["type"],
        "required": one["required"],
        "help": one["help"],
        "options": one["options"],
        "flag": one.get("flag", False),
    }


def versions_of(waiver: Waiver) -> list[VersionRow]:
    """Newest first, with how many people each covers."""
    counts = dict(waiver.signatures.order_by().values_list("version").annotate(Count("pk")))
    return [
        {
            "number": version.number,
            "hash": version.hash,
            "material": version.material,
            "made_at": clock.iso(version.made_at) or "",
            "signed": counts.get(version.number, 0),
        }
        for version in waiver.versions.order_by("-number")
    ]


def version_of(waiver: Waiver, number: int) -> WaiverVersion:
    """Raises NotFound."""
    found = waiver.versions.filter(number=number).first()
    if found is None:
        raise NotFound(f"This waiver has no version {number}: its versions stand in svc_waiver_get")
    return found


def rows_of(account: Account, ids: Sequence[str]) -> list[WaiverRow]:
    """Waivers by their ids, in whatever order."""
    return wholes_of(waivers_of(account).filter(pk__in=ids))


def wholes_of(waivers: Iterable[Waiver]) -> list[WaiverRow]:
    return [waiver_row(one) for one in waivers]
