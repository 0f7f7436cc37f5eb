"""Types of the brand's arguments. An empty text or list means none; an edit with it clears the value."""

from __future__ import annotations

import re
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, StringConstraints
from typing_extensions import TypedDict

from workspace.accounts.arguments import BusinessName
from workspace.brand.style import parse_color
from workspace.lib.languages import remove_duplicates
from workspace.lib.phone_number import clean_phone
from workspace.tools.argument_types import Language, Line, Lines
from workspace.tools.time_windows import Windows

_COUNTRY_PATTERN = re.compile(r"([A-Z]{2})?")


def _parse_country(text: str) -> str:
    text = text.strip().upper()
    if not _COUNTRY_PATTERN.fullmatch(text):
        raise ValueError("Write the country as two letters, such as AT")
    return text


Color = Annotated[str, StringConstraints(min_length=1, max_length=40), AfterValidator(parse_color)]
Colors = Annotated[
    list[Color],
    Field(max_length=2, description="One or two as #rrggbb: any will do, they are made readable; none for ours"),
]
ImageId = Annotated[str, Field(max_length=64, description="An upload_id of svc_upload_file; empty for none")]
Fonts = Annotated[
    Literal["system", "modern", "classic", "warm"],
    Field(
        description="The pair of typefaces: modern is Outfit and Figtree, classic Playfair Display and Source Sans, "
        "warm Fraunces and Nunito Sans, system loads none"
    ),
]
Corners = Annotated[Literal["sharp", "soft", "round"], Field(description="How round corners are")]
Slogan = Annotated[str, Line(160, least=0), Field(description="One line about the business, below its name")]
Address = Annotated[str, Lines(300), Field(description="Street, postcode and town in one text")]
Phone = Annotated[str, Line(40, least=0), AfterValidator(clean_phone), Field(description="Best with its country code")]
OpeningHours = Annotated[Windows, Field(description="When the business is open")]
Languages = Annotated[
    list[Language],
    Field(
        max_length=10,
        description="Those that guests read, the main one first, in which ready-made texts and posters come: de, en",
    ),
    AfterValidator(remove_duplicates),
]
QrStyleSource = Annotated[
    str,
    StringConstraints(strip_whitespace=True, max_length=300),
    Field(description="A QR code of yours: all that have no look of their own take its look; empty for the brand's"),
]
Country = Annotated[
    str, StringConstraints(max_length=10), AfterValidator(_parse_country), Field(description="ISO 3166, such as AT")
]
Trade = Annotated[
    Literal["cafe", "restaurant", "salon", "studio", "trainer", "freelancer", "events", "shop", "other", ""],
    Field(description="What the business does"),
]


class BrandEdit(TypedDict, total=False):
    business_name: BusinessName
    slogan: Slogan
    logo_id: ImageId
    image_id: ImageId
    colors: Colors
    fonts: Fonts
    corners: Corners
    address: Address
    phone: Phone
    hours: OpeningHours
    languages: Languages
    qr_style_from: QrStyleSource
