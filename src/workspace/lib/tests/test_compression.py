import gzip

import pytest

from workspace.lib.compression import accepts_gzip, gzip_body, should_compress


@pytest.mark.parametrize(
    "header", ["gzip", "GZIP", "br, gzip;q=0.5", "deflate, gzip;q=1.0, *;q=0.5", "*", "x-gzip", " gzip ; q=1 "]
)
def test_a_client_that_accepts_gzip_gets_it(header: str) -> None:
    assert accepts_gzip(header)


@pytest.mark.parametrize("header", ["", "identity", "br", "gzip;q=0", "gzip;q=0.0, *", "*;q=0", "gzip;q=x"])
def test_a_client_that_does_not_accept_gzip_does_not_get_it(header: str) -> None:
    assert not accepts_gzip(header)


@pytest.mark.parametrize("kind", ["text/html; charset=utf-8", "application/json", "image/svg+xml", "TEXT/CSV"])
def test_texts_are_compressed_unless_they_are_small(kind: str) -> None:
    assert should_compress(kind, 5000)
    assert not should_compress(kind, 1023)


@pytest.mark.parametrize("kind", ["image/png", "application/pdf", "application/zip", "", "font/woff2"])
def test_compressed_formats_are_not_compressed_again(kind: str) -> None:
    assert not should_compress(kind, 5000)


def test_the_same_text_gives_the_same_bytes() -> None:
    assert gzip_body(b"menu" * 500) == gzip_body(b"menu" * 500)
    assert gzip.decompress(gzip_body(b"menu" * 500)) == b"menu" * 500
