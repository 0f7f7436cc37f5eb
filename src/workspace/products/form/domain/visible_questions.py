"""The questions that the guest of a response saw, determined by the form's version and the date."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from zoneinfo import ZoneInfo

from workspace.products.form.models import Response
from workspace.products.form.rules.definition_fields import list_fields
from workspace.products.form.rules.evaluation import evaluate_form

Definition = Mapping[str, Any]


def count_field_views(
    responses: Iterable[Response], versions: Mapping[int, Definition], zone: ZoneInfo
) -> Counter[str]:
    """Return how many responses viewed each field, by the key of the field.

    Visibility depends on few answers, so each combination of them is evaluated only once.
    """
    counts: Counter[str] = Counter()
    known: dict[tuple[int, str], tuple[str, ...]] = {}
    decisive = {number: sorted(set(_deciding_keys(definition))) for number, definition in versions.items()}
    for response in responses:
        if response.version not in versions:
            continue
        keys = decisive[response.version]
        today = response.created_at.astimezone(zone).date().isoformat() if keys else ""
        text = json.dumps([today, *(response.answers.get(key) for key in keys)])
        if (response.version, text) not in known:
            outcome = evaluate_form(versions[response.version], response.answers, today or "2000-01-01")
            known[response.version, text] = tuple(outcome.visible)
        counts.update(known[response.version, text])
    return counts


def _deciding_keys(definition: Definition) -> Iterator[str]:
    """Yield the keys of fields whose answers affect other fields or pages."""
    for field in list_fields(definition):
        yield from _referenced_keys(field.get("show_if"))
        yield from _referenced_keys(field.get("tree"))
    for page in definition["pages"]:
        for leap in page.get("next", ()):
            yield from _referenced_keys(leap.get("if"))


def _referenced_keys(part: Any) -> Iterator[str]:
    """Yield the keys in a condition or in the tree of a formula."""
    if isinstance(part, Mapping):
        if "field" in part:
            yield part["field"]
        for inner in (*part.get("all", ()), *part.get("any", ()), part.get("not")):
            yield from _referenced_keys(inner)
    elif isinstance(part, list):
        if part[0] == "ref":
            yield part[1]
        else:
            for inner in part[1:]:
                yield from _referenced_keys(inner)
