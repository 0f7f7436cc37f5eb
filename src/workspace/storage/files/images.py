"""Untrusted images: the type is detected from the bytes, and images are re-encoded without metadata.

This runs in a subprocess (`image_worker.py`) with limited memory and time.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from workspace.lib.subprocess_worker.pool import SubprocessError, SubprocessPool
from workspace.storage.files import store
from workspace.storage.files.image_limits import MAX_SIDE, MEGAPIXELS, WIDTHS

MAX_BYTES = 8 * 1024 * 1024
_WORKER_MODULE = "workspace.storage.files.image_worker"
# 24 megapixels need at most 150 MB, and a photo from a phone 40 MB
image_pool = SubprocessPool(0.42, megabytes=170, seconds=10)

_PROBLEMS = {
    "unknown": _("Choose a PNG, JPEG, WebP or GIF image"),
    "pixels": _(
        "This image has more than {most} million pixels (WebP: {most_as_webp} million). Resize it to at most "
        "{side} pixels on the longer side"
    ),
    "unreadable": _("This image can’t be read. It may be damaged. Save it as JPEG and try again"),
    "spent": _("This image takes too long to process. Save it as JPEG, or make it smaller"),
}
_LIMITS = {"most": MEGAPIXELS["JPEG"], "most_as_webp": MEGAPIXELS["WEBP"], "side": f"{MAX_SIDE:,}"}


def _problem_text(name: str) -> str:
    return gettext(_PROBLEMS[name]).format(**_LIMITS)


@dataclass(frozen=True, slots=True)
class ImageData:
    """An image: its `content` in `media_type`, its size in pixels, and versions in all smaller sizes of WIDTHS."""

    content: bytes
    media_type: str
    width: int
    height: int
    narrower: dict[int, bytes] = field(default_factory=dict)


def normalize_image(content: bytes, *, max_size: int = MAX_BYTES) -> ImageData:
    """Re-encode an image: upright, at most 2,000 pixels per side, as PNG if it has transparency and JPEG otherwise.

    Only the first frame of an animation is used. This can take some seconds, so never call it in a transaction. Raise
    ValueError with a human-readable message for anything but a PNG, JPEG, WebP or GIF image within the limits. Raise
    BusyError if too many images are waiting.
    """
    if len(content) > max_size:
        raise ValueError(gettext("The image is too large (max. {most} MB)").format(most=max_size // 1024 // 1024))
    try:
        answer = image_pool.run(_WORKER_MODULE, content)
    except SubprocessError as failed:
        raise ValueError(_problem_text("spent" if failed.is_exhausted else "unreadable")) from None
    return _parse_result(answer)


def normalize_own_image(content: bytes) -> ImageData:
    """Re-encode one of our own images in this process, which is much faster than in a subprocess."""
    from workspace.storage.files import image_worker  # imported late, because it loads Pillow

    return _parse_result(image_worker.handle(content))


def _parse_result(answer: bytes) -> ImageData:
    head, _mark, drawn = answer.partition(b"\n")
    found: dict[str, Any] = json.loads(head)
    if "problem" in found:
        raise ValueError(_problem_text(found["problem"]))
    pictures, start = {}, 0
    for width, size in found["pictures"]:
        pictures[width] = drawn[start : start + size]
        start += size
    whole = pictures.pop(found["width"])
    return ImageData(whole, found["media_type"], found["width"], found["height"], pictures)


def store_image(key: str, picture: ImageData) -> None:
    """Store an image and its smaller versions under a key."""
    store.put(key, picture.content)
    for width, content in picture.narrower.items():
        store.put(_key_for_width(key, width), content)


def load_image(key: str, width: int = MAX_SIDE) -> bytes:
    """Return an image scaled down to one of WIDTHS, or at full size. Raise FileNotFoundError if it is missing."""
    if width in WIDTHS:
        try:
            return store.get(_key_for_width(key, width))
        except FileNotFoundError:
            pass  # it is not wider
    return store.get(key)


def image_url(key: str, width: int) -> str:
    """Return the public URL of an image scaled down to one of WIDTHS. Images are never enlarged."""
    if width not in WIDTHS:
        raise ValueError(f"A picture is shown at one of {WIDTHS}")
    return f"/pictures/{key}/{width}"


def delete_image(key: str) -> None:
    for width in WIDTHS:
        store.delete(_key_for_width(key, width))
    store.delete(key)


def _key_for_width(key: str, width: int) -> str:
    return f"{width}-{key}"  # a prefix, because the last characters of keys select the folder
