"""A whole page as JSON: what an export holds and an import takes. Pictures travel inside it, made small."""

from __future__ import annotations

import base64
import io
from typing import Annotated, Any, Literal

from PIL import Image
from pydantic import BaseModel, ConfigDict, Field, model_validator

from workspace.accounts.models import Upload
from workspace.accounts.upload_tools import PictureContent
from workspace.products.links.arguments import (
    Bio,
    ButtonTitle,
    ElementKind,
    Icon,
    LiveKind,
    PageTitle,
    Profiles,
    ShareDescription,
    ShareTitle,
    TargetUrl,
    Text,
    Theme,
)
from workspace.products.links.models import MOST_BUTTONS, MOST_OTHERS, Element, Page
from workspace.products.links.themes import DEFAULT
from workspace.storage.redrawing import WIDTHS
from workspace.toolkit import clock
from workspace.toolkit.types import MomentText

AVATAR_SIDE, SHARE_SIDE = 384, 1200


class FileElement(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    kind: ElementKind = "link"
    title: ButtonTitle = ""
    url: TargetUrl | None = None
    icon: Icon = ""
    text: Text | None = None
    live: LiveKind | None = None
    is_on: bool = True
    shows_from: MomentText = ""
    shows_until: MomentText = ""

    @model_validator(mode="after")
    def _whole(self) -> FileElement:
        needed = {"link": "url", "heading": "title", "text": "text", "live": "live"}[self.kind]
        if not getattr(self, needed):
            raise ValueError(f"A {self.kind} needs its {needed}")
        for name in {"url", "text", "live"} - {needed}:
            if getattr(self, name):
                raise ValueError(f"A {self.kind} has no {name}")
        return self


class PageFile(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    format: Literal["link-page"] = "link-page"
    version: Literal[1] = 1
    title: PageTitle
    bio: Bio = ""
    theme: Theme = DEFAULT
    social_profiles: Profiles = []
    share_title: ShareTitle = ""
    share_description: ShareDescription = ""
    elements: Annotated[list[FileElement], Field(max_length=MOST_BUTTONS + MOST_OTHERS)] = []
    avatar: PictureContent | None = None
    share_picture: PictureContent | None = None


def written(page: Page) -> dict[str, Any]:
    """The page as JSON-ready data that PageFile takes; what is empty is left out."""
    found: dict[str, Any] = {"format": "link-page", "version": 1}
    for name in ("title", "bio", "theme", "social_profiles", "share_title", "share_description"):
        if value := getattr(page, name):
            found[name] = value
    found["elements"] = [_written(element) for element in page.elements.all()]
    if page.avatar is not None and (picture := _small(page.avatar, AVATAR_SIDE)):
        found["avatar"] = picture
    if page.share_picture is not None and (picture := _small(page.share_picture, SHARE_SIDE)):
        found["share_picture"] = picture
    return found


def _written(element: Element) -> dict[str, Any]:
    found: dict[str, Any] = {"kind": str(element.kind)}
    for name in ("title", "url", "icon", "text", "live"):
        if value := getattr(element, name):
            found[name] = value
    if not element.is_on:
        found["is_on"] = False
    for name in ("shows_from", "shows_until"):
        if moment := getattr(element, name):
            found[name] = clock.iso(moment)
    return found


def _small(upload: Upload, side: int) -> str:
    """The picture in base64, at most so many pixels a side; empty when its bytes are gone."""
    try:
        content = upload.at(min(width for width in WIDTHS if width >= side))
    except FileNotFoundError:
        return ""
    with Image.open(io.BytesIO(content)) as opened:
        form = opened.format or "PNG"
        opened.thumbnail((side, side), Image.Resampling.LANCZOS)
        out = io.BytesIO()
        opened.save(out, form, **({"quality": 84} if form == "JPEG" else {"optimize": True}))
    return base64.b64encode(out.getvalue()).decode()
