"""The frame of the current guest page. `embeds.py` decides which websites may use it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from urllib.parse import urlencode

from workspace.publishing.locale import current_locale

EMBED_PATH = "/embed"  # suffix of the item's URL
THEMES = ("light", "dark", "auto")


@dataclass(frozen=True, slots=True)
class Frame:
    """A frame on another website. `theme` is that website's; `auto` supports light and dark."""

    theme: str = THEMES[0]

    @property
    def tone(self) -> str:
        """The theme, expressed as a style's tone."""
        return "" if self.theme == "auto" else self.theme

    @property
    def color_scheme(self) -> str:
        return self.tone or "light dark"


_frame: ContextVar[Frame | None] = ContextVar("frame", default=None)


def current_frame() -> Frame | None:
    """Return the frame for which the page is rendered, or None if it is not in a frame."""
    return _frame.get()


@contextmanager
def use_frame(frame: Frame) -> Iterator[None]:
    token = _frame.set(frame)
    try:
        yield
    finally:
        _frame.reset(token)


def build_part_url(path: str, part: str = "", **query: str) -> str:
    """Return the URL of a part of the item at `path` (`/f/SLUG`), with the current frame and chosen language."""
    found = current_frame()
    query |= {"theme": found.theme} if found is not None and found.theme != THEMES[0] else {}
    suffix = f"?{urlencode(query)}" if query else ""
    return current_locale().localize_url(f"{path}{'' if found is None else EMBED_PATH}{part}{suffix}")
