"""The elements of a page, for tests: found by tag, class or attribute."""

from __future__ import annotations

from collections.abc import Iterator
from html.parser import HTMLParser

VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}


class Element:
    """An element with its attributes, and the elements and texts inside."""

    def __init__(self, tag: str, attributes: dict[str, str], parent: Element | None) -> None:
        """Create an empty element."""
        self.tag, self.attributes, self.parent = tag, attributes, parent
        self.parts: list[Element | str] = []

    def __getitem__(self, name: str) -> str:
        return self.attributes[name]

    @property
    def text(self) -> str:
        """The text with single spaces."""
        return " ".join("".join(self._texts()).split())

    def _texts(self) -> Iterator[str]:
        for part in self.parts:
            yield from (part,) if isinstance(part, str) else part._texts()

    def walk(self) -> Iterator[Element]:
        """Yield all elements inside, in order."""
        for part in self.parts:
            if isinstance(part, Element):
                yield part
                yield from part.walk()

    def find_all(self, tag: str = "", *classes: str, **attributes: str) -> list[Element]:
        """Return the elements inside. `_` in the name of an attribute stands for `-`."""
        wanted = {name.strip("_").replace("_", "-"): value for name, value in attributes.items()}
        return [
            one
            for one in self.walk()
            if (not tag or one.tag == tag)
            and set(classes) <= set(one.attributes.get("class", "").split())
            and all(one.attributes.get(name) == value for name, value in wanted.items())
        ]


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.root = self.at = Element("", {}, None)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, {name: value or "" for name, value in attrs}, self.at)
        self.at.parts.append(element)
        if tag not in VOID:
            self.at = element

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.at.parts.append(Element(tag, {name: value or "" for name, value in attrs}, self.at))

    def handle_endtag(self, tag: str) -> None:
        found: Element | None = self.at
        while found is not None and found.tag != tag:
            found = found.parent
        if found is not None and found.parent is not None:
            self.at = found.parent

    def handle_data(self, data: str) -> None:
        self.at.parts.append(data)


def read_page(text: str) -> Element:
    """Return the root of a page's elements."""
    reader = _Reader()
    reader.feed(text)
    return reader.root
