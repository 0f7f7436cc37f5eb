"""The text of every answer holds what its data holds: who reads the text alone misses no price, link, id or state."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from tests.across.samples import SAMPLES
from workspace.testing.api import Api

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

# What nobody needs to be told: moments of making, the account's own zone, places in an order that the text keeps.
UNTOLD = {"created_at", "updated_at", "position", "time_zone"}
# What a look needs for drawing only, and pictures of which the text of one thing tells the first address.
UNTOLD |= {"style", "svg_url"}

_MARKS = re.compile(r"\\(?=[^\w\s]|_)|\*\*")
_TIME = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d")
# A number in a time or an id says nothing about a count.
_NOT_FIGURES = re.compile(r"\d{4}-\d\d-\d\d(?:[t ][\d:.]+z?)?|\b[a-z]+_[0-9a-z]{26}\b")


def leaves(node: Any, path: str = "") -> Iterator[tuple[str, str | int | float]]:
    """Every value that says something: neither nothing, nor a flag, nor zero, nor a day on which nothing happened."""
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
    """The ways in which a text may say a value."""
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
    """What the data says and the text does not, by its path."""
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
def test_the_text_says_what_the_data_says(name: str, furnished: tuple[Api, dict[str, str]]) -> None:
    api, made = furnished
    arguments = SAMPLES[name](made)
    body = api.post("call", {"name": name, "arguments": arguments})[1]
    assert body["ok"], body
    # what was said, the state that most are in, and what the tool's own name says
    known = {"live", *(str(value) for _, value in leaves(arguments))}
    missing = [
        (path, value)
        for path, value in unsaid(body["data"], body["text"])
        if str(value) not in known and str(value) not in name
    ]
    assert not missing, body["text"]
