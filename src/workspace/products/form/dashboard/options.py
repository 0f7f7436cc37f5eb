"""Options as a text of lines, which people paste: one a line, with what it counts behind a bar."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from workspace.products.form.numbers import number_of

Option = Mapping[str, Any]


def as_lines(options: Sequence[Option]) -> str:
    return "\n".join(
        f"{option['label']} | {option['score']}" if "score" in option else str(option["label"]) for option in options
    )


def from_lines(text: str, present: Sequence[Option] = ()) -> list[dict[str, Any]]:
    """The options that the lines name. One that was there keeps its value, which answers and conditions name: by its
    label, or, where as many are there as before, by its place."""
    told = []
    for line in filter(None, map(str.strip, text.splitlines())):
        label, bar, score = line.rpartition("|")
        counts = bool(bar) and number_of(score.strip()) is not None
        told.append({"label": label.strip(), "score": score.strip()} if counts else {"label": line})
    values = {option["label"]: option["value"] for option in present}
    labels = {one["label"] for one in told}
    for place, one in enumerate(told):
        if one["label"] in values:
            one["value"] = values[one["label"]]
        elif len(told) == len(present) and present[place]["label"] not in labels:
            one["value"] = present[place]["value"]
    return told
