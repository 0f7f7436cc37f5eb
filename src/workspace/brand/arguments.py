"""Types of the brand's arguments. Empty texts and lists mean none, so an edit with them clears the value."""

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
            "One or two brand colors, as #rrggbb. Contrast is adjusted to stay readable. Empty for the default colors."
        ),
    ),
]
ImageId = Annotated[str, Field(max_length=64, description="upload_id from svc_upload_file. Empty for none.")]
Fonts = Annotated[
    Literal["system", "modern", "classic", "warm"],
    Field(
        description=(
            "Font pair for headings and text. modern is Outfit and Figtree, classic is Playfair Display and "
            "Source Sans, warm is Fraunces and Nunito Sans, system loads no fonts."
        )
    ),
]
Corners = Annotated[Literal["sharp", "soft", "round"], Field(description="How round the corners are.")]
Slogan = Annotated[str, Line(160, least=0), Field(description="Tagline below the business name. One line.")]
Address = Annotated[str, Lines(300), Field(description="Street, postal code and city in one text.")]
Phone = Annotated[
    str, Line(40, least=0), AfterValidator(clean_phone), Field(description="Phone number, best with its country code.")
]
OpeningHours = Annotated[Windows, Field(description="Opening hours, as a list of time windows.")]
Languages = Annotated[
    list[Language],
    Field(
        max_length=10,
        description=(
            "Languages of your guests, the main one first, as codes. Used for default texts and posters. "
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
            "Id of a QR code whose design all other codes use. Codes with their own design keep it. Empty "
            "for the brand's design."
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
    Field(description="Type of business. Empty for none."),
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
