"""A map of the pages of a form, with jumps as lines next to them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext

from workspace.products.form.dashboard.condition_text import ConditionWriter
from workspace.products.form.rules.evaluation import END
from workspace.products.form.rules.field_types import NOTHING, answer_family
from workspace.products.form.rules.reachability import PagePaths

MAX_LINES = 6  # side by side; further jumps are only described
LINE_WIDTH = 12  # CSS pixels of a line
# where a line starts at its page and ends at the next, in percent of the page's height
LINE_START, LINE_END = 75, 25


@dataclass(slots=True)
class MapPage:
    """A page on the map, or the end. `lines` are paths in a box that is `width` by 100."""

    key: str
    name: str
    question_count: int = 0
    jumps: list[Mapping[str, Any]] = field(default_factory=list)
    onward: str = ""
    goes_on: bool = False  # continues to the next page
    is_unreachable: bool = False
    has_next: bool = False
    lines: list[str] = field(default_factory=list)
    has_incoming: bool = False  # a line ends here


def build_page_map(
    pages: Sequence[Mapping[str, Any]], page_paths: PagePaths, writer: ConditionWriter
) -> tuple[list[MapPage], int]:
    """Return the pages on the map and the total width of its lines. `pages` are in the format of the tools."""
    next_names = [*list(writer.names.values())[1:], ""]
    stops = [_build_page(page, page_paths, writer, name) for page, name in zip(pages, next_names, strict=True)]
    stops.append(MapPage(END, gettext("Sent")))
    places = {stop.key: place for place, stop in enumerate(stops)}
    ends: list[int] = []  # the end of the last line in each column
    for start, page in enumerate(pages):
        for path in page_paths.jumps[page["key"]]:
            end = places[path.to]
            if not path.is_reachable or end == start + 1:
                continue
            lane = next((lane for lane, last in enumerate(ends) if last < start), len(ends))
            if lane >= MAX_LINES:
                continue
            ends[lane : lane + 1] = [end]
            x = LINE_WIDTH * lane + LINE_WIDTH // 2
            stops[start].lines.append(f"M0 {LINE_START}H{x}V100")
            stops[end].lines.append(f"M{x} 0V{LINE_END}H0")
            stops[end].has_incoming = True
            for between in stops[start + 1 : end]:
                between.lines.append(f"M{x} 0V100")
    return stops, LINE_WIDTH * len(ends)


def _build_page(page: Mapping[str, Any], page_paths: PagePaths, writer: ConditionWriter, next_name: str) -> MapPage:
    key, paths = page["key"], page_paths.jumps[page["key"]]
    goes_on, is_never = key in page_paths.continuing, key in page_paths.unreachable
    return MapPage(
        key,
        writer.names[key],
        question_count=sum(answer_family(field["type"]) != NOTHING for field in page["fields"]),
        jumps=[
            {"text": text, "is_taken": path.is_reachable or is_never}
            for text, path in zip(writer.format_jumps(page), paths, strict=True)
        ],
        onward=_describe_next_page(next_name, has_jumps=bool(paths)) if goes_on else "",
        goes_on=goes_on,
        is_unreachable=is_never,
        has_next=True,
    )


def _describe_next_page(name: str, *, has_jumps: bool) -> str:
    """Describe where people without a jump continue: the next page, or the end if `name` is empty."""
    if not name:
        return gettext("Otherwise, the form is sent") if has_jumps else gettext("Then the form is sent")
    text = gettext("Otherwise, go to “%(page)s”") if has_jumps else gettext("Go to “%(page)s”")
    return text % {"page": name}
