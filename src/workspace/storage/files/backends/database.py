"""Files in the database, for servers without a shared folder."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

from django.core.files import File
from django.db.models import Sum
from django.db.models.functions import Length

from workspace.storage.database.transactions import write_transaction
from workspace.storage.files import backends
from workspace.storage.files.backends import KeyStorage, PieceReader
from workspace.storage.models import Blob, BlobPiece


class DatabaseStorage(KeyStorage):
    """Files in rows. A large file is stored in several pieces, so that it is never fully in memory."""

    is_transactional = True

    def _save(self, name: str, content: File[bytes]) -> str:
        first = content.read(backends.CHUNK_BYTES)
        if len(first) < backends.CHUNK_BYTES:
            self._save_first(name, first)
            return name
        with write_transaction():
            self._save_first(name, first)
            position = 0
            while piece := content.read(backends.CHUNK_BYTES):
                BlobPiece.objects.create(blob_id=name, position=position, content=piece)
                position += 1
        return name

    def _save_first(self, name: str, content: bytes) -> None:
        blob, is_new = Blob.objects.update_or_create(key=name, defaults={"content": content})
        if not is_new:
            blob.pieces.all().delete()

    def _open(self, name: str, mode: str = "rb") -> File[bytes]:
        blob = Blob.objects.filter(key=name).first()
        if blob is None:
            raise FileNotFoundError(name)
        found = BlobPiece.objects.filter(blob=name).order_by("position").values_list("pk", flat=True)
        pieces: Any = io.BufferedReader(PieceReader(_iterate_pieces(bytes(blob.content), list(found))))
        return File(pieces, name)

    def delete(self, name: str) -> None:
        Blob.objects.filter(key=name).delete()

    def exists(self, name: str) -> bool:
        return Blob.objects.filter(key=name).exists()

    def size(self, name: str) -> int:
        first = Blob.objects.filter(key=name).values_list(Length("content"), flat=True).first()
        if first is None:
            raise FileNotFoundError(name)
        rest = BlobPiece.objects.filter(blob=name).aggregate(sum=Sum(Length("content")))["sum"]
        return int(first) + int(rest or 0)

    def list_keys(self, prefix: str = "") -> Iterator[str]:
        yield from list(Blob.objects.filter(key__startswith=prefix).values_list("key", flat=True))


def _iterate_pieces(first: bytes, piece_ids: list[int]) -> Iterator[bytes]:
    yield first
    for piece in piece_ids:
        yield bytes(BlobPiece.objects.values_list("content", flat=True).get(pk=piece))
