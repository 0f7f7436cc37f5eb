"""The types of the link pages' arguments."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Annotated, Literal
from zoneinfo import ZoneInfo

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, ValidationInfo, field_validator

from workspace.products.links.networks import NETWORKS
from workspace.products.links.targets import MAX_LENGTH, clean_target
from workspace.products.links.themes import THEMES
from workspace.toolkit.errors import InvalidInput
from workspace.toolkit.types import Line, Lines

MOST_PROFILES = 12


def _emoji(text: str) -> str:
    if re.search(r"[A-Za-z<>&\"']", text):
        raise ValueError("Give an emoji, such as ☕")
    return text


def _theme(name: str) -> str:
    if name not in THEMES:
        raise ValueError(f"Must be one of {', '.join(THEMES)}")
    return name


def _network(key: str) -> str:
    if key not in NETWORKS:
        raise ValueError(f"Must be one of {', '.join(NETWORKS)}")
    return key


PageTitle = Annotated[str, Line(80), Field(description="The name at the top of the page")]
Bio = Annotated[str, Lines(300), Field(description="A sentence or two below the name; empty for none")]
Theme = Annotated[
    str, AfterValidator(_theme), Field(description="The page's look", json_schema_extra={"enum": list(THEMES)})
]
ShareTitle = Annotated[str, Line(90, least=0), Field(description="Title in link previews; empty for the page's title")]
ShareDescription = Annotated[
    str, Line(200, least=0), Field(description="Text in link previews; empty for the page's bio")
]
PictureId = Annotated[str, StringConstraints(max_length=64), Field(description="An upload_id; empty for none")]

ButtonTitle = Annotated[str, Line(120, least=0), Field(description="What the button says; the address when left out")]
TargetUrl = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=MAX_LENGTH),
    AfterValidator(clean_target),
    Field(description="A web address (https:// is added when missing), or mailto:, tel: or sms: with an address"),
]
Icon = Annotated[
    str, Line(16, least=0), AfterValidator(_emoji), Field(description="An emoji shown before the title; empty for none")
]
HeadingTitle = Annotated[str, Line(120), Field(description="A heading between the buttons")]
Text = Annotated[str, Lines(1000, least=1), Field(description="A paragraph between the buttons")]
LiveKind = Annotated[
    str,
    StringConstraints(pattern=r"^[a-z][a-z-]{0,19}$"),
    Field(description="Which live block; svc_links_live_kinds lists them"),
]


class Profile(BaseModel):
    """A social profile: a network, and an address or, where the network is known by handles, @handle."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    network: Annotated[str, AfterValidator(_network), Field(json_schema_extra={"enum": list(NETWORKS)})]
    url: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=500)]

    @field_validator("url")
    @classmethod
    def _address(cls, url: str, info: ValidationInfo) -> str:
        network = NETWORKS.get(info.data.get("network", ""))
        return clean_profile(network.handle, url) if network else url


def clean_profile(handle: str, text: str) -> str:
    """The address of a profile, made of a handle where one was given. Raises ValueError."""
    if handle.startswith(("mailto:", "tel:")):
        return clean_target(text if ":" in text else handle.format(text))
    name = text.removeprefix("@")
    if handle and re.fullmatch(r"\+?[\w.\-]{1,100}", name) and (text.startswith("@") or "." not in name):
        return clean_target(handle.format(name.lstrip("+") if "wa.me" in handle else name))
    return clean_target(text)


def _once(profiles: list[Profile]) -> list[Profile]:
    if len({profile.network for profile in profiles}) < len(profiles):
        raise ValueError("Give each network once")
    return profiles


Profiles = Annotated[
    list[Profile],
    Field(max_length=MOST_PROFILES, description="Shown as small signs, in this order; replaces the earlier ones"),
    AfterValidator(_once),
]

ElementKind = Literal["link", "heading", "text", "live"]


def edges(since: str, until: str, zone: ZoneInfo, path: str = "") -> tuple[datetime | None, datetime | None]:
    """The two ends of a schedule, in the account's zone where they name none; empty texts are open ends. Raises
    InvalidInput at `shows_until` below the path when it would end before it begins."""
    begin, end = _edge(since, zone), _edge(until, zone)
    check_edges(begin, end, path)
    return begin, end


def check_edges(begin: datetime | None, end: datetime | None, path: str = "") -> None:
    if begin is not None and end is not None and end <= begin:
        raise InvalidInput.at(f"{path}shows_until", "Choose an end that comes after the beginning")


def _edge(text: str, zone: ZoneInfo) -> datetime | None:
    if not text:
        return None
    found = datetime.fromisoformat(text)
    return found.replace(tzinfo=zone) if found.tzinfo is None else found
