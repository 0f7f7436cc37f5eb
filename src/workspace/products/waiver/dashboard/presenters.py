"""A signature as owners see it: its state as a color and in words."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.utils.formats import date_format

from workspace.dashboard.item_presenters import parse_time
from workspace.products.waiver.dashboard.item_layout import LAYOUT

REASON_BADGES = {
    "valid": ("Valid", "good"),
    "expired": ("Ended", "wait"),
    "outdated": ("Signed an older text", "wait"),
    "of_age": ("Of age now", "wait"),
    "voided": ("Voided", "bad"),
}
BADGE_ICONS = {"good": "check", "wait": "warning", "bad": "close"}


def present_signature(row: Mapping[str, Any], zone: ZoneInfo) -> dict[str, Any]:
    """Return the signature for a template. `state_text` explains its state in a sentence."""
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
    """Return the state of a signature as a sentence, with the last day on which it is valid."""
    ends = parse_time(row["expires_at"])
    last = date_format((ends - timedelta(microseconds=1)).astimezone(zone), "j M Y") if ends else ""
    return {
        "valid": f"Covered until {last}" if last else "Covered, without end",
        "expired": f"Ended on {last}: has to sign again",
        "outdated": "The text has changed since: has to sign again",
        "of_age": "Of age by now: has to sign alone",
        "voided": "Voided: does not count",
    }[str(row["reason"])]
