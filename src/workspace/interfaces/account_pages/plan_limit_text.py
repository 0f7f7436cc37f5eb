"""A plan's limits as text, and how much of them is used."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from workspace.accounts import plans

# The noun of each limit, and the texts of each feature when it is on and off. Readable names need no entry.
LIMIT_NAMES = {
    "codes": "QR codes",
    "history_days": "days of analytics",
    "buttons_per_page": "buttons per page",
    "items": "items per menu",
    "sections": "sections per menu",
    "shown": "testimonials shown",
}
MONTHLY_LIMIT_NAMES = {
    "quote": "proposals per month",
    "cert": "certificates per month",
    "form": "responses per month",
    "waiver": "signatures per month",
}
FEATURE_TEXTS = {
    "lead_capture": ("lead form", "no lead form"),
    "click_statistics": ("click counts per button", "no click counts per button"),
    "photos": ("dish photos", "no photos"),
    "made_with": ("“made with” line on the widget", "no “made with” line on the widget"),
    "webhooks": ("webhooks", "no webhooks"),
}


def describe_plan(product: str, plan: str) -> list[str]:
    """Describe the limits of a plan."""
    return [describe_limit(product, name, most) for name, most in plans.describe_limits(product, plan).items()]


def describe_limit(product: str, name: str, limit: Any) -> str:
    """Describe a limit: `50 QR codes`, `unlimited QR codes`, `no photos`."""
    words = _limit_name(product, name)
    if isinstance(limit, bool):
        with_it, without = FEATURE_TEXTS.get(name, (words, f"no {words}"))
        return with_it if limit else without
    if limit is None:
        return f"unlimited {words}"
    return f"{limit:,} {words.removesuffix('s') if limit == 1 else words}"


def describe_usage(product: str, limits: Mapping[str, Any], counts: Mapping[str, int]) -> list[dict[str, Any]]:
    """Return the usage of numeric limits: the count, the maximum, and whether the limit is reached."""
    rows = []
    for name, count in counts.items():
        most = limits.get(name)
        words = _limit_name(product, name).replace(" per month", " this month")
        if isinstance(most, bool) or name not in limits:
            continue
        if (count if most is None else most) == 1:
            words = words.replace("s this month", " this month") if words.endswith("month") else words.removesuffix("s")
        usage_text = f"{count:,} {words}" if most is None else f"{count:,} of {most:,} {words}"
        rows.append({"text": usage_text, "count": count, "most": most, "is_full": most is not None and count >= most})
    return rows


def _limit_name(product: str, name: str) -> str:
    if name == "monthly" and product in MONTHLY_LIMIT_NAMES:
        return MONTHLY_LIMIT_NAMES[product]
    return LIMIT_NAMES.get(name, name.removeprefix("max_").replace("_", " "))
