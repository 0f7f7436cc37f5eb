"""The types of the review tools' arguments."""

from __future__ import annotations

import re
from datetime import date
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from pydantic import AfterValidator, BeforeValidator, Field, StringConstraints

from workspace.products.reviews.models.testimonial import RELATIONSHIPS
from workspace.toolkit import clock
from workspace.toolkit.types import Day, Id, Line, Lines
from workspace.toolkit.web_address import clean_web_address

LONGEST_TEXT = 3000
LONGEST_NAME = 80
MOST_TAGS = 10

PageId = Annotated[Id, Field(description="A page's id, as svc_reviews_pages lists them")]
ItemId = Annotated[Id, Field(description="A testimonial's id, as svc_reviews_list lists them")]
StatusName = Literal["pending", "approved", "hidden"]
Action = Literal["approve", "hide", "feature", "unfeature"]
Relationship = Annotated[
    Literal["customer", "gift", "staff", "family", "partner"],
    Field(description="What ties the writer to the business; all but a customer is told beside their words"),
]
assert set(RELATIONSHIPS) == {"customer", "gift", "staff", "family", "partner"}

Title = Annotated[str, Line(100), Field(description="The page's heading, such as: How was your visit?")]
Intro = Annotated[str, Lines(600), Field(description="A few words below the heading; empty for none")]
Question = Annotated[str, Line(140)]
Questions = Annotated[
    list[Question],
    Field(max_length=6, description="Questions that help guests to write; they are shown above the text field"),
]
ConsentText = Annotated[
    str, Lines(800, least=10), Field(description="What guests agree to; each testimonial keeps the words of its day")
]
Disclosure = Annotated[
    str,
    Lines(600),
    Field(description="What readers should know, such as: some guests had a voucher; shown on wall and widget"),
]
Thanks = Annotated[str, Lines(600), Field(description="What everybody reads after sending, whatever their rating")]

Rating = Annotated[int, Field(ge=1, le=5, description="1 to 5 stars")]
Text = Annotated[str, Lines(LONGEST_TEXT, least=1), Field(description="The words, exactly as they were written")]
Name = Annotated[str, Line(LONGEST_NAME), Field(description="Who wrote it, as guests see it")]
Byline = Annotated[str, Line(80, least=0), Field(description="A line below the name: a town, a trade, a company")]
Reply = Annotated[str, Lines(1500), Field(description="The public reply; empty takes it back")]
Excerpt = Annotated[
    str,
    Lines(LONGEST_TEXT),
    Field(description="A part of the text, word for word, to show first; empty shows all of it"),
]
SourceName = Annotated[
    str, Line(60), Field(description="Where the words come from, such as: Google, guest book, e-mail")
]


def _email(text: str) -> str:
    if text:
        try:
            validate_email(text)
        except ValidationError:
            raise ValueError("This is not an e-mail address") from None
    return text


Email = Annotated[
    str,
    StringConstraints(strip_whitespace=True, max_length=254),
    AfterValidator(_email),
    Field(description="For you only: guests never see it"),
]


def _past(day: date) -> date:
    # somewhere on earth it is tomorrow already
    if (day - clock.today()).days > 1:
        raise ValueError("This day is still to come")
    if day.year < 1971:
        raise ValueError("Choose a day after 1970")
    return day


WrittenOn = Annotated[Day, AfterValidator(_past), Field(description="The day it was written, YYYY-MM-DD; else today")]


def clean_tag(text: str) -> str:
    tag = " ".join(text.lower().split())
    if "|" in tag:
        raise ValueError("A tag holds no |")
    return tag


Tag = Annotated[str, Line(30), AfterValidator(clean_tag)]


def _apart(given: Any) -> Any:
    """A text with commas is several tags, as people type them."""
    if not isinstance(given, list) or not all(isinstance(one, str) for one in given):
        return given
    return [tag for one in given for tag in one.split(",") if tag.strip()]


Tags = Annotated[
    list[Tag],
    BeforeValidator(_apart),
    Field(max_length=MOST_TAGS, description="Your own labels, for finding; guests do not see them"),
]


def tags_text(tags: list[str]) -> str:
    """Tags as they are stored."""
    return f"|{'|'.join(dict.fromkeys(tags))}|" if tags else ""


def _host(text: str) -> str:
    """A host with its port where it has one, from whatever the owner pasted."""
    text = text.strip()
    wild = text.startswith("*.")
    parts = urlsplit(clean_web_address(text.removeprefix("*.")))
    host = parts.hostname or ""
    if ":" in host or (wild and re.fullmatch(r"[\d.]+", host)):
        raise ValueError("Give the host's name, such as www.example.com")
    return ("*." if wild else "") + host + (f":{parts.port}" if parts.port else "")


Host = Annotated[str, StringConstraints(min_length=1, max_length=300), AfterValidator(_host)]
Hosts = Annotated[
    list[Host],
    Field(
        max_length=20,
        description="Websites that may show the widget: www.example.com (example.com is another one), *.example.com",
    ),
]


def part_of(text: str, excerpt: str) -> str:
    """The part of the text that the excerpt names, in the text's own spacing. Raises ValueError unless it stands there
    word for word: an excerpt may leave out, it may not change, and it does not cut a word in two."""
    words = excerpt.strip().strip("…").split()
    if not words:
        return ""
    pattern = r"(?<!\w)" if re.match(r"\w", words[0]) else ""
    pattern += r"\s+".join(re.escape(word) for word in words)
    pattern += r"(?!\w)" if re.search(r"\w$", words[-1]) else ""
    found = re.search(pattern, text)
    if found is None:
        raise ValueError("An excerpt is a part of the words, exactly as they stand: copy it from the text")
    return found.group()
