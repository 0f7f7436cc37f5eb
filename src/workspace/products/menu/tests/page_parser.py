"""A parser of guest pages that is independent of the code that renders them."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from typing import Any


class Page(HTMLParser):
    """A parsed page. `dishes`: {name: attributes with `hidden` and all its text}; `json_ld`: the structured data."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.dishes: dict[str, dict[str, Any]] = {}
        self.scripts: list[str] = []
        self.text = ""
        self._dish: dict[str, Any] | None = None
        self._skip = ""
        self._depth = 0
        self.feed(html)

    @property
    def json_ld(self) -> Any:
        return json.loads(self.scripts[0])

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        result = dict(attrs)
        if tag in ("script", "style"):
            self._skip = result.get("type") or tag
        if tag == "li" and "dish" in (result.get("class") or "").split():
            self._dish, self._depth = {**result, "hidden": "hidden" in result, "text": ""}, 0
        elif tag == "li" and self._dish is not None:
            self._depth += 1

    def handle_endtag(self, tag: str) -> None:
        if tag in ("script", "style"):
            self._skip = ""
        if tag == "li" and self._dish is not None:
            if self._depth == 0:
                self._dish["text"] = " ".join(self._dish["text"].split())
                self.dishes[self._dish["text"].split("|")[0].strip()] = self._dish
                self._dish = None
            else:
                self._depth -= 1
        if tag == "h3" and self._dish is not None:
            self._dish["text"] += " | "

    def handle_data(self, data: str) -> None:
        if self._skip == "application/ld+json":
            self.scripts.append(data)
        if self._skip:
            return
        self.text += data
        if self._dish is not None:
            self._dish["text"] += data
