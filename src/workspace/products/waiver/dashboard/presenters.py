"""A signature as owners see it: its state as a color and in words."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.utils.formats import date_format
from django.utils.translation import gettext

from workspace.dashboard.item_presenters import parse_time
from workspace.owner_translation import owner_gettext_lazy
from workspace.products.waiver.dashboard.item_layout import LAYOUT

REASON_BADGES = {
    "valid": (owner_gettext_lazy("Valid"), "good"),
    "expired": (owner_gettext_lazy("Expired"), "wait"),
    "outdated": (owner_gettext_lazy("Outdated text"), "wait"),
    "of_age": (owner_gettext_lazy("Now an adult"), "wait"),
    "voided": (owner_gettext_lazy("Voided"), "bad"),
}
BADGE_ICONS = {"good": "check", "wait": "warning", "bad": "close"}


def present_signature(row: Mapping[str, Any], zone: ZoneInfo) -> dict[str, Any]:
    """Prepare the signature for templates. `state_text` is a sentence that explains its state."""
    badge = REASON_BADGES[row["reason"]]
    return {
        **row,
        "at": parse_time(row["signed_at"]),
        "until": parse_time(row["expires_at"]),
        "badge": badge,
        "mark": BADGE_ICONS[badge[1]],
        "state_text": describe_reason(row, zone),
        "url": f"{LAYOUT.home}/{row['waiver_id']}/signatures/{row['id']}",
        "by": row["signer"] if row["signer"] != row["participant"] else "",
    }


def describe_reason(row: Mapping[str, Any], zone: ZoneInfo) -> str:
    """Describe the state of a signature in a sentence, including its last valid day."""
    ends = parse_time(row["expires_at"])
    last = date_format((ends - timedelta(microseconds=1)).astimezone(zone), "j M Y") if ends else ""
    return {
        "valid": gettext("Valid until %(date)s") % {"date": last} if last else gettext("Valid, no expiry"),
        "expired": gettext("Expired on %(date)s. Must sign again.") % {"date": last},
        "outdated": gettext("The text has changed. Must sign again."),
        "of_age": gettext("Now an adult. Must sign for themselves."),
        "voided": gettext("Voided. No longer valid."),
    }[str(row["reason"])]
