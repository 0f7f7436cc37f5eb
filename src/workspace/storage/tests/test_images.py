"""Untrusted images are re-encoded without metadata, or rejected with an error message."""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Iterator
from contextlib import ExitStack

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from workspace.lib.errors import BusyError
from workspace.lib.subprocess_worker.pool import SubprocessPool
from workspace.storage.files import image_worker, images
from workspace.storage.files.image_limits import MAX_SIDE, WIDTHS
from workspace.storage.files.images import normalize_image


def encoded(form: str, mode: str = "RGB", size: tuple[int, int] = (40, 20), **options: object) -> bytes:
    out = io.BytesIO()
    Image.new(mode, size, "red" if mode == "RGB" else None).save(out, form, **options)
    return out.getvalue()


def saved(picture: Image.Image, form: str = "PNG", **options: object) -> bytes:
    out = io.BytesIO()
    picture.save(out, form, **options)
    return out.getvalue()


def open_image(content: bytes) -> Image.Image:
    return Image.open(io.BytesIO(content))


@pytest.mark.parametrize("form", ["PNG", "JPEG", "WEBP", "GIF"])
def test_common_formats_are_accepted(form: str) -> None:
    picture = normalize_image(encoded(form))
    assert (picture.width, picture.height) == (40, 20)
    assert open_image(picture.content).format in ("PNG", "JPEG")


@pytest.mark.parametrize("turn", range(1, 9))
def test_metadata_is_removed_and_the_image_is_upright(turn: int) -> None:
    exif = Image.Exif()
    exif[0x0112] = turn
    exif[0x010E] = "secret place"
    exif.get_ifd(0x8825)[1] = "N"
    scene = Image.new("RGB", (400, 200), "blue")
    scene.paste("red", (0, 0, 100, 100))
    backwards = {5: 5, 6: 8, 7: 7, 8: 6}.get(turn, turn)
    stored = scene.transpose(image_worker._TURNS[backwards]) if turn > 1 else scene
    picture = normalize_image(saved(stored, "JPEG", exif=exif))
    assert b"secret place" not in picture.content
    found = open_image(picture.content)
    assert (found.size, picture.width, picture.height) == ((400, 200), 400, 200)
    red, green, blue = found.convert("RGB").getpixel((50, 50))
    assert red > 200 and green < 60 and blue < 60
    assert not found.getexif()


def test_transparency_is_preserved() -> None:
    assert normalize_image(encoded("PNG", "RGBA")).media_type == "image/png"
    assert normalize_image(encoded("PNG")).media_type == "image/jpeg"
    palette = Image.new("P", (3000, 1500), 1)
    palette.putpalette([0, 0, 0, 255, 0, 0])
    palette.paste(0, (0, 0, 1500, 1500))
    found = open_image(normalize_image(saved(palette, transparency=0)).content)
    assert (found.size, found.getpixel((10, 10))[3], found.getpixel((1990, 10))) == ((2000, 1000), 0, (255, 0, 0, 255))


def test_edges_of_transparent_areas_take_no_color_from_behind() -> None:
    clear = Image.new("RGBA", (3000, 900), (0, 255, 0, 0))
    clear.paste((255, 0, 0, 255), (0, 0, 1501, 900))
    found = np.asarray(open_image(normalize_image(saved(clear)).content))
    assert found[found[..., 3] > 20][:, 1].max() < 10


def test_sixteen_bit_grayscale_keeps_its_levels() -> None:
    steps = np.repeat(np.linspace(0, 65535, 64, dtype=np.uint16)[None, :], 8, axis=0)
    found = np.asarray(open_image(normalize_image(saved(Image.fromarray(steps))).content).convert("L"), np.int16)
    assert np.abs(found[4] - np.linspace(0, 255, 64)).max() < 6


def test_a_cmyk_image_keeps_its_colors() -> None:
    found = open_image(
        normalize_image(saved(Image.new("RGB", (60, 60), (200, 40, 40)).convert("CMYK"), "JPEG")).content
    )
    assert found.mode == "RGB"
    assert np.abs(np.array(found.getpixel((30, 30))) - (200, 40, 40)).max() < 12


def test_smaller_versions_are_stored_too() -> None:
    picture = normalize_image(saved(Image.linear_gradient("L").resize((800, 400)), "JPEG"))
    assert sorted(picture.narrower) == [width for width in WIDTHS if width < 800]
    assert [open_image(content).size for _, content in sorted(picture.narrower.items())] == [
        (width, width // 2) for width in WIDTHS if width < 800
    ]


def test_strips_leave_no_seam() -> None:
    whole = Image.effect_noise((2600, 2400), 80).convert("RGB")
    ours = image_worker._narrow_by_strips(whole, 1300).resize((1300, 1200), Image.Resampling.LANCZOS)
    assert np.array_equal(np.asarray(ours), np.asarray(whole.resize((1300, 1200), Image.Resampling.LANCZOS)))


@pytest.mark.parametrize(
    ("form", "mode", "size"),
    [
        ("PNG", "RGBA", (6000, 4000)),
        ("JPEG", "RGB", (6000, 4000)),
        ("JPEG", "CMYK", (6000, 4000)),
        ("GIF", "P", (6000, 4000)),
        ("WEBP", "RGBA", (4000, 3000)),
    ],
)
def test_the_largest_allowed_image_fits_in_the_memory_of_a_subprocess(
    form: str, mode: str, size: tuple[int, int]
) -> None:
    content = encoded(form, mode, size, **({"lossless": True, "method": 0} if form == "WEBP" else {}))
    assert max(normalize_image(content).width, normalize_image(content).height) == MAX_SIDE


@pytest.mark.parametrize(
    ("form", "mode", "size"),
    [
        ("PNG", "1", (20_000, 20_000)),
        ("PNG", "1", (70_000, 1)),
        ("PNG", "L", (6001, 4000)),
        ("JPEG", "L", (6001, 4000)),
        ("GIF", "P", (6001, 4000)),
        ("WEBP", "RGB", (4001, 3000)),
    ],
)
def test_too_many_pixels_are_rejected_before_decoding(
    form: str, mode: str, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    content = encoded(form, mode, size, **({"lossless": True, "method": 0} if form == "WEBP" else {}))
    # enough memory for the file, but not for its pixels
    monkeypatch.setattr(images, "image_pool", SubprocessPool(0.1, megabytes=12, seconds=5))
    with pytest.raises(ValueError, match="24 million pixels"):
        normalize_image(content)


def test_a_tiny_file_that_declares_huge_dimensions_is_rejected() -> None:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = chunk(b"IHDR", struct.pack(">IIBBBBB", 2**31 - 1, 2**31 - 1, 8, 6, 0, 0, 0))
    giants = [
        b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", zlib.compress(b"")) + chunk(b"IEND", b""),
        b"GIF89a"
        + struct.pack("<HH", 65535, 65535)
        + b"\x80\0\0\0\0\0\xff\xff\xff,"
        + struct.pack("<HHHH", 0, 0, 65535, 65535)
        + b"\0\2\2D\1\0;",
        b"RIFF" + struct.pack("<I", 30) + b"WEBPVP8X" + struct.pack("<I", 10) + b"\x12\0\0\0" + b"\xff\x3f\0" * 2,
    ]
    for giant in giants:
        with pytest.raises(ValueError, match="image"):
            normalize_image(giant)


@pytest.mark.parametrize("form", ["GIF", "WEBP"])
def test_only_the_first_frame_of_an_animation_is_read(form: str) -> None:
    frames = [Image.new("RGB", (60, 40), color) for color in ("red", "lime", "blue")]
    content = saved(frames[0], form, save_all=True, append_images=frames[1:] * 40)
    red, green, blue = open_image(normalize_image(content).content).convert("RGB").getpixel((20, 20))
    assert red > 240 and green < 15 and blue < 15


def test_data_after_an_image_is_removed() -> None:
    for whole in (encoded("PNG"), encoded("JPEG"), encoded("GIF")):
        assert b"<script>" not in normalize_image(whole + b"PK\x03\x04<script>alert(1)</script>").content


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"GIF89a",
        b"<svg xmlns='http://www.w3.org/2000/svg'/>",
        b"%PDF-1.4",
        encoded("BMP"),
        b"RIFF\0\0\0\0WAVEfmt ",
    ],
)
def test_other_content_is_rejected(content: bytes) -> None:
    with pytest.raises(ValueError, match="image"):
        normalize_image(content)


@pytest.mark.parametrize("form", ["PNG", "JPEG", "GIF", "WEBP"])
def test_a_truncated_image_is_rejected_with_a_text_for_people(form: str) -> None:
    whole = saved(Image.effect_noise((300, 300), 80).convert("RGB"), form)
    with pytest.raises(ValueError, match="can’t be read"):
        normalize_image(whole[: len(whole) // 2])


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(["PNG", "JPEG", "GIF", "WEBP"]), st.integers(0, 400), st.binary(min_size=1, max_size=20))
def test_a_damaged_image_raises_only_a_value_error(form: str, place: int, bytes_: bytes) -> None:
    whole = encoded(form)
    damaged = whole[:place] + bytes_ + whole[place + len(bytes_) :]
    assert image_worker.handle(damaged).startswith((b'{"problem": ', b'{"media_type": "image/'))


@pytest.mark.parametrize(("megabytes", "words"), [(1, "too long to process"), (12, "too long to process")])
def test_an_image_that_exceeds_the_limits_is_rejected_with_a_text_for_people(
    megabytes: int, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(images, "image_pool", SubprocessPool(0.1, megabytes=megabytes, seconds=5))
    with pytest.raises(ValueError, match=words):
        normalize_image(encoded("PNG", "RGB", (3000, 3000)))


def test_a_caller_that_would_wait_too_long_is_asked_to_try_again() -> None:
    with ExitStack() as stack:
        for _ in range(images.image_pool.slot_count):
            stack.enter_context(images.image_pool.reserve_slot())
        with pytest.raises(BusyError, match="Try again in a few seconds"):
            normalize_image(encoded("PNG"))
    assert normalize_image(encoded("PNG")).width == 40


@pytest.fixture(autouse=True)
def _limit_of_pillow_as_it_was() -> Iterator[None]:
    limit = Image.MAX_IMAGE_PIXELS
    Image.MAX_IMAGE_PIXELS = None  # the tests' own huge images
    yield
    Image.MAX_IMAGE_PIXELS = limit
