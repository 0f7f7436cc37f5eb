"""Serializers of waivers, which all answers use."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django.db.models import Count
from typing_extensions import TypedDict

from workspace.accounts.models import Account
from workspace.delivery import webhooks
from workspace.lib import clock
from workspace.products.waiver.domain.queries import waivers_for
from workspace.products.waiver.models import Waiver
from workspace.products.waiver.rules.definition_input import format_span
from workspace.public_site.embeds import RefusedWebsite, Snippets, build_snippets, list_refused_websites
from workspace.publishing.serializers import (
    ItemSummary,
    ItemUrls,
    item_summary,
    item_urls,
)

EMBED_HEIGHT = 900  # height of a frame that cannot report the height of its content, and scrolls


class WaiverSummary(ItemSummary):
    """A waiver. `public_url` is the signing link."""

    title: str
    accepting: bool
    signed_count: int
    version: int
    required_version: int


class ClauseData(TypedDict):
    key: str
    title: str
    text: str
    initials: bool
    required: bool


class QuestionData(TypedDict):
    key: str
    label: str
    type: str
    required: bool
    help: str
    options: list[str]
    flag: bool | list[str]


class VersionData(TypedDict):
    number: int
    hash: str
    material: bool
    made_at: str
    signed: int


class WaiverDetail(WaiverSummary, ItemUrls, Snippets):
    """A waiver with all details.

    `script` and `iframe` are HTML for the websites in `hosts`. `refused` are websites that tried to show it in the last
    30 days but are not allowed to.
    """

    text: str
    clauses: list[ClauseData]
    questions: list[QuestionData]
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
    versions: list[VersionData]


def waiver_summary(waiver: Waiver) -> WaiverSummary:
    return {
        **item_summary(waiver),
        "title": waiver.title,
        "accepting": waiver.accepting,
        "signed_count": waiver.signed_count,
        "version": waiver.version,
        "required_version": waiver.required_version,
    }


def waiver_detail(waiver: Waiver) -> WaiverDetail:
    return {
        **waiver_summary(waiver),
        **item_urls(waiver),
        **build_snippets(waiver, waiver.title, EMBED_HEIGHT),
        "text": waiver.text,
        "clauses": [_clause_data(clause) for clause in waiver.clauses],
        "questions": [_question_data(question) for question in waiver.questions],
        "valid_for": waiver.valid_for,
        "counts": format_span(waiver.valid_for),
        "age_of_majority": waiver.age_of_majority,
        "minors": waiver.minors,
        "guardian_participates": waiver.guardian_participates,
        "max_minors": waiver.max_minors,
        "signature": waiver.signature,
        "email_required": waiver.email_required,
        "phone_required": waiver.phone_required,
        "marketing_opt_in": waiver.marketing_opt_in,
        "language": waiver.language,
        "remind": waiver.reminders_enabled,
        "kiosk": waiver.kiosk,
        "redirect_url": waiver.redirect_url,
        "webhook_url": webhooks.item_endpoint_url(waiver.account, waiver.pk),
        "hosts": waiver.hosts,
        "refused": list_refused_websites(waiver),
        "archived": waiver.archived_at is not None,
        "versions": list_versions(waiver),
    }


def _clause_data(item: dict[str, Any]) -> ClauseData:
    return {
        "key": item["key"],
        "title": item["title"],
        "text": item["text"],
        "initials": item["initials"],
        "required": item["required"],
    }


def _question_data(item: dict[str, Any]) -> QuestionData:
    return {
        "key": item["key"],
        "label": item["label"],
        "type": item["type"],
        "required": item["required"],
        "help": item["help"],
        "options": item["options"],
        "flag": item.get("flag", False),
    }


def list_versions(waiver: Waiver) -> list[VersionData]:
    """Return the versions, newest first, and the number of signatures of each."""
    counts = dict(waiver.signatures.order_by().values_list("version").annotate(Count("pk")))
    return [
        {
            "number": version.number,
            "hash": version.hash,
            "material": version.material,
            "made_at": clock.to_iso(version.created_at) or "",
            "signed": counts.get(version.number, 0),
        }
        for version in waiver.versions.order_by("-number")
    ]


def summaries_by_id(account: Account, ids: Sequence[str]) -> list[WaiverSummary]:
    """Return the waivers with these ids, in any order."""
    return waiver_summaries(waivers_for.fetch_by_ids(ids, account))


def waiver_summaries(waivers: Iterable[Waiver]) -> list[WaiverSummary]:
    return [waiver_summary(waiver) for waiver in waivers]
