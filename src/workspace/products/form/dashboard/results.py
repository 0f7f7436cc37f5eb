"""What the frame's page of results draws of a form below its views."""

from __future__ import annotations

from typing import Any

from workspace.dashboard.charts import Point, number
from workspace.products.form.figures import Question, Stats

_MEASURES = (("mean", "mean"), ("median", "median"), ("nps", "recommended (NPS)"))


def drawn(stats: Stats) -> dict[str, Any]:
    """`has_more`: there is something to see, also while nobody was counted."""
    reached = [Point(one["title"] or f"Page {place}", one["reached"]) for place, one in enumerate(stats["stops"], 1)]
    return {
        "has_more": bool(stats["looked_at"] or stats["begun"] or stats["starts"]),
        "reached": reached if stats["starts"] and len(reached) > 1 else [],
        "questions": [_question(one) for one in stats["questions"]],
    }


def _question(one: Question) -> dict[str, Any]:
    measured = [(word, one.get(name)) for name, word in _MEASURES]
    return {
        **one,
        "figures": [(word, number(abs(value)) if value >= 0 else f"−{number(-value)}") for word, value in measured
                    if isinstance(value, (int, float))],
        "options": [
            {**option, "width": f"{min(option['percent'], 100):.1f}", "part": f"{option['percent']:.0f}"}
            for option in one.get("options", ())
        ],
    }  # fmt: skip
