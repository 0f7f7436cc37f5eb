"""What a guest looks for in a program, where no script runs. `static/event/list.js` does the same on the phone."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import QueryDict

from workspace.lib.text import search_key

MAX_QUERY_LENGTH = 80  # characters of what is looked for


@dataclass(frozen=True, slots=True)
class ProgramFilter:
    """`room` is an id, `track` a name, `day` a date; empty for any."""

    text: str = ""
    room: str = ""
    track: str = ""
    day: str = ""

    @classmethod
    def from_query(cls, query: QueryDict) -> ProgramFilter:
        """From `?q=glass&room=…&track=…&day=2026-05-15`."""
        text = " ".join(query.get("q", "")[:MAX_QUERY_LENGTH].split())
        return cls(text, *(query.get(name, "")[:MAX_QUERY_LENGTH].strip() for name in ("room", "track", "day")))

    def __bool__(self) -> bool:
        return bool(self.text or self.room or self.track or self.day)

    def matches_text(self, *texts: str) -> bool:
        """Whether every word that is looked for is in one of the texts, whatever its accents."""
        if not self.text:
            return True
        found = search_key(" ".join(texts))
        return all(word in found for word in search_key(self.text).split())
