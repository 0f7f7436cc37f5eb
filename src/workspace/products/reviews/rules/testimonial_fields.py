"""Limits of testimonials, and the field types shared by pages, imports and tools."""

from __future__ import annotations

import re
from datetime import date
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field, StringConstraints, with_config
from typing_extensions import TypedDict

from workspace.lib import clock
from workspace.publishing.shared_item_arguments import clean_email
from workspace.tools.argument_types import Day, Id, Line, Lines

MAX_TEXT_LENGTH = 3000
MAX_NAME_LENGTH = 80
MAX_TAGS = 10

ItemId = Annotated[Id, Field(description="A testimonial's id, as svc_reviews_list lists them")]
Action = Annotated[
    Literal["approve", "hide", "feature", "unfeature"],
    Field(description="What to decide: feature approves and pins first, unfeature unpins and leaves it approved"),
]
Relationship = Annotated[
    Literal["customer", "gift", "staff", "family", "partner"],
    Field(description="The writer's tie to you: all but a customer is told beside their words"),
]
Rating = Annotated[int, Field(ge=1, le=5, description="1 to 5 stars")]
Text = Annotated[str, Lines(MAX_TEXT_LENGTH, least=1), Field(description="The words, exactly as they were written")]
Name = Annotated[str, Line(MAX_NAME_LENGTH), Field(description="Who wrote it, as guests see it")]
Byline = Annotated[str, Line(80, least=0), Field(description="A line below the name: a town, a trade, a company")]
Reply = Annotated[str, Lines(1500), Field(description="Your public reply: shown below the words; empty takes it back")]
Excerpt = Annotated[
    str,
    Lines(MAX_TEXT_LENGTH),
    Field(description="A part of text, word for word: shown first, with the rest at hand; empty shows all of it"),
]
SourceName = Annotated[
    str, Line(60, least=0), Field(description="Where the words come from, such as: Google, guest book, e-mail")
]
Email = Annotated[
    str,
    StringConstraints(strip_whitespace=True, max_length=254),
    AfterValidator(clean_email),
    Field(description="For you only: guests never see it"),
]


def _check_not_in_future(day: date) -> date:
    # it may be tomorrow already in another time zone
    if (day - clock.today()).days > 1:
        raise ValueError("This day is still to come")
    if day.year < 1971:
        raise ValueError("Choose a day after 1970")
    return day


WrittenOn = Annotated[
    Day, AfterValidator(_check_not_in_future), Field(description="Day it was written, YYYY-MM-DD; else today")
]


def clean_tag(text: str) -> str:
    tag = " ".join(text.lower().split())
    if "|" in tag:
        raise ValueError("A tag holds no |")
    return tag


Tag = Annotated[str, Line(30), AfterValidator(clean_tag)]


def _split_tags(value: Any) -> Any:
    """Split tags at commas."""
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        return value
    return [tag for item in value for tag in item.split(",") if tag.strip()]


Tags = Annotated[
    list[Tag],
    BeforeValidator(_split_tags),
    Field(max_length=MAX_TAGS, description="Your own labels: for finding, guests do not see them; all of them anew"),
]
AddTags = Annotated[
    list[Tag], BeforeValidator(_split_tags), Field(max_length=MAX_TAGS, description="Labels to add to those it has")
]


def format_tags(tags: list[str]) -> str:
    """Return the tags as they are stored."""
    return f"|{'|'.join(dict.fromkeys(tags))}|" if tags else ""


PhotoId = Annotated[str, Field(max_length=64, description="The writer's photo: an upload_id; empty for none")]
Consented = Annotated[
    bool,
    Field(
        description="Its writer agreed to have it shown: true for what you added, when they did; false takes consent "
        "back, and then only you can read it"
    ),
]


@with_config(extra="forbid")
class SavedTestimonial(TypedDict, total=False):
    """A testimonial to save. Without an id it is a new one, which needs a name and text. What a guest left on the page
    keeps its words: of it tags, excerpt, reply, relationship and action can change, consent and photo be taken away."""

    id: ItemId
    name: Name
    text: Text
    rating: Rating
    source_name: SourceName
    written_on: WrittenOn
    byline: Byline
    email: Email
    relationship: Relationship
    consented: Consented
    tags: Tags
    add_tags: AddTags
    photo_id: PhotoId
    excerpt: Excerpt
    reply: Reply
    action: Action


def find_excerpt(text: str, excerpt: str) -> str:
    """Return the part of the text that equals the excerpt, with the text's own spacing.

    Raise ValueError unless the text contains it word for word. An excerpt may omit text at its ends, but not change it
    or cut a word.
    """
    words = excerpt.strip().strip("…").split()
    if not words:
        return ""
    pattern = r"(?<!\w)" if re.match(r"\w", words[0]) else ""
    pattern += r"\s+".join(re.escape(word) for word in words)
    pattern += r"(?!\w)" if re.search(r"\w$", words[-1]) else ""
    match = re.search(pattern, text)
    if match is None:
        raise ValueError("An excerpt is a part of the words, exactly as they stand: copy it from the text")
    return match.group()
