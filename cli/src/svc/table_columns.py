"""The columns of a table and their widths. They are chosen by their values, because no tool is known by name here.

The most important columns come first: a name, the id that the next command needs, the destination, counts, the item's
own URL, its state. They are followed by others that fit, with the id last. A column is omitted before it becomes too
narrow to read.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

COLUMN_GAP = 2
MIN_TEXT_WIDTH, MIN_ADDRESS_WIDTH, COMFORTABLE_WIDTH = 16, 24, 40
MAX_COUNT_COLUMNS = 3
_LABELS = ("name", "title", "label")
_STATES = ("state", "status")
_UNCUT_NAMES = (*_STATES, "slug", "id", "at")

Row = Mapping[str, Any]


class Columns:
    """The columns of some rows: `core` are the most important, and `rest` are the others, both sorted by importance.

    URLs that only repeat another one (its SVG, its uppercase form) are in neither.
    """

    def __init__(self, rows: Sequence[Row]) -> None:
        self._rows = rows
        names = list(dict.fromkeys(name for row in rows for name in row))
        self._values = {name: [row[name] for row in rows if row.get(name) not in (None, "", [], {})] for name in names}
        filled = [name for name in names if self._values[name]]
        addresses = [name for name in filled if all(map(_is_address, self._values[name]))]
        self._slugs = [name for name in filled if _last_word(name) == "slug"]
        ending = {name for name in addresses if any(self._ends_with(name, slug) for slug in self._slugs)}
        repeated = {name: base for name in addresses for base in addresses if self._repeats(name, base, base in ending)}
        self._own = [name for name in addresses if name not in repeated and name in ending | set(repeated.values())]
        self._ids = [name for name in names if name == "id"]
        # Only some rows have a picture, but all have a destination.
        targets = [
            name
            for name in addresses
            if name not in repeated and name not in self._own and len(self._values[name]) == len(rows)
        ]
        labels = sorted(filter(self._is_label, filled), key=_label_rank)
        if not labels:  # a day, a field: the first column names the row
            labels = [name for name in names if name not in (*self._ids, *repeated)][:1]
        counts = [name for name in filled if all(map(_is_count, self._values[name]))]
        states = [name for name in filled if _last_word(name) in _STATES]
        # the id before the others, because the next command needs it, whatever else fits
        core = [
            *labels[:1],
            *self._ids,
            *labels,
            *targets[:1],
            *counts[:MAX_COUNT_COLUMNS],
            *self._own,
            *self._slugs,
            *states,
        ]
        self.core = list(dict.fromkeys(core))
        rest = [name for name in names if name not in self.core and name not in repeated]
        self.rest = sorted(rest, key=self._drop_rank)

    def fit_widths(self, natural: Mapping[str, int], width: int | None) -> dict[str, int]:
        """Return the widths of the columns that fit, in order. There is at least one, however narrow the terminal is.

        `natural` are the widths without truncation. `width` is the terminal's width, or None if there is no limit.
        """
        if width is None:
            return self._sort_columns(
                {name: natural[name] for name in [*self.core, *self.rest] if not self._is_repeated_slug(name, natural)}
            )
        sizes: dict[str, int] = {}
        for name in self.core:
            if self._min_width(name, natural[name]) <= _remaining_width(sizes, width) and not self._is_repeated_slug(
                name, sizes
            ):
                sizes[name] = self._min_width(name, natural[name])
        widen_columns(
            sizes, {name: min(natural[name], max(COMFORTABLE_WIDTH, size)) for name, size in sizes.items()}, width
        )
        for name in self.rest:
            if self._values[name] and self._min_width(name, natural[name]) <= _remaining_width(sizes, width):
                sizes[name] = self._min_width(name, natural[name])
        widen_columns(sizes, natural, width)
        return self._sort_columns(sizes or {self.core[0]: width})

    def _is_repeated_slug(self, name: str, shown: Mapping[str, int]) -> bool:
        """Return whether the URL that ends with this slug is already shown."""
        return name in self._slugs and any(address in shown for address in self._own)

    def _sort_columns(self, sizes: Mapping[str, int]) -> dict[str, int]:
        order = [name for name in [*self.core, *self.rest] if name not in self._ids] + self._ids
        return {name: sizes[name] for name in order if name in sizes}

    def _min_width(self, name: str, natural: int) -> int:
        """Return the minimum width.

        Prose and URLs can be truncated, but other values are useless if they are incomplete.
        """
        values = self._values[name]
        if (
            _last_word(name) in _UNCUT_NAMES
            or name in self._own
            or all(isinstance(value, (int, float)) for value in values)
        ):
            return natural
        return min(natural, MIN_ADDRESS_WIDTH if all(map(_is_address, values)) else MIN_TEXT_WIDTH)

    def _is_label(self, name: str) -> bool:
        texts = all(isinstance(value, str) for value in self._values[name])
        return _last_word(name) in _LABELS and texts and not self._is_sparse(name)

    def _is_sparse(self, name: str) -> bool:
        return 2 * len(self._values[name]) < len(self._rows)

    def _drop_rank(self, name: str) -> int:
        """Return 0 for informative columns, 1 for flags, times and ids of other rows, 2 for mostly empty ones."""
        if self._is_sparse(name):
            return 2
        return int(_last_word(name) in ("id", "at") or all(isinstance(value, bool) for value in self._values[name]))

    def _ends_with(self, address: str, slug: str) -> bool:
        pairs = [(str(row.get(address)), str(row.get(slug))) for row in self._rows]
        return all(whole.casefold().endswith("/" + end.casefold()) for whole, end in pairs)

    def _repeats(self, name: str, base: str, base_is_own: bool) -> bool:
        """Return whether `name` repeats `base` in every row.

        It may be `base` in uppercase, with a file extension (.svg), or a path below a row's own URL.
        """

        def repeats(text: str, other: str) -> bool:
            if not other or not text.casefold().startswith(other.casefold()):
                return False
            tail = text[len(other) :]
            if not tail:
                return sum(map(str.islower, text)) < sum(map(str.islower, other))
            return bool(re.fullmatch(r"\.\w{2,4}", tail)) or (base_is_own and tail[0] in "/?")

        return all(repeats(str(row[name]), str(row.get(base) or "")) for row in self._rows if row.get(name))


def _remaining_width(sizes: Mapping[str, int], width: int) -> int:
    """Return the width left for another column."""
    return width - sum(sizes.values()) - COLUMN_GAP * len(sizes)


def widen_columns(sizes: dict[str, int], most: Mapping[str, int], width: int) -> None:
    """Give the remaining width to the narrowest columns that need more, until it is used up."""
    for _ in range(_remaining_width(sizes, width) + COLUMN_GAP):
        wanting = [name for name in sizes if sizes[name] < most[name]]
        if not wanting:
            return
        sizes[min(wanting, key=lambda name: sizes[name])] += 1


def _is_address(value: Any) -> bool:
    return isinstance(value, str) and value[:8].casefold().startswith(("http://", "https://"))


def _is_count(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _last_word(name: str) -> str:
    return name.rpartition("_")[2].casefold()


def _label_rank(name: str) -> tuple[int, bool]:
    """Return a sort key: `name` before `full_name` before `title` before `page_title`."""
    return _LABELS.index(_last_word(name)), "_" in name
