"""Limits of testimonials, and the field types shared by pages, imports and tools."""

from __future__ import annotations

import re
from datetime import date
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field, StringConstraints, with_config
from typing_extensions import TypedDict

from workspace.lib import clock
from workspace.products.reviews import messages
from workspace.publishing.shared_item_arguments import clean_email
from workspace.tools.argument_types import Day, Id, Line, Lines

MAX_TEXT_LENGTH = 3000
MAX_NAME_LENGTH = 80
MAX_TAGS = 10

ItemId = Annotated[Id, Field(description="Testimonial ID, from svc_reviews_list.")]
Action = Annotated[
    Literal["approve", "hide", "feature", "unfeature"],
    Field(
        description=(
            "Action to take. feature approves the testimonial and pins it to the top; unfeature only unpins it. "
            "Defaults to approve."
        )
    ),
]
Relationship = Annotated[
    Literal["customer", "gift", "staff", "family", "partner"],
    Field(description="Author's relationship to you. Shown next to the text, except for customer."),
]
Rating = Annotated[int, Field(ge=1, le=5, description="Rating from 1 to 5 stars.")]
Text = Annotated[str, Lines(MAX_TEXT_LENGTH, least=1), Field(description="Exact text of the review.")]
Name = Annotated[str, Line(MAX_NAME_LENGTH), Field(description="Author's name, as shown to visitors.")]
Byline = Annotated[str, Line(80, least=0), Field(description="Line below the name, such as a city or company.")]
Reply = Annotated[
    str, Lines(1500), Field(description="Your public reply, shown below the review. An empty string removes it.")
]
Excerpt = Annotated[
    str,
    Lines(MAX_TEXT_LENGTH),
    Field(description="Exact excerpt of text that is shown first. An empty string shows the full text."),
]
SourceName = Annotated[
    str, Line(60, least=0), Field(description="Source of the reviews, such as Google or a guest book.")
]
Email = Annotated[
    str,
    StringConstraints(strip_whitespace=True, max_length=254),
    AfterValidator(clean_email),
    Field(description="Author's email address. It is never public."),
]


def _check_not_in_future(day: date) -> date:
    # it may already be tomorrow in another time zone
    if (day - clock.today()).days > 1:
        raise ValueError(messages.DATE_IN_FUTURE)
    if day.year < 1971:
        raise ValueError(messages.DATE_TOO_EARLY)
    return day


WrittenOn = Annotated[
    Day, AfterValidator(_check_not_in_future), Field(description="Date of the review, YYYY-MM-DD. Defaults to today.")
]


def clean_tag(text: str) -> str:
    tag = " ".join(text.lower().split())
    if "|" in tag:
        raise ValueError(messages.TAG_INVALID)
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
    Field(max_length=MAX_TAGS, description="Internal tags. Replaces the whole list."),
]
AddTags = Annotated[
    list[Tag], BeforeValidator(_split_tags), Field(max_length=MAX_TAGS, description="Tags to add to the existing ones.")
]


def format_tags(tags: list[str]) -> str:
    """Format the tags in their stored form."""
    return f"|{'|'.join(dict.fromkeys(tags))}|" if tags else ""


PhotoId = Annotated[
    str, Field(max_length=64, description="upload_id of the author's photo. An empty string removes it.")
]
Consented = Annotated[
    bool,
    Field(
        description=(
            "Whether the author agreed to publication. false withdraws consent and makes the testimonial private."
        )
    ),
]


@with_config(extra="forbid")
class SavedTestimonial(TypedDict, total=False):
    """A testimonial to save.

    Without an id, it is a new one, which needs a name and a text. If a guest left it on the page, its text cannot
    change: only tags, excerpt, reply, relationship and action can, and consent and photo can be removed.
    """

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
    """Return the part of the text that matches the excerpt, with the spacing of the text.

    Raise ValueError unless the text contains the excerpt word for word. An excerpt may omit text at its ends, but must
    not change the text or cut off words.
    """
    words = excerpt.strip().strip("…").split()
    if not words:
        return ""
    pattern = r"(?<!\w)" if re.match(r"\w", words[0]) else ""
    pattern += r"\s+".join(re.escape(word) for word in words)
    pattern += r"(?!\w)" if re.search(r"\w$", words[-1]) else ""
    match = re.search(pattern, text)
    if match is None:
        raise ValueError(messages.EXCERPT_DIFFERS)
    return match.group()
