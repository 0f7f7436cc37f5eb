"""The statistics of a form below its views."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext

from workspace.dashboard.charts import format_number
from workspace.owner_translation import owner_gettext_lazy
from workspace.products.form.api.response_stats import FormStats, QuestionStats

_MEASURES = (
    ("mean", owner_gettext_lazy("average")),
    ("median", owner_gettext_lazy("median")),
    ("nps", owner_gettext_lazy("Net Promoter Score")),
)


def results_context(stats: FormStats) -> dict[str, Any]:
    """Return the context. `has_more` is true if there are results to show even if no views were counted."""
    reached = [
        (stop["title"] or gettext("Page %(number)s") % {"number": place}, stop["reached"])
        for place, stop in enumerate(stats["stops"], 1)
    ]
    most = max(stats["starts"], 1)
    return {
        "has_more": bool(stats["looked_at"] or stats["begun"] or stats["starts"]),
        "reached": [
            _build_bar(*item, 100 * item[1] / most) for item in (*reached, (gettext("Sent"), stats["sent_in_days"]))
        ]
        if stats["starts"]
        else [],
        "questions": [_present_question(question) for question in stats["questions"]],
    }


def _present_question(question_stats: QuestionStats) -> dict[str, Any]:
    measured = [(word, question_stats.get(name)) for name, word in _MEASURES]
    return {
        **question_stats,
        "figures": [(word, format_number(abs(value)) if value >= 0 else f"−{format_number(-value)}")
                    for word, value in measured
                    if isinstance(value, (int, float))],
        "options": [_build_bar(option["label"], option["count"], option["percent"])
                    for option in question_stats.get("options", ())],
    }  # fmt: skip


def _build_bar(label: str, count: int, percent: float) -> dict[str, Any]:
    return {"label": label, "count": count, "width": f"{min(percent, 100):.1f}", "part": f"{min(percent, 100):.0f}"}
