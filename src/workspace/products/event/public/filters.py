"""What a guest looks for in a program, where no script runs. `static/event/list.js` does the same on the phone."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import QueryDict

from workspace.lib.text import fold

LONGEST = 80  # characters of what is looked for


@dataclass(frozen=True, slots=True)
class Wishes:
    """`room` is an id, `track` a name, `day` a date; empty for any."""

    text: str = ""
    room: str = ""
    track: str = ""
    day: str = ""

    @classmethod
    def of(cls, query: QueryDict) -> Wishes:
        """From `?q=glass&room=…&track=…&day=2026-05-15`."""
        text = " ".join(query.get("q", "")[:LONGEST].split())
        return cls(text, *(query.get(name, "")[:LONGEST].strip() for name in ("room", "track", "day")))

    def __bool__(self) -> bool:
        return bool(self.text or self.room or self.track or self.day)

    def finds(self, *texts: str) -> bool:
        """Whether every word that is looked for is in one of the texts, whatever its accents."""
        if not self.text:
            return True
        found = fold(" ".join(texts))
        return all(word in found for word in fold(self.text).split())
