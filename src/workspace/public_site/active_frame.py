"""Whether a guest's page is being drawn for a frame on somebody's website, and how: what all pages ask while they are
drawn. Which websites may have it stands in `embeds.py`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from urllib.parse import urlencode

from workspace.publishing.locale import current_locale

EMBED_PATH = "/embed"  # behind the address of the thing
THEMES = ("light", "dark", "auto")


@dataclass(frozen=True, slots=True)
class Frame:
    """`theme`: as the website around it is; `auto` is both, as the hour has it."""

    theme: str = THEMES[0]

    @property
    def tone(self) -> str:
        """As a look calls it."""
        return "" if self.theme == "auto" else self.theme

    @property
    def color_scheme(self) -> str:
        return self.tone or "light dark"


_frame: ContextVar[Frame | None] = ContextVar("frame", default=None)


def current_frame() -> Frame | None:
    """The one that is drawn for; None for a page that stands by itself."""
    return _frame.get()


@contextmanager
def use_frame(found: Frame) -> Iterator[None]:
    token = _frame.set(found)
    try:
        yield
    finally:
        _frame.reset(token)


def build_part_url(path: str, part: str = "", **query: str) -> str:
    """The address of a part of the thing at `path` (`/f/SLUG`), in the frame that is drawn for and in the language that
    the guest chose."""
    found = current_frame()
    query |= {"theme": found.theme} if found is not None and found.theme != THEMES[0] else {}
    asked = f"?{urlencode(query)}" if query else ""
    return current_locale().localize_url(f"{path}{'' if found is None else EMBED_PATH}{part}{asked}")
