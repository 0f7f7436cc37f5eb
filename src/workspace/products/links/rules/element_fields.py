"""Types of the fields of an element in arguments."""

from __future__ import annotations

import re
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, StringConstraints, with_config
from typing_extensions import TypedDict

from workspace.products.links.rules.button_targets import MAX_LENGTH, clean_target
from workspace.tools.argument_types import AnyItem, Id, Line, Lines, MomentText


def _check_emoji(text: str) -> str:
    if re.search(r"[A-Za-z<>&\"']", text):
        raise ValueError("Give an emoji, such as ☕")
    return text


ElementId = Annotated[Id, Field(description="The element's id, as svc_links_pages tells it; left out: a new one")]
ButtonTitle = Annotated[str, Line(120, least=0), Field(description="What it says; a button without shows its address")]
TargetUrl = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=MAX_LENGTH),
    AfterValidator(clean_target),
    Field(description="A web address (https:// is added when missing), or mailto:, tel: or sms: with an address"),
]
Icon = Annotated[
    str,
    Line(16, least=0),
    AfterValidator(_check_emoji),
    Field(description="An emoji shown before the title; empty for none"),
]
ButtonImage = Annotated[
    str,
    StringConstraints(max_length=64),
    Field(description="A small picture in place of the emoji, an upload_id of svc_upload_file; empty for none"),
]
Text = Annotated[str, Lines(1000, least=1), Field(description="A paragraph of plain text between the buttons")]
LiveBlockItem = Annotated[
    AnyItem,
    Field(description="Menu or review page of a live block: its id, slug or address"),
]


@with_config(extra="forbid")
class ElementFields(TypedDict, total=False):
    """What stands on a page. Each kind has its own: a button url, title, icon and image_id, a heading title, a text
    text, a live block thing; all may be off or have their time."""

    kind: Annotated[
        Literal["link", "heading", "text", "live"],
        Field(description="link, which is a button, if left out: live shows what another thing has now"),
    ]
    title: ButtonTitle
    url: TargetUrl
    icon: Icon
    image_id: ButtonImage
    text: Text
    thing: LiveBlockItem
    is_on: Annotated[bool, Field(description="false hides it: from guests, whatever its times say")]
    shows_from: Annotated[
        MomentText,
        Field(description="When it begins to show: ISO 8601, in your zone without an offset; empty for at once"),
    ]
    shows_until: Annotated[
        MomentText,
        Field(description="When it stops showing: ISO 8601, in your zone without an offset; empty for never"),
    ]


@with_config(extra="forbid")
class SavedElement(ElementFields, total=False):
    id: ElementId
