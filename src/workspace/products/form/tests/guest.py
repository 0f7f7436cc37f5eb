"""A guest whose browser runs no scripts: it submits all controls of a page."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import Any

from django.test import Client


class Sheet(HTMLParser):
    """A form as a browser without scripts sees it. The contents of `template` elements are ignored."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.html, self.action = html, ""
        self.sent: list[tuple[str, str]] = []
        self.visible_names: list[str] = []  # names of visible controls
        self.text = ""
        self._asleep = self._deaf = 0
        self._form, self._lines, self._select, self._last = False, "", "", ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        fields = {name: value or "" for name, value in attrs}
        self._asleep += tag == "template"
        self._deaf += tag in ("script", "style")
        if self._asleep:
            return
        if tag == "form":
            self._form, self.action = True, fields.get("action", "")
        name = fields.get("name", "")
        if tag in ("input", "select", "textarea") and name and fields.get("type") != "hidden":
            self.visible_names.append(name)
        holds = fields.get("type") not in ("radio", "checkbox", "file") or "checked" in fields
        if tag == "input" and name and holds:
            self.sent.append((name, fields.get("value", "")))
        if tag == "select":
            self._select = name
        if tag == "option" and "selected" in fields:
            self.sent.append((self._select, fields["value"]))
        if tag == "textarea":
            self._lines = name

    def handle_endtag(self, tag: str) -> None:
        self._asleep -= tag == "template"
        self._deaf -= tag in ("script", "style")
        if tag == "textarea":
            self._lines = ""

    def handle_data(self, data: str) -> None:
        if self._asleep or self._deaf:
            return
        if self._lines:
            self.sent.append((self._lines, data.removeprefix("\n")))
        else:
            self.text += f" {data.strip()}"


class Guest:
    """A guest who fills in a page and submits the values of all its controls."""

    clock: Any

    def __init__(self, path: str, language: str = "en") -> None:
        self.client = Client(headers={"accept-language": language, "user-agent": "Mozilla/5.0 Firefox/140.0"})
        self.path, self.response = path, self.client.get(path)
        assert self.response.status_code == 200, self.response.content
        self.sheet = Sheet(self.response.content.decode())

    def send(self, *, go: str = "", **answers: Any) -> Sheet:
        data: dict[str, list[Any]] = {}
        for name, value in self.sheet.sent:
            data.setdefault(name, []).append(value)
        for key, value in answers.items():
            name = key if key == "later" else f"f-{key}"
            assert name in self.sheet.visible_names, f"{key} does not stand on the page: {self.sheet.visible_names}"
            data[name] = value if isinstance(value, list) else [value]
        if go:
            data["go"] = [go]
        self.clock.shift(5)
        self.response = self.client.post(self.sheet.action, data)
        if self.response.status_code != 303:
            self.sheet = Sheet(self.response.content.decode())
        return self.sheet

    @property
    def visible_fields(self) -> list[str]:
        return [name.removeprefix("f-") for name in dict.fromkeys(self.sheet.visible_names) if name.startswith("f-")]
