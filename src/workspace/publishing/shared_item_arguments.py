"""Types of the arguments that all published items share, such as slug, password and expiry."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Annotated
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from django.contrib.auth.hashers import make_password
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.utils.translation import gettext
from pydantic import AfterValidator, Field, StringConstraints
from typing_extensions import TypedDict

from workspace.lib import clock
from workspace.lib.errors import InvalidInputError
from workspace.lib.web_address import clean_web_address
from workspace.publishing import messages
from workspace.publishing.slugs import clean_slug
from workspace.tools.argument_types import Id, MomentText


def _validate_slug(text: str) -> str:
    try:
        return clean_slug(text)
    except InvalidInputError as refusal:
        raise ValueError(refusal.issues[0].message) from None


Slug = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=2, max_length=50),
    AfterValidator(_validate_slug),
    Field(description="Last part of the public URL, with a-z, digits and hyphens. Old slugs keep working."),
]


MAX_EMAIL_LENGTH = 254


def clean_email(text: str) -> str:
    """Clean an email address; an empty string is allowed. Raise ValueError if it is invalid."""
    text = text.strip()
    if text:
        try:
            if len(text) > MAX_EMAIL_LENGTH:
                raise ValidationError("")
            validate_email(text)
        except ValidationError:
            raise ValueError(gettext("Enter a valid email address")) from None
    return text


def _hash_password(password: str) -> str:
    return make_password(password) if password else ""


# Hashed while arguments are validated, because hashing is slow by design and no transaction should wait for it.
GuestPassword = Annotated[
    str,
    StringConstraints(max_length=128),
    AfterValidator(_hash_password),
    Field(description="Password that visitors must enter. An empty string removes it."),
]


Live = Annotated[
    bool, Field(description="Whether the page is public. If false, visitors see a notice with your business name.")
]
ExpiresAt = Annotated[
    MomentText,
    Field(
        description=("Expiry time (ISO 8601). Without an offset, your time zone applies. An empty string means never.")
    ),
]


class Publishing(TypedDict, total=False):
    """How an item is published: arguments of create and edit tools in the form that `PublishedItem.edit` accepts."""

    slug: Slug
    live: Live
    password: GuestPassword
    expires_at: ExpiresAt


PUBLISHING_ARGUMENTS = tuple(Publishing.__annotations__)

# An item of any model of the product, since the id identifies the model.
Ids = Annotated[list[Id], Field(min_length=1, max_length=200, description="IDs to delete, up to 200.")]


def parse_local_time(text: str, zone: ZoneInfo) -> datetime:
    """Parse a time. A string without an offset is in the account's time zone."""
    found = datetime.fromisoformat(text)
    return found if found.tzinfo else found.replace(tzinfo=zone)


def parse_future_moment(text: str, zone: ZoneInfo, path: str) -> datetime | None:
    """Parse a time in the future, or return None for an empty string.

    A string without an offset is in the account's time zone. Raise InvalidInputError at the path if the time has
    passed.
    """
    if not text:
        return None
    found = parse_local_time(text, zone)
    if found <= clock.now():
        raise InvalidInputError.at_path(path, messages.TIME_IS_PAST)
    return found


def _clean_host(text: str) -> str:
    """Return the host, with its port if there is one, of any address that the owner pasted."""
    text = text.strip()
    wild = text.startswith("*.")
    parts = urlsplit(clean_web_address(text.removeprefix("*.")))
    host = parts.hostname or ""
    if ":" in host or (wild and re.fullmatch(r"[\d.]+", host)):
        raise ValueError(messages.HOST_INVALID)
    return ("*." if wild else "") + host + (f":{parts.port}" if parts.port else "")


MAX_HOSTS = 20
Host = Annotated[str, StringConstraints(min_length=1, max_length=300), AfterValidator(_clean_host)]
Hosts = Annotated[
    list[Host],
    AfterValidator(lambda hosts: list(dict.fromkeys(hosts))),
    Field(
        max_length=MAX_HOSTS,
        description=(
            "Websites that can embed the page, such as www.example.com. Replaces the whole list. List example.com "
            "and www.example.com separately, or use *.example.com for all subdomains."
        ),
    ),
]


DEFAULT_DAYS = 30
MAX_DAYS = 3660  # ten years: longer than any plan, so that the plan's limit applies and not an error
Days = Annotated[
    int,
    Field(
        ge=1,
        le=MAX_DAYS,
        description="Number of days to include, ending today. Limited by your plan. Defaults to 30.",
    ),
]


def limit_days(days: int | None, max_days: int) -> int:
    """Return how many days the statistics cover: the requested number or else 30, but at most the plan's `max_days`."""
    return min(days or DEFAULT_DAYS, max_days)
