"""Bodies declared as other types than JSON, and compressed bodies."""

from __future__ import annotations

import gzip
import zlib

import pytest

from workspace.products.qr.models import Code
from workspace.testing.api import Api

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
JSON_BODY = b'{"name": "x", "target_url": "a.de"}'


@pytest.mark.parametrize(
    ("body", "kind", "encoding"),
    [
        (b"name=x&target_url=a.de", "application/x-www-form-urlencoded", ""),
        (JSON_BODY, "application/x-www-form-urlencoded", ""),
        (b"--b\r\n\r\n--b--\r\n", "multipart/form-data; boundary=b", ""),
        (JSON_BODY, "text/plain", ""),
        (b"<a/>", "application/xml", ""),
        (gzip.compress(JSON_BODY, mtime=0), "application/json", "gzip"),
        (zlib.compress(JSON_BODY), "application/json", "deflate"),
        (JSON_BODY, "application/json", "br"),
    ],
)
@pytest.mark.parametrize("path", ["qr/create", "call"])
def test_a_form_or_a_compressed_body_has_an_unsupported_media_type(
    path: str, body: bytes, kind: str, encoding: str, api: Api
) -> None:
    headers = {"content-encoding": encoding} if encoding else {}
    response = api.client.post(f"/api/v1/{path}", body, content_type=kind, headers=headers)
    assert (response.status_code, response.json()["error"]) == (415, "unsupported_media_type")
    assert response.json()["ok"] is False and response.json()["request_id"] and response["RateLimit"]
    assert not Code.objects.exists()


@pytest.mark.parametrize("kind", ["application/json", "Application/JSON; charset=utf-8", "application/x+json", ""])
def test_json_with_its_media_type_or_none_is_read(kind: str, api: Api) -> None:
    headers = {"content-encoding": "identity"}
    response = api.client.generic("POST", "/api/v1/qr/create", JSON_BODY, content_type=kind, headers=headers)
    assert response.status_code == 200, response.content


def test_a_compressed_upload_has_an_unsupported_media_type(api: Api) -> None:
    packed = gzip.compress(b"--b\r\n\r\n--b--\r\n")
    kind = "multipart/form-data; boundary=b"
    response = api.client.post("/api/v1/upload", packed, content_type=kind, headers={"content-encoding": "gzip"})
    assert (response.status_code, response.json()["error"]) == (415, "unsupported_media_type")
