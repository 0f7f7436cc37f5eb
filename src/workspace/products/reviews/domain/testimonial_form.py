"""Validating a guest's form with the types of the owner's tools, and reading the photo."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from django.http import HttpRequest
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from pydantic import BaseModel, BeforeValidator

from workspace.lib.errors import BusyError
from workspace.products.reviews.rules.testimonial_fields import Byline, Email, Name, Rating, Relationship, Text
from workspace.public_site.guest_form import GuestForm, SeenWords, require_text
from workspace.storage.files.images import MAX_BYTES, ImageData, normalize_image

STAR_VALUES = ("1", "2", "3", "4", "5")


def _check_stars(typed: Any) -> Any:
    if typed not in STAR_VALUES:
        raise ValueError(gettext("Choose 1 to 5 stars"))
    return typed


class TestimonialInput(BaseModel):
    """The fields of the form. `words` is the consent text as the guest saw it."""

    rating: Annotated[Rating, BeforeValidator(_check_stars)]
    text: Annotated[Text, require_text(_("Write a few words"))]
    name: Annotated[Name, require_text(_("Enter your name or part of it"))]
    byline: Byline = ""
    email: Email = ""
    relationship: Annotated[Relationship, BeforeValidator(lambda typed: typed or "customer")] = "customer"
    consent: Annotated[bool, BeforeValidator(lambda typed: typed == "yes")] = False
    words: SeenWords


REVIEW_FORM = GuestForm("review", TestimonialInput, "reviews/collect.html")


@dataclass(frozen=True, slots=True)
class GuestPhoto:
    """A guest's photo, re-encoded.

    If there is none, `problem` says why, with the HTTP status and the seconds to wait.
    """

    picture: ImageData | None = None
    problem: str = ""
    status: int = 400
    retry_after: str = ""


def read_photo(request: HttpRequest) -> GuestPhoto:
    """Return the uploaded photo, rotated upright, reduced in size and without metadata.

    This is slow, so it must not run inside a transaction.
    """
    file = request.FILES.get("photo")
    if file is None or not file.size:
        return GuestPhoto()
    try:
        if file.size > MAX_BYTES:
            raise ValueError(gettext("The photo is too large (max. {most} MB)").format(most=MAX_BYTES // 1024 // 1024))
        return GuestPhoto(normalize_image(file.read()))
    except ValueError as problem:
        return GuestPhoto(problem=gettext("{problem}. You can skip the photo.").format(problem=problem))
    except BusyError as busy:
        text = gettext("Too many photos are being uploaded right now. Try again in a minute, or skip the photo.")
        return GuestPhoto(problem=text, status=busy.status, retry_after=str(busy.retry_after))
