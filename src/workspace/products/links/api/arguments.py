"""Argument types of the link page tools."""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, ValidationInfo, field_validator
from typing_extensions import TypedDict

from workspace.products.links import messages
from workspace.products.links.models import MAX_BUTTONS, MAX_OTHER_ELEMENTS
from workspace.products.links.rules.button_targets import clean_target
from workspace.products.links.rules.element_fields import ElementFields, SavedElement
from workspace.products.links.rules.social_networks import NETWORKS
from workspace.products.links.rules.themes import THEME_NAMES
from workspace.publishing.shared_item_arguments import Publishing
from workspace.tools.argument_types import Id, Line, Lines

MAX_PROFILES = 12


def _check_theme(name: str) -> str:
    if name not in THEME_NAMES:
        raise ValueError(str(messages.NOT_ONE_OF(values=", ".join(THEME_NAMES))))
    return name


def _check_network(key: str) -> str:
    if key not in NETWORKS:
        raise ValueError(str(messages.NOT_ONE_OF(values=", ".join(NETWORKS))))
    return key


PageId = Annotated[Id, Field(description="Link page ID, from svc_links_pages.")]
PageTitle = Annotated[str, Line(80), Field(description="Name at the top of the page.")]
Bio = Annotated[str, Lines(300), Field(description="One or two sentences below the name. An empty string removes it.")]
Theme = Annotated[
    str,
    AfterValidator(_check_theme),
    Field(
        description="Design of the page. Defaults to the brand's design.", json_schema_extra={"enum": list(THEME_NAMES)}
    ),
]
ShareTitle = Annotated[
    str, Line(90, least=0), Field(description="Title in link previews. Defaults to the page's title.")
]
ShareDescription = Annotated[
    str, Line(200, least=0), Field(description="Text in link previews. An empty string restores the page's bio.")
]
ImageId = Annotated[
    str,
    StringConstraints(max_length=64),
    Field(description="upload_id of an image, from svc_upload_file. An empty string removes it."),
]


class Profile(BaseModel):
    """A social profile: a network, and an address or, if the network is known by handles, @handle."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    network: Annotated[
        str,
        AfterValidator(_check_network),
        Field(description="Social network. It determines the icon.", json_schema_extra={"enum": list(NETWORKS)}),
    ]
    url: Annotated[
        str,
        StringConstraints(strip_whitespace=True, min_length=1, max_length=500),
        Field(description="Profile URL, or an @handle if the network uses handles."),
    ]

    @field_validator("url")
    @classmethod
    def _clean_url(cls, url: str, info: ValidationInfo) -> str:
        network = NETWORKS.get(info.data.get("network", ""))
        return clean_profile(network.handle, url) if network else url


def clean_profile(handle: str, text: str) -> str:
    """Return the URL of a profile, built from a handle if one was given. Raise ValueError if it is invalid."""
    if handle.startswith(("mailto:", "tel:")):
        return clean_target(text if ":" in text else handle.format(text))
    name = text.removeprefix("@")
    if handle and re.fullmatch(r"\+?[\w.\-]{1,100}", name) and (text.startswith("@") or "." not in name):
        return clean_target(handle.format(name.lstrip("+") if "wa.me" in handle else name))
    return clean_target(text)


def _dump_profiles(profiles: list[Profile]) -> list[dict[str, str]]:
    """Return the profiles as they are stored."""
    if len({profile.network for profile in profiles}) < len(profiles):
        raise ValueError(str(messages.NETWORK_REPEATED))
    return [profile.model_dump() for profile in profiles]


Profiles = Annotated[
    list[Profile],
    Field(max_length=MAX_PROFILES, description="Social profiles shown as icons, in order. Replaces the whole list."),
    AfterValidator(_dump_profiles),
]


class PageFields(TypedDict, total=False):
    """Arguments for creating and editing a page."""

    bio: Bio
    theme: Theme
    social_profiles: Profiles
    avatar_id: Annotated[ImageId, Field(description="upload_id of the picture at the top. An empty string removes it.")]
    share_title: ShareTitle
    share_description: ShareDescription
    share_image_id: Annotated[
        ImageId, Field(description="upload_id of the image in link previews. An empty string removes it.")
    ]


class NewPage(PageFields, Publishing, total=False):
    pass


class PageChanges(PageFields, Publishing, total=False):
    title: PageTitle


NewElements = Annotated[
    list[ElementFields],
    Field(
        max_length=MAX_BUTTONS + MAX_OTHER_ELEMENTS, description="Elements of the page, in order. Up to 100 buttons."
    ),
]
SavedElements = Annotated[
    list[SavedElement],
    Field(max_length=MAX_BUTTONS + MAX_OTHER_ELEMENTS, description="Elements to add (without id) or update (with id)."),
]
RemovedIds = Annotated[
    list[Id],
    Field(
        max_length=MAX_BUTTONS + MAX_OTHER_ELEMENTS, description="IDs of elements to delete. svc_undo restores them."
    ),
]
IdOrder = Annotated[
    list[Id],
    Field(
        max_length=MAX_BUTTONS + MAX_OTHER_ELEMENTS,
        description="Element IDs, in their new order. Other elements follow in their current order.",
    ),
]
