"""Files in an S3 bucket, with boto3, which only instances with a bucket need.

Requests get a response within seconds. If the bucket does not respond, all requests fail immediately for some
seconds, and then one at a time tries again. At most half of the threads wait for it."""

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
from workspace.storage.database.errors import FileStoreUnreachableError
from workspace.storage.files.backends import CHUNK_BYTES, FileBackend

logger = logging.getLogger(__name__)

KEYS_PER_PAGE = 1000  # the maximum of S3
CONNECT_TIMEOUT_SECONDS, READ_TIMEOUT_SECONDS = 2.0, 4.0
RETRY_DELAY_SECONDS = 3.0  # without any request after a failure
TURN_TIMEOUT_SECONDS = 1.0  # while others use all connections
_MISSING_CODES = ("NoSuchKey", "404", "NotFound")
_STALE_ERRORS = ("ConnectionClosedError",)  # a pooled connection that the server has closed


class S3Backend:
    """Files in an S3 bucket. `before` returns the previous backend, where files are found until they are moved."""

    def __init__(self, name: str, before: Callable[[], FileBackend]) -> None:
        self._name, _, prefix = name.partition("/")
        self._prefix = f"{prefix.strip('/')}/" if prefix else ""
        self._previous_backend = before
        self._client: Any = None
        self._turns = threading.BoundedSemaphore(max(2, settings.THREADS // 2))
        self._guard = threading.Lock()
        self._last_attempt, self._is_trying, self._last_answer = 0.0, False, 0.0
        self.unreachable_since: datetime | None = None

    def put(self, key: str, content: bytes) -> None:
        self._request("put_object", key, Body=content)

    def put_part(self, key: str, path: Path) -> None:
        with path.open("rb") as file:
            self._request("put_object", key, Body=file)

    def get(self, key: str) -> bytes:
        try:
            return b"".join(self.read_object(key)[1])
        except FileNotFoundError:
            return self._previous_backend().get(key)

    def read_chunks(self, key: str) -> Iterator[bytes]:
        try:
            return self.read_object(key)[1]
        except FileNotFoundError:
            return self._previous_backend().read_chunks(key)

    def read_object(self, key: str) -> tuple[int, Iterator[bytes]]:
        """Return the size and content of a file in the bucket. Raise FileNotFoundError."""
        found = self._request("get_object", key)
        return found["ContentLength"], self._iterate_chunks(found["Body"])

    def get_size(self, key: str) -> int | None:
        """Return the size of a file, or None if it is not in the bucket."""
        try:
            return int(self._request("head_object", key)["ContentLength"])
        except FileNotFoundError:
            return None

    def delete(self, key: str) -> None:
        """Delete a file. If the bucket cannot be reached, the file is orphaned and `purge_orphans` deletes it later."""
        self._previous_backend().delete(key)
        try:
            self._request("delete_object", key)
        except FileStoreUnreachableError as away:
            logger.warning("A file will be deleted later: %s", away)

    def move_here(self, key: str) -> int:
        """Move a file from the previous backend to the bucket, and return its size.

        If FileStoreUnreachableError or FileNotFoundError is raised, it is still in the previous backend."""
        before = self._previous_backend()
        with tempfile.NamedTemporaryFile(suffix=".part") as file:
            for piece in before.read_chunks(key):
                file.write(piece)
            size = file.tell()
            file.flush()
            if self.get_size(key) is None:  # otherwise it was already moved or replaced
                self.put_part(key, Path(file.name))
                if self.get_size(key) != size:
                    raise FileStoreUnreachableError(f"{key} did not arrive whole")
        before.delete(key)
        return size

    def list_keys(self, prefix: str = "", *, min_age_seconds: float = 0.0) -> Iterator[str]:
        parameters: dict[str, Any] = {"Prefix": self._prefix + prefix, "MaxKeys": KEYS_PER_PAGE}
        while True:
            with self._translate_errors():
                page = self._get_client().list_objects_v2(Bucket=self._name, **parameters)
            for one in page.get("Contents", ()):
                if not min_age_seconds or (clock.now() - one["LastModified"]).total_seconds() > min_age_seconds:
                    yield one["Key"].removeprefix(self._prefix)
            if not page.get("IsTruncated"):
                return
            parameters["ContinuationToken"] = page["NextContinuationToken"]

    def probe(self) -> None:
        """Check that the bucket can store, return and delete a file. Raise FileStoreUnreachableError."""
        key = f"check_{clock.now():%Y%m%d%H%M%S%f}"
        self._request("put_object", key, Body=b"probe")
        try:
            if b"".join(self.read_object(key)[1]) != b"probe":
                raise FileStoreUnreachableError("the bucket gives back something else than was put into it")
        except FileNotFoundError:
            raise FileStoreUnreachableError("the bucket does not have what was put into it") from None
        self._request("delete_object", key)

    def describe_outage(self) -> str | None:
        """Return since when the bucket cannot be reached, for monitoring, or None."""
        return f"away since {clock.to_iso(self.unreachable_since)}" if self.unreachable_since else None

    def _request(self, operation: str, key: str, **more: Any) -> Any:
        with self._translate_errors():
            act = getattr(self._get_client(), operation)
            try:
                return act(Bucket=self._name, Key=self._prefix + key, **more)
            except Exception as problem:
                if type(problem).__name__ not in _STALE_ERRORS:
                    raise
                if hasattr(more.get("Body"), "seek"):
                    more["Body"].seek(0)
                return act(Bucket=self._name, Key=self._prefix + key, **more)

    def _iterate_chunks(self, body: Any) -> Iterator[bytes]:
        with self._translate_errors():
            first = body.read(CHUNK_BYTES)

        def all_pieces() -> Iterator[bytes]:
            piece = first
            while piece:
                yield piece
                with self._translate_errors():
                    piece = body.read(CHUNK_BYTES)

        return all_pieces()

    @contextmanager
    def _translate_errors(self) -> Iterator[None]:
        """Raise FileNotFoundError or FileStoreUnreachableError in place of an error of the client."""
        began = self._start_request()
        if not self._turns.acquire(timeout=TURN_TIMEOUT_SECONDS):
            self._is_trying = False
            raise FileStoreUnreachableError("too many wait for the bucket")
        try:
            yield
        except Exception as problem:
            if type(problem).__module__.partition(".")[0] not in ("botocore", "boto3", "urllib3", "s3transfer"):
                self._is_trying = False
                raise
            if (getattr(problem, "response", None) or {}).get("Error", {}).get("Code") in _MISSING_CODES:
                self._record_success()
                raise FileNotFoundError(str(problem)) from None
            self._record_failure(problem, began)
            raise FileStoreUnreachableError(f"{type(problem).__name__}: {problem}") from problem
        else:
            self._record_success()
        finally:
            self._turns.release()

    def _start_request(self) -> float:
        with self._guard:
            if self.unreachable_since is None:
                return time.monotonic()
            if self._is_trying or time.monotonic() - self._last_attempt < RETRY_DELAY_SECONDS:
                raise FileStoreUnreachableError("the bucket did not answer a moment ago")
            self._is_trying = True
            return time.monotonic()

    def _record_failure(self, problem: Exception, began: float) -> None:
        with self._guard:
            if began < self._last_answer:
                return  # it has responded to others since this request started
            self._last_attempt, self._is_trying = time.monotonic(), False
            is_news, self.unreachable_since = self.unreachable_since is None, self.unreachable_since or clock.now()
        if is_news:
            logger.error("Files cannot be read or kept: %s: %s", type(problem).__name__, problem)

    def _record_success(self) -> None:
        self._last_answer = time.monotonic()
        if self.unreachable_since is not None:
            with self._guard:
                self.unreachable_since, self._is_trying = None, False
            logger.warning("Files can be read and kept again")

    def _get_client(self) -> Any:
        if self._client is None:
            with self._guard:
                self._client = self._client or _create_client()
        return self._client


def _create_client() -> Any:
    try:
        import boto3
        from botocore.config import Config
    except ImportError:
        raise FileStoreUnreachableError("boto3 is missing: install workspace-tools[s3]") from None
    given: dict[str, Any] = {
        "endpoint_url": settings.S3["ENDPOINT"] or None,
        "region_name": settings.S3["REGION"] or None,
        "aws_access_key_id": settings.S3["KEY"] or None,
        "aws_secret_access_key": settings.S3["SECRET"] or None,
    }
    config = Config(
        connect_timeout=CONNECT_TIMEOUT_SECONDS,
        read_timeout=READ_TIMEOUT_SECONDS,
        retries={"total_max_attempts": 1},
        max_pool_connections=settings.THREADS,
        # other services support neither bucket names in host names nor Amazon's newer checksums
        s3={"addressing_style": "path" if settings.S3["ENDPOINT"] else "auto"},
        request_checksum_calculation="when_required",
        response_checksum_validation="when_required",
    )
    return boto3.session.Session().client("s3", config=config, **given)
