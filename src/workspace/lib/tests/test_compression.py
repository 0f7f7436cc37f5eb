import gzip

import pytest

from workspace.lib.compression import accepts_gzip, gzip_body, should_compress


@pytest.mark.parametrize(
    "header", ["gzip", "GZIP", "br, gzip;q=0.5", "deflate, gzip;q=1.0, *;q=0.5", "*", "x-gzip", " gzip ; q=1 "]
)
def test_who_takes_gzip_gets_it(header: str) -> None:
    assert accepts_gzip(header)


@pytest.mark.parametrize("header", ["", "identity", "br", "gzip;q=0", "gzip;q=0.0, *", "*;q=0", "gzip;q=x"])
def test_who_does_not_take_it_does_not(header: str) -> None:
    assert not accepts_gzip(header)


@pytest.mark.parametrize("kind", ["text/html; charset=utf-8", "application/json", "image/svg+xml", "TEXT/CSV"])
def test_texts_are_worth_it_and_small_ones_are_not(kind: str) -> None:
    assert should_compress(kind, 5000)
    assert not should_compress(kind, 1023)


@pytest.mark.parametrize("kind", ["image/png", "application/pdf", "application/zip", "", "font/woff2"])
def test_what_is_compressed_already_stays_as_it_is(kind: str) -> None:
    assert not should_compress(kind, 5000)


def test_the_same_text_gives_the_same_bytes() -> None:
    assert gzip_body(b"menu" * 500) == gzip_body(b"menu" * 500)
    assert gzip.decompress(gzip_body(b"menu" * 500)) == b"menu" * 500
