"""The statistics of a form below its views."""

from __future__ import annotations

from typing import Any

from workspace.dashboard.charts import format_number
from workspace.products.form.api.response_stats import FormStats, QuestionStats

_MEASURES = (("mean", "mean"), ("median", "median"), ("nps", "recommended (NPS)"))


def results_context(stats: FormStats) -> dict[str, Any]:
    """Return the context. `has_more` is true if there is something to show, even without counted views."""
    reached = [(one["title"] or f"Page {place}", one["reached"]) for place, one in enumerate(stats["stops"], 1)]
    most = max(stats["starts"], 1)
    return {
        "has_more": bool(stats["looked_at"] or stats["begun"] or stats["starts"]),
        "reached": [_build_bar(*one, 100 * one[1] / most) for one in (*reached, ("Sent", stats["sent_in_days"]))]
        if stats["starts"]
        else [],
        "questions": [_present_question(one) for one in stats["questions"]],
    }


def _present_question(one: QuestionStats) -> dict[str, Any]:
    measured = [(word, one.get(name)) for name, word in _MEASURES]
    return {
        **one,
        "figures": [(word, format_number(abs(value)) if value >= 0 else f"−{format_number(-value)}")
                    for word, value in measured
                    if isinstance(value, (int, float))],
        "options": [_build_bar(option["label"], option["count"], option["percent"])
                    for option in one.get("options", ())],
    }  # fmt: skip


def _build_bar(label: str, count: int, percent: float) -> dict[str, Any]:
    return {"label": label, "count": count, "width": f"{min(percent, 100):.1f}", "part": f"{min(percent, 100):.0f}"}
