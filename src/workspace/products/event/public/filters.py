"""Searching and filtering a program without scripts. `static/event/list.js` does the same in the browser."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import QueryDict

from workspace.lib.text import search_key

MAX_QUERY_LENGTH = 80  # characters


@dataclass(frozen=True, slots=True)
class ProgramFilter:
    """A filter for a program. `room` is an id, `track` a name, and `day` a date. Empty means any."""

    text: str = ""
    room: str = ""
    track: str = ""
    day: str = ""

    @classmethod
    def from_query(cls, query: QueryDict) -> ProgramFilter:
        """Parse `?q=glass&room=…&track=…&day=2026-05-15`."""
        text = " ".join(query.get("q", "")[:MAX_QUERY_LENGTH].split())
        return cls(text, *(query.get(name, "")[:MAX_QUERY_LENGTH].strip() for name in ("room", "track", "day")))

    def __bool__(self) -> bool:
        return self.field_count > 0

    @property
    def field_count(self) -> int:
        """The number of filter fields in use."""
        return sum(map(bool, (self.text, self.room, self.track, self.day)))

    def matches_text(self, *texts: str) -> bool:
        """Return whether each search word occurs in at least one of the strings, ignoring accents."""
        if not self.text:
            return True
        text = search_key(" ".join(texts))
        return all(word in text for word in search_key(self.text).split())
