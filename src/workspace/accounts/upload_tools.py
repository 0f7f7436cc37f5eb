"""Sending a picture as a tool, for agents; programs send larger ones to `POST /api/v1/upload`."""

from __future__ import annotations

import base64
import binascii
from typing import Annotated

from pydantic import AfterValidator, Field, StringConstraints
from typing_extensions import TypedDict

from workspace.accounts.models import Account, Upload
from workspace.accounts.tools import box
from workspace.storage.pictures import Picture, redraw
from workspace.toolkit.answer import Answer

MAX_BASE64 = 1_400_000  # 1 MB of picture


def _picture(text: str) -> Picture:
    if text.startswith("data:"):
        text = text.partition(",")[2]
    try:
        content = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise ValueError("Send the picture's bytes in base64") from None
    return redraw(content)


# Decoded and drawn anew while the arguments are checked, so that no transaction waits for it.
PictureContent = Annotated[
    str,
    StringConstraints(min_length=1, max_length=MAX_BASE64),
    AfterValidator(_picture),
    Field(json_schema_extra={"contentEncoding": "base64"}),
]


class Uploaded(TypedDict):
    upload_id: str
    media_type: str
    width: int
    height: int
    size: int


def uploaded(upload: Upload) -> Answer[Uploaded]:
    data: Uploaded = {
        "upload_id": upload.pk,
        "media_type": upload.media_type,
        "width": upload.width,
        "height": upload.height,
        "size": upload.size,
    }
    text = f"Received a picture of {upload.width} × {upload.height} pixels. Use it within a day as `{upload.pk}`."
    return Answer(data, text)


@box.tool("svc_upload_picture", title="Send a picture")
def upload_picture(account: Account, content: PictureContent) -> Answer[Uploaded]:
    """Send a PNG, JPEG, WebP or GIF picture of up to 1 MB as base64. The answer's upload_id is what other tools take,
    as a logo for instance. The picture is drawn anew, without its metadata."""
    picture: Picture = content  # type: ignore[assignment]  # the validator's product
    return uploaded(Upload.keep(account, picture))
