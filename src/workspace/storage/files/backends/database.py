"""Files in the database, where servers share no folder."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from workspace.storage.database.transactions import writing
from workspace.storage.files import backends
from workspace.storage.models import Blob, BlobPiece


class Tables:
    def put(self, key: str, content: bytes) -> None:
        blob, is_new = Blob.objects.update_or_create(key=key, defaults={"content": content})
        if not is_new:
            blob.pieces.all().delete()

    def put_part(self, key: str, path: Path) -> None:
        with path.open("rb") as file, writing():
            BlobPiece.objects.filter(blob=key).delete()
            Blob.objects.update_or_create(key=key, defaults={"content": file.read(backends.PIECE)})
            place = 0
            while content := file.read(backends.PIECE):
                BlobPiece.objects.create(blob_id=key, place=place, content=content)
                place += 1

    def get(self, key: str) -> bytes:
        return b"".join(self.reading(key))

    def reading(self, key: str) -> Iterator[bytes]:
        blob = Blob.objects.filter(key=key).first()
        if blob is None:
            raise FileNotFoundError(key)
        found = BlobPiece.objects.filter(blob=key).order_by("place").values_list("pk", flat=True)
        return _each(bytes(blob.content), list(found))

    def delete(self, key: str) -> None:
        Blob.objects.filter(key=key).delete()

    def keys(self, prefix: str = "", *, rested: float = 0.0) -> Iterator[str]:
        """However long they have rested: a blob comes with its row in one transaction, or after it."""
        yield from list(Blob.objects.filter(key__startswith=prefix).values_list("key", flat=True))


def _each(first: bytes, found: list[int]) -> Iterator[bytes]:
    yield first
    for piece in found:
        yield bytes(BlobPiece.objects.values_list("content", flat=True).get(pk=piece))
