"""The text of every answer contains what its data contains.

A reader of the text alone misses no price, link, id or state.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from tests.across.samples import SAMPLES
from workspace.testing.api import Api

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

# Values that need not be in the text: times of creation, the account's time zone, positions that the order shows.
UNTOLD = {"created_at", "updated_at", "position", "time_zone"}
# Values needed only for rendering, and pictures: the text about a single item contains the first URL.
UNTOLD |= {"style", "svg_url"}

_MARKS = re.compile(r"\\(?=[^\w\s]|_)|\*\*")
_TIME = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d")
# a number in a time or an id is not a count
_NOT_FIGURES = re.compile(r"\d{4}-\d\d-\d\d(?:[t ][\d:.]+z?)?|\b[a-z]+_[0-9a-z]{26}\b")


def leaves(node: Any, path: str = "") -> Iterator[tuple[str, str | int | float]]:
    """Yield every meaningful value: not empty, no flag, not zero, and no day without events."""
    if isinstance(node, dict):
        figures = [part for part in node.values() if isinstance(part, int | float) and not isinstance(part, bool)]
        if figures and not any(figures) and not any(isinstance(part, dict | list) for part in node.values()):
            return
        for name, part in node.items():
            if name not in UNTOLD:
                yield from leaves(part, f"{path}.{name}" if path else name)
    elif isinstance(node, list):
        for place, part in enumerate(node):
            yield from leaves(part, f"{path}[{place}]")
    elif not isinstance(node, bool) and node:
        yield path, node


def forms(value: str | int | float) -> list[str]:
    """Return all notations in which the text may contain the value."""
    if isinstance(value, str):
        if not _TIME.match(value):
            return [flat(value)]
        return [flat(value[:16]), flat(value[:16].replace("T", " ")), flat(value[:10])]
    said = {str(value), f"{value:,}", f"{value:,.2f}", f"{value:.2f}"}
    if float(value).is_integer():
        said |= {str(int(value)), f"{int(value):,}"}
    else:
        said |= {f"{value * 100:g} %", f"{value * 100:g}%"}
    return sorted(said)


def flat(text: str) -> str:
    return " ".join(_MARKS.sub("", text).split()).lower()


def unsaid(data: Any, text: str) -> list[tuple[str, str | int | float]]:
    """Return the values of the data that are missing from the text, with their paths."""
    told = flat(text)
    figures = _NOT_FIGURES.sub("", told)
    found = []
    for path, value in leaves(data):
        if isinstance(value, str):
            said = any(form in told for form in forms(value))
        else:
            said = any(re.search(rf"(?<![\d.,]){re.escape(form)}(?![\d]|[.,]\d)", figures) for form in forms(value))
        if not said:
            found.append((path, value))
    return found


@pytest.mark.parametrize("name", list(SAMPLES))
def test_the_text_contains_what_the_data_contains(name: str, furnished: tuple[Api, dict[str, str]]) -> None:
    api, made = furnished
    arguments = SAMPLES[name](made)
    body = api.post("call", {"name": name, "arguments": arguments})[1]
    assert body["ok"], body
    # the arguments, the most frequent state, and information in the tool's name
    known = {"live", *(str(value) for _, value in leaves(arguments))}
    missing = [
        (path, value)
        for path, value in unsaid(body["data"], body["text"])
        if str(value) not in known and str(value) not in name
    ]
    assert not missing, body["text"]
