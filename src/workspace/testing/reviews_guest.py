"""A guest who opens a page in a browser, reads its form, fills it in and submits it."""

from __future__ import annotations

import io
from datetime import timedelta
from html.parser import HTMLParser
from typing import Any

import time_machine
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client
from PIL import Image

from workspace.accounts.models import Account
from workspace.lib import clock
from workspace.products.reviews.models import ReviewPage
from workspace.storage.database.transactions import write_transaction

WORDS = {"rating": "5", "text": "The best cake in town.", "name": "Ida Stern", "consent": "yes"}


class Reader(HTMLParser):
    """A parser of a page's hidden inputs, visible text, and JSON-LD blocks."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.inputs: dict[str, str] = {}
        self.blocks: list[str] = []
        self.texts: list[str] = []
        self.labels: list[str] = []
        self._inside = ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "input" and given.get("type") == "hidden":
            self.inputs[given["name"] or ""] = given.get("value") or ""
        if given.get("aria-label"):
            self.labels.append(given["aria-label"] or "")
        if tag in ("script", "style"):
            self._inside = given.get("type") or tag
            if self._inside == "application/ld+json":
                self.blocks.append("")

    def handle_endtag(self, tag: str) -> None:
        if tag in ("script", "style"):
            self._inside = ""

    def handle_data(self, data: str) -> None:
        if self._inside == "application/ld+json":
            self.blocks[-1] += data
        elif not self._inside:
            self.texts.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.texts).split())


def open_page(account: Account, **fields: Any) -> ReviewPage:
    with write_transaction():
        return ReviewPage.open(account, title=fields.pop("title", "How was your visit?"), **fields)


def read_page(path: str, client: Client | None = None) -> Reader:
    response = (client or Client()).get(path)
    assert response.status_code == 200, response.content
    return Reader(response.content.decode())


def send(page: ReviewPage, *, after: float = 20, client: Client | None = None, **fields: Any) -> HttpResponse:
    """Fill in the form and submit it `after` seconds later. A field that is None is left out."""
    client = client or Client()
    path = f"/r/{page.slug}"
    hidden = read_page(path, client).inputs
    given = {**hidden, **WORDS, **fields}
    with time_machine.travel(clock.now() + timedelta(seconds=after), tick=True):
        return client.post(path, {name: value for name, value in given.items() if value is not None})  # type: ignore[return-value]


def photo(form: str = "JPEG", size: tuple[int, int] = (60, 40), *, exif: bool = True) -> SimpleUploadedFile:
    """Return a photo as a phone sends it: with the location and the owner's name in its metadata."""
    out = io.BytesIO()
    picture = Image.new("RGB", size, "teal")
    extra: dict[str, Any] = {}
    if exif:
        data = Image.Exif()
        data[0x010E] = "SECRET-PLACE"
        extra["exif"] = data.tobytes()
    picture.save(out, form, **extra)
    return SimpleUploadedFile("me.jpg", out.getvalue(), "image/jpeg")
