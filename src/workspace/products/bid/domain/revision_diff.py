"""Descriptions of the differences between two revisions, for the client's email and page."""

from __future__ import annotations

from typing import Any

from django.utils import translation
from django.utils.translation import gettext

from workspace.products.bid.models import EventKind, Proposal, Revision
from workspace.products.bid.rules.offer import load_offer
from workspace.products.bid.rules.totals import compute_totals
from workspace.publishing.language import format_amount

MAX_CHANGES = 12
TAX_FIELDS = ("tax_rate", "tax_label", "tax_inclusive")


def describe_unsent_changes(proposal: Proposal) -> list[str]:
    """Return the differences from the revision last emailed to the client, in their language.

    The list is empty for the first email.
    """
    last = proposal.events.filter(kind=EventKind.MAILED).order_by("-created_at", "-id").first()
    if last is None or last.revision == proposal.revision:
        return []
    return describe_changes(proposal, last.revision, proposal.revision, proposal.language)


def describe_changes(proposal: Proposal, first: int, second: int, language: str) -> list[str]:
    """Return the differences, one line each. The list is empty if either revision does not exist."""
    result = {
        revision.number: revision for revision in Revision.objects.filter(proposal=proposal, number__in=[first, second])
    }
    if len(result) < 2:
        return []
    with translation.override(language):
        lines = _format_changes(result[first].content, result[second].content, language)
    return lines[:MAX_CHANGES]


def _format_changes(before: dict[str, Any], now: dict[str, Any], language: str) -> list[str]:
    lines: list[str] = []
    for name, words in (("line_items", gettext("Line")), ("packages", gettext("Package"))):
        lines += _format_item_changes(before[name], now[name], words)
    data = {
        "title": gettext("The title changed"),
        "intro": gettext("The introduction changed"),
        "image_id": gettext("The image changed"),
        "video_url": gettext("The video changed"),
        "discount": gettext("The discount changed"),
        **dict.fromkeys(TAX_FIELDS, gettext("The tax changed")),
        "deposit": gettext("The deposit changed"),
        "notes": gettext("The terms changed"),
        "valid_until": gettext("The expiry date changed"),
    }
    lines += dict.fromkeys(words for name, words in data.items() if before.get(name) != now.get(name))
    sums = [(compute_totals(load_offer(item)).total, item["currency"]) for item in (before, now)]
    if sums[0] != sums[1]:
        shown = [format_amount(total, currency, language) for total, currency in sums]
        lines.append(gettext("Total: %(after)s (was %(before)s)") % {"after": shown[1], "before": shown[0]})
    return lines or [gettext("Small changes")]


def _format_item_changes(before: list[dict[str, Any]], now: list[dict[str, Any]], word: str) -> list[str]:
    was, existing = ({item["id"]: item for item in some} for some in (before, now))
    added = [(gettext("%(what)s added: %(name)s"), item) for id, item in existing.items() if id not in was]
    removed = [(gettext("%(what)s removed: %(name)s"), item) for id, item in was.items() if id not in existing]
    other = [
        (gettext("%(what)s changed: %(name)s"), item) for id, item in existing.items() if id in was and was[id] != item
    ]
    return [words % {"what": word, "name": item["name"]} for words, item in (*added, *other, *removed)]
