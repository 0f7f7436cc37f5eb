"""Files in an S3 bucket, using boto3, which only instances with a bucket need. Requests end within seconds."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from django.conf import settings
from django.core.files import File

from workspace.storage.files.backends import KeyStorage

KEYS_PER_PAGE = 1000  # the maximum of S3
CONNECT_TIMEOUT_SECONDS, READ_TIMEOUT_SECONDS = 2.0, 4.0
_MISSING_CODES = ("NoSuchKey", "404", "NotFound")
_STALE_ERRORS = ("ConnectionClosedError",)  # a pooled connection that the server has closed


class BucketStorage(KeyStorage):
    """Files in an S3 bucket, which is given as `name` or `name/prefix`. Its errors are those of boto3."""

    def __init__(self, bucket: str, endpoint: str = "", region: str = "", key: str = "", secret: str = "") -> None:
        self._name, _, prefix = bucket.partition("/")
        self._prefix = f"{prefix.strip('/')}/" if prefix else ""
        self._options = {
            "endpoint_url": endpoint or None,
            "region_name": region or None,
            "aws_access_key_id": key or None,
            "aws_secret_access_key": secret or None,
        }
        self._client: Any = None
        self._client_lock = threading.Lock()

    def _save(self, name: str, content: File[bytes]) -> str:
        self._request("put_object", name, Body=content.file)
        return name

    def _open(self, name: str, mode: str = "rb") -> File[bytes]:
        return File(self._request("get_object", name)["Body"], name)

    def exists(self, name: str) -> bool:
        try:
            self._request("head_object", name)
        except FileNotFoundError:
            return False
        return True

    def size(self, name: str) -> int:
        return int(self._request("head_object", name)["ContentLength"])

    def get_modified_time(self, name: str) -> datetime:
        found: datetime = self._request("head_object", name)["LastModified"]
        return found

    def delete(self, name: str) -> None:
        self._request("delete_object", name)

    def list_keys(self, prefix: str = "") -> Iterator[str]:
        parameters: dict[str, Any] = {"Prefix": self._prefix + prefix, "MaxKeys": KEYS_PER_PAGE}
        while True:
            page = self._get_client().list_objects_v2(Bucket=self._name, **parameters)
            for one in page.get("Contents", ()):
                yield one["Key"].removeprefix(self._prefix)
            if not page.get("IsTruncated"):
                return
            parameters["ContinuationToken"] = page["NextContinuationToken"]

    def _request(self, operation: str, key: str, **more: Any) -> Any:
        with _translate_missing():
            act = getattr(self._get_client(), operation)
            try:
                return act(Bucket=self._name, Key=self._prefix + key, **more)
            except Exception as problem:
                if type(problem).__name__ not in _STALE_ERRORS:
                    raise
                if hasattr(more.get("Body"), "seek"):
                    more["Body"].seek(0)
                return act(Bucket=self._name, Key=self._prefix + key, **more)

    def _get_client(self) -> Any:
        if self._client is None:
            with self._client_lock:
                self._client = self._client or _create_client(self._options)
        return self._client


@contextmanager
def _translate_missing() -> Iterator[None]:
    """Raise FileNotFoundError in place of boto3's error for a missing file."""
    try:
        yield
    except Exception as problem:
        if (getattr(problem, "response", None) or {}).get("Error", {}).get("Code") in _MISSING_CODES:
            raise FileNotFoundError(str(problem)) from None
        raise


def _create_client(options: dict[str, str | None]) -> Any:
    try:
        import boto3
        from botocore.config import Config
    except ImportError:
        raise OSError("boto3 is missing: install workspace-tools[s3]") from None
    config = Config(
        connect_timeout=CONNECT_TIMEOUT_SECONDS,
        read_timeout=READ_TIMEOUT_SECONDS,
        retries={"total_max_attempts": 1},
        max_pool_connections=settings.THREADS,
        # other services support neither bucket names in host names nor Amazon's newer checksums
        s3={"addressing_style": "path" if options["endpoint_url"] else "auto"},
        request_checksum_calculation="when_required",
        response_checksum_validation="when_required",
    )
    return boto3.session.Session().client("s3", config=config, **options)
