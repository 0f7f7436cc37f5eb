"""Upload of a ZIP file that is too large for one request, in chunks.

The upload grows with each chunk. Only the import of an account needs this, so only ZIP files are accepted.
"""

from __future__ import annotations

from collections.abc import Iterator

from workspace.accounts.models import Account, Upload
from workspace.accounts.models.upload import FILE
from workspace.accounts.takeout import archive_format as takeout_format
from workspace.accounts.takeout import messages
from workspace.lib import clock
from workspace.lib.errors import ConflictError, InvalidInputError, OperationNotAllowedError, TooLargeError
from workspace.storage.database.transactions import write_transaction
from workspace.storage.files import store
from workspace.storage.files.media_types import clean_file_name

ZIP_SIGNATURE = b"PK\x03\x04"
MAX_UNFINISHED_UPLOADS = 2
PREFIX = "pack_"


def _chunk_key(id: str, at: int) -> str:
    """Return the storage key of a chunk. The first chunk has the key of an ordinary upload."""
    return f"{PREFIX}{id}_{at}" if at else id


def read_chunks(upload: Upload) -> Iterator[bytes]:
    """Yield the content of the upload chunk by chunk. Raise FileNotFoundError if a chunk is missing."""
    at = 0
    while at < upload.size:
        for piece in store.read_chunks(_chunk_key(upload.pk, at)):
            at += len(piece)
            yield piece


def existing_keys(keys: list[str]) -> list[str]:
    """Return the keys of chunks whose upload still exists, for `storage.files.keep`."""
    of = {key: key.removeprefix(PREFIX).rpartition("_")[0] for key in keys}
    there = set(Upload.objects.filter(pk__in=set(of.values())).values_list("pk", flat=True))
    return [key for key, id in of.items() if id in there]


def start_upload(account: Account, name: str, content: bytes) -> Upload:
    """Create an upload from its first chunk.

    Raise InvalidInputError if the content is not a ZIP. An unused upload of the account is replaced if there are
    already `MAX_UNFINISHED_UPLOADS` of them.
    """
    if not content.startswith(ZIP_SIGNATURE):
        raise InvalidInputError.at_path("file", messages.NOT_A_ZIP)
    upload = Upload(
        account=account, kind=FILE, name=clean_file_name(name), media_type=takeout_format.MEDIA_TYPE, size=len(content)
    )
    store.put(upload.pk, content)
    try:
        with write_transaction():
            account = account.lock()
            if (
                account.uploads.filter(kind=FILE, media_type=takeout_format.MEDIA_TYPE, use_count=0).count()
                >= MAX_UNFINISHED_UPLOADS
            ):
                for old in account.uploads.filter(
                    kind=FILE, media_type=takeout_format.MEDIA_TYPE, use_count=0
                ).order_by("pk")[:1]:
                    Upload.delete_unused([old.pk])
            upload.save(force_insert=True)
    except BaseException:
        store.delete(upload.pk)
        raise
    return upload


def append_chunk(account: Account, id: str, at: int, content: bytes) -> Upload:
    """Append the chunk that starts at byte `at`.

    Raise InvalidInputError if there is no such upload, ConflictError if `at` is not its current size, and TooLargeError
    if the upload would be too large.
    """
    upload = account.uploads.filter(pk=id, kind=FILE, media_type=takeout_format.MEDIA_TYPE, use_count=0).first()
    if upload is None:
        raise InvalidInputError.at_path("onto", messages.UPLOAD_NOT_FOUND)
    if at != upload.size:
        raise ConflictError(messages.WRONG_POSITION(size=upload.size))
    if at + len(content) > takeout_format.MAX_ARCHIVE_BYTES:
        raise TooLargeError(messages.ZIP_TOO_LARGE(megabytes=takeout_format.MAX_ARCHIVE_BYTES // 1024 // 1024))
    if not content:
        raise OperationNotAllowedError(messages.CHUNK_EMPTY)
    store.put(_chunk_key(upload.pk, at), content)
    with write_transaction():
        mine = account.uploads.filter(pk=id, size=at)
        if not mine.update(size=at + len(content), last_used_at=clock.now()):
            raise ConflictError(messages.CHUNKS_AT_ONCE)
    upload.size = at + len(content)
    return upload
