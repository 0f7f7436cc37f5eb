"""Files in the database, for servers without a shared folder."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from workspace.storage.database.transactions import write_transaction
from workspace.storage.files import backends
from workspace.storage.models import Blob, BlobPiece


class DatabaseBackend:
    def put(self, key: str, content: bytes) -> None:
        blob, is_new = Blob.objects.update_or_create(key=key, defaults={"content": content})
        if not is_new:
            blob.pieces.all().delete()

    def put_part(self, key: str, path: Path) -> None:
        with path.open("rb") as file, write_transaction():
            BlobPiece.objects.filter(blob=key).delete()
            Blob.objects.update_or_create(key=key, defaults={"content": file.read(backends.CHUNK_BYTES)})
            place = 0
            while content := file.read(backends.CHUNK_BYTES):
                BlobPiece.objects.create(blob_id=key, position=place, content=content)
                place += 1

    def get(self, key: str) -> bytes:
        return b"".join(self.read_chunks(key))

    def read_chunks(self, key: str) -> Iterator[bytes]:
        blob = Blob.objects.filter(key=key).first()
        if blob is None:
            raise FileNotFoundError(key)
        found = BlobPiece.objects.filter(blob=key).order_by("position").values_list("pk", flat=True)
        return _iterate_pieces(bytes(blob.content), list(found))

    def delete(self, key: str) -> None:
        Blob.objects.filter(key=key).delete()

    def list_keys(self, prefix: str = "", *, min_age_seconds: float = 0.0) -> Iterator[str]:
        """Yield keys of any age, since a blob is committed with or after its row."""
        yield from list(Blob.objects.filter(key__startswith=prefix).values_list("key", flat=True))


def _iterate_pieces(first: bytes, piece_ids: list[int]) -> Iterator[bytes]:
    yield first
    for piece in piece_ids:
        yield bytes(BlobPiece.objects.values_list("content", flat=True).get(pk=piece))
