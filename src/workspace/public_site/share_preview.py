"""What messengers and networks show of a guests' page: a title, a text, and a picture of 1200 × 630 pixels, made of the
brand and of the thing's own picture.

A product says what its things show, as a `Face`: in its page as `share`, which `sharing(address, face)` makes, and to
`guest_addresses`, from when on the picture is there. Its address holds a mark of all that it shows, so whoever asked
keeps it for ever. It is drawn once for a mark, when it is first asked for, and rests beside the uploads, one for each
publication: asking for others costs nothing.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Callable
from dataclasses import asdict, dataclass

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from workspace.accounts.models import Account
from workspace.accounts.plans import PRODUCTS
from workspace.brand.models import LOGO_WIDTH, Brand
from workspace.brand.style import DAY, Look
from workspace.documents import glyph_coverage
from workspace.lib.errors import Busy
from workspace.lib.subprocess_worker.pool import RETRY_AFTER, ChildFailed
from workspace.public_site.spam_protection import allow
from workspace.publishing.models import Address, Publication
from workspace.publishing.models.publication import share_key
from workspace.qr_symbols.render_pool import drawings
from workspace.storage.files import images, store
from workspace.storage.files.image_limits import MAX_SIDE

ROUTE = r"\.(?P<mark>[0-9a-f]{16})\.jpg"
FOR_EVER = "public, max-age=31536000, immutable"
NEW, WINDOW = 40, 600  # pictures that one guest may have drawn within so many seconds
PREFIX = share_key("")
_DRAWING = 1  # of how it is drawn: another number draws all anew
_LONGEST = {"title": 120, "text": 180, "foot": 60}  # characters
_COLUMN = {True: 560, False: 1040}  # pixels of words, by whether a photo stands beside them


@dataclass(frozen=True, slots=True)
class Face:
    """`foot` is the business, `photo` and `logo` ids of uploads; with `whole` the photo is all that there is."""

    title: str
    text: str = ""
    foot: str = ""
    photo: str = ""
    logo: str = ""
    ground: tuple[str, str] = ("", "")
    ink: str = ""
    whole: bool = False

    @classmethod
    def of(cls, account: Account, title: str, text: str = "", *, look: Look | None = None, photo: str = "") -> Face:
        """In the brand's colours, or those of a thing's own `look`, with its logo; its picture where the thing has no
        `photo`."""
        brand = Brand.of(account)
        hues = (look or brand.look).hues(DAY)
        return cls(
            title=title,
            text=text,
            foot=account.name,
            photo=photo or brand.picture_id or "",
            logo=brand.logo_id or "",
            ground=(hues["band"], hues["band-end"]),
            ink=hues["on-band"],
        )

    @property
    def mark(self) -> str:
        told = json.dumps([_DRAWING, asdict(self)])
        return hashlib.sha256(told.encode()).hexdigest()[:16]


Faced = Callable[[Address], Face]  # of what stands at an address; may raise Gone


@dataclass(frozen=True, slots=True)
class Sharing:
    """For `public/parts/share.html`."""

    url: str
    title: str
    text: str
    picture: str
    alt: str
    site: str
    kind: str


def sharing(
    address: Address, face: Face, *, title: str = "", text: str = "", part: str = "", kind: str = "website"
) -> Sharing:
    """`title` and `text` where they say more than the picture's; `part` of a page beside the first one."""
    account = address.publication.account
    url = f"{settings.BASE_URL}{PRODUCTS[address.publication.kind].path}{address.publication.slug}"
    return Sharing(
        url=f"{url}{part}",
        title=_line(title or face.title, 200),
        text=_line(text or face.text, 300),
        picture=f"{url}.{face.mark}.jpg",
        alt=_line(" · ".join(filter(None, [face.title, face.text])), 200),
        site=account.name if account else "",
        kind=kind,
    )


def shown(face_of: Faced) -> Callable[..., HttpResponse]:
    """The view of the pictures of one kind's addresses. With an earlier mark it is the picture of now."""

    def share(request: HttpRequest, address: Address, mark: str) -> HttpResponse:
        if request.method not in ("GET", "HEAD"):
            return HttpResponse(status=405, headers={"Allow": "GET, HEAD"})
        face = face_of(address)
        try:
            content = _kept(request, address.publication_id, face)
        except _Enough:
            return _later(429, WINDOW)
        except Busy as busy:
            return _later(503, busy.retry_after)
        except (ChildFailed, OSError):
            return _later(503, RETRY_AFTER)
        response = HttpResponse(content, content_type="image/jpeg")
        current = mark == face.mark
        open_to_all = not address.publication.password
        response.headers["Cache-Control"] = "no-store" if not open_to_all else FOR_EVER if current else "no-cache"
        response.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
        return response

    return share


class _Enough(Exception):
    """New pictures for one guest."""


def _kept(request: HttpRequest, publication: str, face: Face) -> bytes:
    """Raises _Enough, Busy, ChildFailed or OSError."""
    key = share_key(publication)
    if found := _found(key, face.mark):
        return found
    with drawings.place() as place:
        if not allow(request, "share-picture", limit=NEW, window=WINDOW):
            raise _Enough
        with place.turn() as turn:
            if found := _found(key, face.mark):  # another may have had it drawn meanwhile
                return found
            content = turn.run("workspace.public_site.share_image_worker", json.dumps(_asked(face)).encode())
            store.put(key, face.mark.encode() + content)
    return content


def _found(key: str, mark: str) -> bytes:
    try:
        kept = store.get(key)
    except FileNotFoundError:
        return b""
    return kept[len(mark) :] if kept.startswith(mark.encode()) else b""


def _asked(face: Face) -> dict[str, object]:
    photo, logo = _bytes(face.photo), _bytes(face.logo, LOGO_WIDTH)
    words = {name: _printable(getattr(face, name), most) for name, most in _LONGEST.items()}
    if words["title"].casefold() == words["foot"].casefold() or not words["title"]:
        words["title"], words["foot"] = words["title"] or words["foot"], ""
    fonts, folders = glyph_coverage.families("", " ".join(words.values()))
    return {
        "words": {
            **words,
            "fonts": fonts,
            "ground": face.ground,
            "ink": face.ink,
            "column": _COLUMN[bool(photo)],
            "logo": bool(logo),
        },
        "folders": [str(folder) for folder in folders],
        "photo": photo,
        "logo": logo,
        "whole": face.whole,
    }


def _bytes(upload: str, width: int = MAX_SIDE) -> str:
    try:
        return base64.b64encode(images.kept(upload, width)).decode() if upload else ""
    except FileNotFoundError:
        return ""


def _line(text: str, longest: int) -> str:
    text = " ".join(text.split())
    return text if len(text) <= longest else text[: longest - 1] + "…"


def _printable(text: str, longest: int) -> str:
    missing = set(glyph_coverage.missing(text))
    return _line("".join(" " if char in missing else char for char in text), longest)


def _later(status: int, seconds: int) -> HttpResponse:
    return HttpResponse(status=status, headers={"Retry-After": str(seconds), "Cache-Control": "no-store"})


def wanted(keys: list[str]) -> set[str]:
    """Which of these pictures' keys are still some account's, for `files.sweep`."""
    ids = {share_key(id): id for id in (key.removeprefix(PREFIX) for key in keys)}
    there = set(Publication.objects.filter(pk__in=ids.values()).exclude(account=None).values_list("pk", flat=True))
    return {key for key, id in ids.items() if id in there}
