"""Files in a bucket of a service that speaks S3, by boto3, which only installations with a bucket have.

Who waits for it is answered within seconds: where it does not answer once, everybody is refused at once for some
seconds, and then one at a time tries again. Half of the threads at most ever wait for it.
"""

from __future__ import annotations

import logging
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

from django.conf import settings

from workspace.lib import clock
from workspace.storage.database.errors import FilesAway
from workspace.storage.files.backends import PIECE, Place

logger = logging.getLogger(__name__)

LISTED = 1000  # keys a page, the most that S3 gives
CONNECT, ANSWER = 2.0, 4.0  # seconds
AGAIN = 3.0  # seconds for which nobody tries after it has not answered
TURN = 1.0  # seconds of waiting while others hold all turns
_MISSING = ("NoSuchKey", "404", "NotFound")
_STALE = ("ConnectionClosedError",)  # a kept connection that the other side has ended meanwhile


class Bucket:
    """`before`: where files were put until now, and are still found until they are moved."""

    def __init__(self, name: str, before: Callable[[], Place]) -> None:
        self._name, _, prefix = name.partition("/")
        self._prefix = f"{prefix.strip('/')}/" if prefix else ""
        self._before = before
        self._client: Any = None
        self._turns = threading.BoundedSemaphore(max(2, settings.THREADS // 2))
        self._guard = threading.Lock()
        self._tried, self._trying, self._answered = 0.0, False, 0.0
        self.away_since: datetime | None = None

    def put(self, key: str, content: bytes) -> None:
        self._ask("put_object", key, Body=content)

    def put_part(self, key: str, path: Path) -> None:
        with path.open("rb") as file:
            self._ask("put_object", key, Body=file)

    def get(self, key: str) -> bytes:
        try:
            return b"".join(self.reading_here(key)[1])
        except FileNotFoundError:
            return self._before().get(key)

    def reading(self, key: str) -> Iterator[bytes]:
        try:
            return self.reading_here(key)[1]
        except FileNotFoundError:
            return self._before().reading(key)

    def reading_here(self, key: str) -> tuple[int, Iterator[bytes]]:
        """Its size and its bytes, of a file in the bucket itself."""
        found = self._ask("get_object", key)
        return found["ContentLength"], self._pieces(found["Body"])

    def size(self, key: str) -> int | None:
        """None for what is not in the bucket itself."""
        try:
            return int(self._ask("head_object", key)["ContentLength"])
        except FileNotFoundError:
            return None

    def delete(self, key: str) -> None:
        """What cannot be deleted at the moment belongs to nothing from here on, and housekeeping finds it."""
        self._before().delete(key)
        try:
            self._ask("delete_object", key)
        except FilesAway as away:
            logger.warning("A file will be deleted later: %s", away)

    def take(self, key: str) -> int:
        """Move a file here from where files were before; its size. Raises FilesAway, FileNotFoundError; then it is
        still there."""
        before = self._before()
        with tempfile.NamedTemporaryFile(suffix=".part") as file:
            for piece in before.reading(key):
                file.write(piece)
            size = file.tell()
            file.flush()
            if self.size(key) is None:  # else it was taken already, or put anew since
                self.put_part(key, Path(file.name))
                if self.size(key) != size:
                    raise FilesAway(f"{key} did not arrive whole")
        before.delete(key)
        return size

    def keys(self, prefix: str = "", *, rested: float = 0.0) -> Iterator[str]:
        asked: dict[str, Any] = {"Prefix": self._prefix + prefix, "MaxKeys": LISTED}
        while True:
            with self._telling():
                page = self._made().list_objects_v2(Bucket=self._name, **asked)
            for one in page.get("Contents", ()):
                if not rested or (clock.now() - one["LastModified"]).total_seconds() > rested:
                    yield one["Key"].removeprefix(self._prefix)
            if not page.get("IsTruncated"):
                return
            asked["ContinuationToken"] = page["NextContinuationToken"]

    def probe(self) -> None:
        """Whether it keeps, gives and deletes. Raises FilesAway."""
        key = f"check_{clock.now():%Y%m%d%H%M%S%f}"
        self._ask("put_object", key, Body=b"looked at")
        try:
            if b"".join(self.reading_here(key)[1]) != b"looked at":
                raise FilesAway("the bucket gives back something else than was put into it")
        except FileNotFoundError:
            raise FilesAway("the bucket does not have what was put into it") from None
        self._ask("delete_object", key)

    def in_a_line(self) -> str | None:
        """For machines that look on."""
        return f"away since {clock.iso(self.away_since)}" if self.away_since else None

    def _ask(self, what: str, key: str, **more: Any) -> Any:
        with self._telling():
            act = getattr(self._made(), what)
            try:
                return act(Bucket=self._name, Key=self._prefix + key, **more)
            except Exception as problem:
                if type(problem).__name__ not in _STALE:
                    raise
                if hasattr(more.get("Body"), "seek"):
                    more["Body"].seek(0)
                return act(Bucket=self._name, Key=self._prefix + key, **more)

    def _pieces(self, body: Any) -> Iterator[bytes]:
        with self._telling():
            first = body.read(PIECE)

        def all_pieces() -> Iterator[bytes]:
            piece = first
            while piece:
                yield piece
                with self._telling():
                    piece = body.read(PIECE)

        return all_pieces()

    @contextmanager
    def _telling(self) -> Iterator[None]:
        """What fails is told as FileNotFoundError or FilesAway."""
        began = self._begin()
        if not self._turns.acquire(timeout=TURN):
            self._trying = False
            raise FilesAway("too many wait for the bucket")
        try:
            yield
        except Exception as problem:
            if type(problem).__module__.partition(".")[0] not in ("botocore", "boto3", "urllib3", "s3transfer"):
                self._trying = False
                raise
            if (getattr(problem, "response", None) or {}).get("Error", {}).get("Code") in _MISSING:
                self._end()
                raise FileNotFoundError(str(problem)) from None
            self._fail(problem, began)
            raise FilesAway(f"{type(problem).__name__}: {problem}") from problem
        else:
            self._end()
        finally:
            self._turns.release()

    def _begin(self) -> float:
        with self._guard:
            if self.away_since is None:
                return time.monotonic()
            if self._trying or time.monotonic() - self._tried < AGAIN:
                raise FilesAway("the bucket did not answer a moment ago")
            self._trying = True
            return time.monotonic()

    def _fail(self, problem: Exception, began: float) -> None:
        with self._guard:
            if began < self._answered:
                return  # it has answered others since: this one was asked while it was away
            self._tried, self._trying = time.monotonic(), False
            is_news, self.away_since = self.away_since is None, self.away_since or clock.now()
        if is_news:
            logger.error("Files cannot be read or kept: %s: %s", type(problem).__name__, problem)

    def _end(self) -> None:
        self._answered = time.monotonic()
        if self.away_since is not None:
            with self._guard:
                self.away_since, self._trying = None, False
            logger.warning("Files can be read and kept again")

    def _made(self) -> Any:
        if self._client is None:
            with self._guard:
                self._client = self._client or _client()
        return self._client


def _client() -> Any:
    try:
        import boto3
        from botocore.config import Config
    except ImportError:
        raise FilesAway("boto3 is missing: install workspace-tools[s3]") from None
    given: dict[str, Any] = {
        "endpoint_url": settings.S3["ENDPOINT"] or None,
        "region_name": settings.S3["REGION"] or None,
        "aws_access_key_id": settings.S3["KEY"] or None,
        "aws_secret_access_key": settings.S3["SECRET"] or None,
    }
    config = Config(
        connect_timeout=CONNECT,
        read_timeout=ANSWER,
        retries={"total_max_attempts": 1},
        max_pool_connections=settings.THREADS,
        # what is not Amazon's own knows neither bucket names in host names nor its newer checksums
        s3={"addressing_style": "path" if settings.S3["ENDPOINT"] else "auto"},
        request_checksum_calculation="when_required",
        response_checksum_validation="when_required",
    )
    return boto3.session.Session().client("s3", config=config, **given)
