"""Pictures from strangers: drawn anew, without metadata, or refused with a text."""

from __future__ import annotations

import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from workspace.storage.pictures import MAX_SIDE, redraw


def encoded(form: str, mode: str = "RGB", size: tuple[int, int] = (40, 20), **options: object) -> bytes:
    out = io.BytesIO()
    Image.new(mode, size, "red" if mode == "RGB" else None).save(out, form, **options)
    return out.getvalue()


@pytest.mark.parametrize("form", ["PNG", "JPEG", "WEBP", "GIF"])
def test_the_usual_formats_are_taken(form: str) -> None:
    picture = redraw(encoded(form))
    assert (picture.width, picture.height) == (40, 20)
    assert Image.open(io.BytesIO(picture.content)).format in ("PNG", "JPEG")


def test_metadata_is_gone_and_the_picture_is_upright() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6  # turn by a quarter
    exif[0x010E] = "secret place"
    exif.get_ifd(0x8825)[1] = "N"
    picture = redraw(encoded("JPEG", exif=exif))
    assert b"secret place" not in picture.content
    assert (picture.width, picture.height) == (20, 40)
    assert not Image.open(io.BytesIO(picture.content)).getexif()


def test_what_is_see_through_stays_so() -> None:
    assert redraw(encoded("PNG", "RGBA")).media_type == "image/png"
    assert redraw(encoded("PNG")).media_type == "image/jpeg"


def test_a_large_picture_is_made_smaller_and_a_bomb_is_refused() -> None:
    assert redraw(encoded("PNG", "L", (3000, 100))).width == MAX_SIDE
    with pytest.raises(ValueError, match="pixels"):
        redraw(encoded("PNG", "1", (20_000, 20_000)))


@pytest.mark.parametrize(
    "content",
    [b"", b"GIF89a", b"<svg xmlns='http://www.w3.org/2000/svg'/>", b"%PDF-1.4", encoded("BMP"), encoded("PNG")[:60]],
)
def test_anything_else_is_refused(content: bytes) -> None:
    with pytest.raises(ValueError, match="picture"):
        redraw(content)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 200), st.binary(min_size=1, max_size=20))
def test_damage_is_refused_and_never_an_error(place: int, bytes_: bytes) -> None:
    whole = encoded("PNG")
    damaged = whole[:place] + bytes_ + whole[place + len(bytes_) :]
    try:
        redraw(damaged)
    except ValueError as problem:
        assert "picture" in str(problem)
