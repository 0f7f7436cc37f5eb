"""Types of the brand's arguments. An empty string or list means none, so an edit with one clears the value."""

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
        raise ValueError("Enter a two-letter country code, such as AT")
    return text


Color = Annotated[str, StringConstraints(min_length=1, max_length=40), AfterValidator(parse_color)]
Colors = Annotated[
    list[Color],
    Field(
        max_length=2,
        description=(
            "One or two brand colors, as #rrggbb. Contrast is adjusted so that text stays readable. An empty list "
            "restores the default colors."
        ),
    ),
]
ImageId = Annotated[
    str, Field(max_length=64, description="upload_id of an image, from svc_upload_file. An empty string removes it.")
]
Fonts = Annotated[
    Literal["system", "modern", "classic", "warm"],
    Field(
        description=(
            "Font pair for headings and text. modern uses Outfit and Figtree, classic Playfair Display and Source "
            "Sans, warm Fraunces and Nunito Sans. system loads no fonts."
        )
    ),
]
Corners = Annotated[Literal["sharp", "soft", "round"], Field(description="Roundness of the corners.")]
Slogan = Annotated[str, Line(160, least=0), Field(description="Tagline shown below the business name, on one line.")]
Address = Annotated[str, Lines(300), Field(description="Street, postal code and city in one string.")]
Phone = Annotated[
    str,
    Line(40, least=0),
    AfterValidator(clean_phone),
    Field(description="Phone number, preferably with its country code."),
]
OpeningHours = Annotated[Windows, Field(description="Opening hours, as a list of time windows.")]
Languages = Annotated[
    list[Language],
    Field(
        max_length=10,
        description=(
            "Language codes of your guests, with the main language first. Used for default wording and posters. "
            'Example: ["de", "en"].'
        ),
    ),
    AfterValidator(remove_duplicates),
]
QrStyleSource = Annotated[
    str,
    StringConstraints(strip_whitespace=True, max_length=300),
    Field(
        description=(
            "ID of a QR code. Its design is used for codes without their own design. An empty "
            "string restores the brand's design."
        )
    ),
]
Country = Annotated[
    str,
    StringConstraints(max_length=10),
    AfterValidator(_parse_country),
    Field(description="Country code (ISO 3166-1), such as AT."),
]
Trade = Annotated[
    Literal["cafe", "restaurant", "salon", "studio", "trainer", "freelancer", "events", "shop", "other", ""],
    Field(description="Type of business. An empty string removes it."),
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
