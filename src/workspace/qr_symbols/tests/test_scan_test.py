import io
import subprocess
import sys
import time

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from workspace.qr_symbols import scan_test
from workspace.qr_symbols.png import render_png
from workspace.qr_symbols.scan_test import check_scannability
from workspace.qr_symbols.style import PRESETS, Style
from workspace.qr_symbols.svg import render_svg
from workspace.testing.code_readers import TEXT, read_with_opencv, read_with_zxing, to_gray_pixels


def logo() -> bytes:
    file = io.BytesIO()
    Image.effect_noise((90, 90), 90).convert("RGB").save(file, "PNG")
    return file.getvalue()


LOGO = logo()


def test_black_on_white_is_good_and_passes_everything():
    report = check_scannability(Style(), TEXT)
    assert (report.verdict, report.score, report.contrast) == ("good", 1.0, 21.0)
    assert {(test.test, test.reader) for test in report.tests} == {
        (test, reader)
        for test in ("clean", "blur", "small", "tilted", "dim", "screen")
        for reader in ("zxing", "opencv")
    }


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_is_good(name):
    assert check_scannability(PRESETS[name], TEXT).verdict == "good"


def test_a_light_code_on_a_dark_background_is_unsafe_with_advice():
    report = check_scannability(Style(foreground="#ffffff", background="#101010"), TEXT)
    assert report.verdict == "unsafe" and report.contrast < 1
    assert "darker than its background" in report.advice[0]


@pytest.mark.parametrize("colors", [("#d0d0d0", "#ffffff"), ("#ffd400", "#ffffff"), ("#101010", "#303030")])
def test_colors_with_low_contrast_are_unsafe(colors):
    report = check_scannability(Style(foreground=colors[0], background=colors[1]), TEXT)
    assert report.verdict == "unsafe"
    assert report.advice


def test_the_weakest_color_decides_and_is_named():
    report = check_scannability(Style(eye_ball_color="#ffe08a"), TEXT)
    assert report.verdict == "unsafe" and "#ffe08a" in report.advice[0]
    assert check_scannability(Style(gradient="linear", gradient_end="#ffe08a"), TEXT).verdict == "unsafe"
    assert check_scannability(Style(gradient="none", gradient_end="#ffe08a"), TEXT).verdict == "good"


def test_a_logo_that_covers_too_much_is_unsafe():
    allowed = Style(logo_share=0.22)
    assert check_scannability(allowed, TEXT, LOGO).verdict == "good"
    report = check_scannability(allowed.model_copy(update={"logo_share": 0.45}), TEXT, LOGO)
    assert report.verdict == "unsafe"
    assert any("logo" in hint for hint in report.advice)


def test_round_eyes_are_risky_because_one_reader_overlooks_them():
    report = check_scannability(Style(eye_frame="circle"), TEXT)
    assert report.verdict == "risky"
    assert all(test.passed == (test.reader == "zxing") for test in report.tests)
    assert "corner frames" in report.advice[0]


def test_a_text_that_one_reader_fails_on_does_not_make_its_style_risky(monkeypatch):
    def trips_over_one(picture):
        return scan_test._read_with_zxing(picture).replace(TEXT, "")

    monkeypatch.setitem(scan_test._READERS, "opencv", trips_over_one)
    report = check_scannability(Style(), TEXT)
    assert (report.verdict, report.score) == ("good", 0.5)
    monkeypatch.setitem(scan_test._READERS, "opencv", lambda picture: "")
    assert check_scannability(Style(), TEXT).verdict == "risky"


def test_a_transparent_background_is_risky_at_best():
    report = check_scannability(Style(background="transparent"), TEXT)
    assert report.verdict == "risky" and report.score == 1
    assert "light surface" in report.advice[0]


def test_an_unreadable_caption_is_reported():
    hints = check_scannability(Style(caption="Scan me", caption_color="#f0f0f0"), TEXT).advice
    assert any("caption" in hint for hint in hints)
    on_banner = Style(caption="Scan me", caption_color="#f0f0f0", frame="banner")
    assert not any("caption" in hint for hint in check_scannability(on_banner, TEXT).advice)


def test_the_print_size_is_always_reported():
    assert check_scannability(Style(), TEXT).advice[-1].startswith("Print it at least 2 cm wide")
    assert check_scannability(Style(), "https://example.com/" + "x" * 300).advice[-1].startswith("Print it at least 3.")


def test_the_result_is_deterministic():
    style = Style(foreground="#7a8a10", modules="dots", eye_frame="leaf")
    assert check_scannability(style, TEXT, LOGO) == check_scannability(style, TEXT, LOGO)


def test_a_check_is_fast():
    begin = time.process_time()
    check_scannability(PRESETS["midnight"], TEXT, LOGO)
    assert time.process_time() - begin < 0.6


def colors(low: int, high: int) -> st.SearchStrategy[str]:
    channel = st.integers(low, high)
    return st.builds("#{:02x}{:02x}{:02x}".format, channel, channel, channel)


FIELDS = Style.model_json_schema()["properties"]
ANY_STYLE = st.builds(
    Style,
    foreground=colors(0, 150),
    background=colors(150, 255),
    gradient_end=colors(0, 150),
    gradient_angle=st.integers(0, 359),
    eye_frame_color=st.just("") | colors(0, 150),
    eye_ball_color=st.just("") | colors(0, 150),
    caption=st.sampled_from(["", "Scan me", "Überraschung für Gäste"]),
    logo_share=st.floats(0.08, 0.22),
    logo_padding=st.floats(0, 1),
    **{
        name: st.sampled_from(FIELDS[name]["enum"])
        for name in ("gradient", "modules", "eye_ball", "frame", "logo_knockout")
    },
    eye_frame=st.sampled_from(["square", "rounded", "leaf"]),  # a circle is never rated as good
)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(
    style=ANY_STYLE,
    with_logo=st.booleans(),
    slug=st.text("ABCDEFGHJKMNPQRSTVWXYZ23456789", min_size=3, max_size=30),
)
def test_a_good_style_is_read_by_both_readers_at_any_size(style, with_logo, slug):
    text, mark = f"HTTPS://GO.EXAMPLE.COM/Q/{slug}", LOGO if with_logo else None
    if check_scannability(style, text, mark).verdict != "good":
        return
    for width in (200, 400, 1024):
        picture = to_gray_pixels(render_png(render_svg(text, style, logo=mark), width))
        assert read_with_zxing(picture) == [text]
        # A scanner sees many images per second, so OpenCV gets three attempts.
        nearer = cv2.resize(picture, None, fx=0.7, fy=0.7, interpolation=cv2.INTER_AREA)
        softer = cv2.GaussianBlur(picture, (0, 0), 0.006 * width)
        assert any(read_with_opencv(np.ascontiguousarray(image)) == [text] for image in (picture, nearer, softer))


WITHOUT = """
import importlib.util, sys
sys.modules["cv2"] = sys.modules["numpy"] = None
found = importlib.util.find_spec
importlib.util.find_spec = lambda name: None if name == "cv2" else found(name)
from workspace.qr_symbols.scan_test import check_scannability
from workspace.qr_symbols.style import Style
good = check_scannability(Style(), "HTTPS://EXAMPLE.COM/Q/ABCDEF")
assert (good.verdict, good.score, {test.reader for test in good.tests}) == ("good", 1.0, {"zxing"}), good
assert check_scannability(Style(foreground="#cccccc"), "HTTPS://EXAMPLE.COM/Q/ABCDEF").verdict == "unsafe"
"""


def test_one_reader_decides_if_the_other_is_not_installed() -> None:
    subprocess.run([sys.executable, "-c", WITHOUT], check=True, timeout=120)
