"""Types of the fields of an element in arguments."""

from __future__ import annotations

import re
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, StringConstraints, with_config
from typing_extensions import TypedDict

from workspace.products.links import messages
from workspace.products.links.rules.button_targets import MAX_LENGTH, clean_target
from workspace.tools.argument_types import AnyItem, Id, Line, Lines, MomentText


def _check_emoji(text: str) -> str:
    if re.search(r"[A-Za-z<>&\"']", text):
        raise ValueError(str(messages.EMOJI_NEEDED))
    return text


ElementId = Annotated[Id, Field(description="Element ID, from svc_links_pages. Omit it to add a new one.")]
ButtonTitle = Annotated[
    str, Line(120, least=0), Field(description="Title of the element. A button without a title shows its URL.")
]
TargetUrl = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=MAX_LENGTH),
    AfterValidator(clean_target),
    Field(description="Web address, or mailto:, tel: or sms: with an address. https:// is added if missing."),
]
Icon = Annotated[
    str,
    Line(16, least=0),
    AfterValidator(_check_emoji),
    Field(description="Emoji shown before the title. An empty string removes it."),
]
ButtonImage = Annotated[
    str,
    StringConstraints(max_length=64),
    Field(description="upload_id of a thumbnail, shown instead of the emoji. An empty string removes it."),
]
Text = Annotated[str, Lines(1000, least=1), Field(description="Text of the paragraph, without formatting.")]
LiveBlockItem = Annotated[
    AnyItem,
    Field(description="Menu or review page of a live block: ID, slug or URL."),
]


@with_config(extra="forbid")
class ElementFields(TypedDict, total=False):
    """The fields of an element.

    Each kind has its own: a button url, title, icon and image_id; a heading title; a text text; a live block thing. All
    kinds can be switched off or have a schedule.
    """

    kind: Annotated[
        Literal["link", "heading", "text", "live"],
        Field(description="Type of element. link is a button; live shows content of another item. Defaults to link."),
    ]
    title: ButtonTitle
    url: TargetUrl
    icon: Icon
    image_id: ButtonImage
    text: Text
    thing: LiveBlockItem
    is_on: Annotated[bool, Field(description="Whether the element is shown. false hides it regardless of its dates.")]
    shows_from: Annotated[
        MomentText,
        Field(
            description=(
                "When the element appears (ISO 8601). Without an offset, your time zone applies. An empty string means "
                "now."
            )
        ),
    ]
    shows_until: Annotated[
        MomentText,
        Field(
            description=(
                "When the element disappears (ISO 8601). Without an offset, your time zone applies. An empty string "
                "means never."
            )
        ),
    ]


@with_config(extra="forbid")
class SavedElement(ElementFields, total=False):
    id: ElementId
