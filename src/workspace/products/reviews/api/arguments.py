"""Argument types of the review tools."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, Field, StringConstraints

from workspace.brand.style import parse_color
from workspace.products.reviews.models.testimonial import RELATIONSHIPS
from workspace.publishing.shared_item_arguments import Hosts, Publishing
from workspace.tools.argument_types import Id, Line, Lines

PageId = Annotated[Id, Field(description="Review page ID, from svc_reviews_get.")]
StatusName = Annotated[
    Literal["pending", "approved", "hidden"], Field(description="Only testimonials with this status.")
]
assert set(RELATIONSHIPS) == {"customer", "gift", "staff", "family", "partner"}

Title = Annotated[str, Line(100), Field(description='Heading of the page, such as "How was your visit?"')]
Intro = Annotated[str, Lines(600), Field(description="Text below the heading. An empty string removes it.")]
Question = Annotated[str, Line(140)]
Questions = Annotated[
    list[Question],
    Field(max_length=6, description="Questions above the text field that help authors write. Replaces the whole list."),
]
ConsentText = Annotated[
    str,
    Lines(800, least=10),
    Field(description="Consent text. Existing testimonials keep the text that their authors agreed to."),
]
Disclosure = Annotated[
    str,
    Lines(600),
    Field(description="Disclosure shown on the wall and widget. Example: Some guests received a voucher."),
]
ThankYou = Annotated[str, Lines(600), Field(description="Message shown after submission, for every rating.")]


AllConsented = Annotated[
    bool,
    Field(
        description=(
            "Whether the authors consented. Entries can differ. Required with csv. Without consent, a "
            "testimonial is private and can't be approved."
        )
    ),
]


Color = Annotated[
    str,
    StringConstraints(max_length=40),
    AfterValidator(parse_color),
    Field(description="Color of the page, wall and widget, as #rrggbb. An empty string restores the brand color."),
]


Layout = Annotated[
    Literal["grid", "list", "carousel", "badge"],
    Field(
        description=(
            "Layout of the widget. list has one column, and badge shows the average rating with a link. "
            "data-layout in the script tag or ?layout= in the frame's URL overrides it."
        )
    ),
]


class PageFields(Publishing, total=False):
    """Arguments for creating and editing a page."""

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
