"""A ZIP that is too large for one request, sent piece by piece: it becomes an upload that grows. Only who brings an
account back needs it, so nothing but a ZIP is taken so."""

from __future__ import annotations

from collections.abc import Iterator

from workspace.accounts.models import Account, Upload
from workspace.accounts.models.upload import FILE
from workspace.accounts.takeout import format as takeout_format
from workspace.lib import clock
from workspace.lib.errors import Conflict, InvalidInput, TooLarge, ToolError
from workspace.storage.database.transactions import writing
from workspace.storage.files import store
from workspace.storage.files.media_types import plain_name

BEGINS = b"PK\x03\x04"
MOST_GROWING = 2
PREFIX = "pack_"


def _key(id: str, at: int) -> str:
    """The first piece rests as any upload does."""
    return f"{PREFIX}{id}_{at}" if at else id


def reading(upload: Upload) -> Iterator[bytes]:
    """All that came, piece by piece. Raises FileNotFoundError where one is gone."""
    at = 0
    while at < upload.size:
        for piece in store.reading(_key(upload.pk, at)):
            at += len(piece)
            yield piece


def known(keys: list[str]) -> list[str]:
    """Those of uploads that are still there, for `storage.files.keep`."""
    of = {key: key.removeprefix(PREFIX).rpartition("_")[0] for key in keys}
    there = set(Upload.objects.filter(pk__in=set(of.values())).values_list("pk", flat=True))
    return [key for key, id in of.items() if id in there]


def begin(account: Account, name: str, content: bytes) -> Upload:
    """Raises InvalidInput for what is no ZIP, ToolError where the account sends others already."""
    if not content.startswith(BEGINS):
        raise InvalidInput.at("file", "Only a .zip comes in pieces")
    upload = Upload(
        account=account, kind=FILE, name=plain_name(name), media_type=takeout_format.MEDIA_TYPE, size=len(content)
    )
    store.put(upload.pk, content)
    try:
        with writing():
            account = account.lock()
            if account.uploads.filter(kind=FILE, media_type=takeout_format.MEDIA_TYPE, uses=0).count() >= MOST_GROWING:
                for old in account.uploads.filter(kind=FILE, media_type=takeout_format.MEDIA_TYPE, uses=0).order_by(
                    "pk"
                )[:1]:
                    Upload.erase_unused([old.pk])
            upload.save(force_insert=True)
    except BaseException:
        store.delete(upload.pk)
        raise
    return upload


def go_on(account: Account, id: str, at: int, content: bytes) -> Upload:
    """The next piece, which begins at a byte. Raises InvalidInput, Conflict where it does not fit to what is there, and
    TooLarge."""
    upload = account.uploads.filter(pk=id, kind=FILE, media_type=takeout_format.MEDIA_TYPE, uses=0).first()
    if upload is None:
        raise InvalidInput.at("onto", "There is no such ZIP: begin again")
    if at != upload.size:
        raise Conflict(f"There are {upload.size} bytes of it: go on at={upload.size}")
    if at + len(content) > takeout_format.LARGEST_PACK:
        raise TooLarge(f"A ZIP may have up to {takeout_format.LARGEST_PACK // 1024 // 1024} MB")
    if not content:
        raise ToolError("This piece is empty")
    store.put(_key(upload.pk, at), content)
    with writing():
        mine = account.uploads.filter(pk=id, size=at)
        if not mine.update(size=at + len(content), touched_at=clock.now()):
            raise Conflict("Two pieces came at once: ask again where to go on")
    upload.size = at + len(content)
    return upload
