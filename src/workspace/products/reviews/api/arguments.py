"""Argument types of the review tools."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, Field, StringConstraints

from workspace.brand.style import parse_color
from workspace.products.reviews.models.testimonial import RELATIONSHIPS
from workspace.publishing.shared_item_arguments import Hosts, Publishing
from workspace.tools.argument_types import Id, Line, Lines

PageId = Annotated[Id, Field(description="A page's id, as svc_reviews_get lists them")]
StatusName = Annotated[
    Literal["pending", "approved", "hidden"], Field(description="Only these: pending ones wait for a decision")
]
assert set(RELATIONSHIPS) == {"customer", "gift", "staff", "family", "partner"}

Title = Annotated[str, Line(100), Field(description="The page's heading, such as: How was your visit?")]
Intro = Annotated[str, Lines(600), Field(description="A few words below the heading; empty for none")]
Question = Annotated[str, Line(140)]
Questions = Annotated[
    list[Question],
    Field(max_length=6, description="Help guests to write: shown above the text field, all of them anew"),
]
ConsentText = Annotated[
    str, Lines(800, least=10), Field(description="What guests agree to; each testimonial keeps the words of its day")
]
Disclosure = Annotated[
    str,
    Lines(600),
    Field(description="What readers should know, such as: some guests had a voucher; shown on wall and widget"),
]
ThankYou = Annotated[str, Lines(600), Field(description="Read after sending: by everybody, whatever their rating")]


AllConsented = Annotated[
    bool,
    Field(
        description="The same for all that do not say it: needed with csv. Without consent nobody but you reads them, "
        "and they cannot be approved"
    ),
]


Color = Annotated[
    str,
    StringConstraints(max_length=40),
    AfterValidator(parse_color),
    Field(description="The page's own as #rrggbb; of its wall and widget too, empty for the brand's"),
]


Layout = Annotated[
    Literal["grid", "list", "carousel", "badge"],
    Field(
        description="Of the widget: columns, one below the other, a row to swipe, or only the average with a link to "
        "the wall. data-layout in the script line, or ?layout= in the frame's address, says it for one place"
    ),
]


class PageFields(Publishing, total=False):
    """Arguments shared by creating and editing a page."""

    intro: Intro
    questions: Questions
    consent_text: ConsentText
    disclosure: Disclosure
    thank_you: ThankYou
    color: Color
    layout: Layout
    hosts: Hosts


class PageChanges(PageFields, total=False):
    title: Title
