"""The tool that uploads an image or a file, for agents. Programs send larger ones to `POST /api/v1/upload`."""

from __future__ import annotations

import base64
import binascii
from dataclasses import dataclass
from typing import Annotated, NotRequired

from django.conf import settings
from pydantic import AfterValidator, Field, StringConstraints
from typing_extensions import TypedDict

from workspace.accounts import messages
from workspace.accounts.account_tools import box
from workspace.accounts.models import Account, Upload
from workspace.accounts.permissions import SHARED
from workspace.lib.errors import InvalidInputError
from workspace.lib.text import escape_markdown
from workspace.storage.files.images import ImageData, normalize_image
from workspace.storage.files.media_types import IMAGE_TYPES, clean_file_name, detect_media_type
from workspace.tools.answer import Answer
from workspace.tools.argument_types import Line

MAX_BASE64_LENGTH = 1_400_000  # for an image of 1 MB


def _decode_base64(text: str) -> bytes:
    if text.startswith("data:"):
        text = text.partition(",")[2]
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise ValueError(messages.NOT_BASE64) from None


@dataclass(frozen=True, slots=True)
class UploadContent:
    """Uploaded content, ready to be stored. An image has been encoded again; other content is unchanged."""

    content: bytes
    picture: ImageData | None


def receive_content(content: bytes) -> UploadContent:
    """Check uploaded content. Checking an image can take seconds, so call it outside of transactions.

    Raise ValueError with a human-readable message if the content is not accepted.
    """
    is_picture = detect_media_type(content) in IMAGE_TYPES
    return UploadContent(content, normalize_image(content) if is_picture else None)


FileContent = Annotated[
    str,
    StringConstraints(min_length=1, max_length=MAX_BASE64_LENGTH),
    AfterValidator(lambda text: receive_content(_decode_base64(text))),
    Field(description="File content, base64-encoded, up to 1 MB.", json_schema_extra={"contentEncoding": "base64"}),
]
FileName = Annotated[
    str,
    Line(200, least=0),
    AfterValidator(lambda name: clean_file_name(name) if name else ""),
    Field(description="File name with its extension, such as menu.pdf. Optional for images."),
]


class UploadedFile(TypedDict):
    upload_id: str
    kind: Annotated[str, Field(description="picture or file.")]
    name: str
    media_type: str
    size: Annotated[int, Field(description="Size in bytes.")]
    width: NotRequired[int]
    height: NotRequired[int]
    url: NotRequired[Annotated[str, Field(description="For files: URL that requires a session or an API key.")]]


def save_upload(account: Account, received: UploadContent, name: str) -> Answer[UploadedFile]:
    """Store an upload and return its answer.

    Raise InvalidInputError if a file has no name or is named like a program, and OperationNotAllowedError if there is
    no space left.
    """
    picture = received.picture
    if picture is None:
        if not name:
            raise InvalidInputError.at_path("name", messages.FILE_NAME_NEEDED)
        try:
            found = detect_media_type(received.content, name)
        except ValueError as problem:
            raise InvalidInputError.at_path("name", str(problem)) from None
        upload = Upload.create_file(account, name, found, received.content)
    else:
        # The sender's name, with the extension of the encoded image.
        stem = name.rpartition(".")[0] or name or "picture"
        name = f"{stem[:100]}.{picture.media_type.partition('/')[2]}"
        upload = Upload.create_image(account, picture, name)
    data: UploadedFile = {
        "upload_id": upload.pk,
        "kind": upload.kind,
        "name": name,
        "media_type": upload.media_type,
        "size": upload.size,
    }
    shape = f"{upload.media_type}, {upload.size} bytes"
    if picture is not None:
        data["width"], data["height"] = picture.width, picture.height
        shape += f", {picture.width} × {picture.height} pixels"
    else:
        data["url"] = f"{settings.BASE_URL}/files/{upload.pk}"
        shape += f", {data['url']}"
    text = f"Uploaded the {upload.kind} {escape_markdown(name)} ({shape})."
    return Answer(data, f"{text} Use it within a day as `{upload.pk}`.")


@box.tool(
    "svc_upload_file",
    title="Upload an image or file",
    about="Upload an image (PNG, JPEG, WebP or GIF) or a file, and get an upload_id for other tools. Image metadata "
    "is removed, and executable files are rejected. Only members of the account can open the file.",
    short="Upload an image or file and get an upload_id for other tools.",
    synonyms="send picture, photo, attach, attachment, logo file, pdf, hochladen, bild, foto, datei, subir, "
    "imagen, archivo, adjuntar",
    area=SHARED,
)
def upload_file(account: Account, content: FileContent, name: FileName = "") -> Answer[UploadedFile]:
    received: UploadContent = content  # type: ignore[assignment]  # returned by the validator
    return save_upload(account, received, name)
