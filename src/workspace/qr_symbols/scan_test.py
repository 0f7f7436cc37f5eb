"""The scan test: a code is rendered, distorted as in real life, and read by two independent readers.

Without OpenCV (the extra `scan-test`), there is only one reader. OpenCV and numpy together are a third of a full
installation.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Literal, get_args

import zxingcpp

from workspace.qr_symbols.distortions import DISTORTIONS, GrayImage, render_drawing
from workspace.qr_symbols.style import Style
from workspace.qr_symbols.svg import render_symbol
from workspace.qr_symbols.symbol import encode_symbol, min_print_width

ScanVerdict = Literal["good", "risky", "unsafe"]
ReaderName = Literal["zxing", "opencv"]

_HAS_OPENCV = find_spec("cv2") is not None
_MIN_CONTRAST, _GOOD_CONTRAST = 2.0, 3.0  # contrast ratios
_MIN_OPENCV_PASSES = 4
"""OpenCV's reader fails on some pictures that phones can read, so this many of its six tests must pass."""


@dataclass(frozen=True)
class ScanTest:
    """The result of one reader for one image."""

    test: str
    reader: ReaderName
    passed: bool


@dataclass(frozen=True)
class ScanReport:
    """The result of a scan test.

    `verdict` is good (print it), risky (it works with most readers, see the advice) or unsafe (reject it).

    `score` is the share of passed tests, from 0 to 1. `contrast` is the WCAG ratio, up to 21, of the weakest color to
    the background (white if transparent). It is below 1 if the code is lighter than the background.
    """

    verdict: ScanVerdict
    score: float
    contrast: float
    tests: tuple[ScanTest, ...]
    advice: tuple[str, ...]


def check_scannability(style: Style, text: str, logo: bytes | None = None) -> ScanReport:
    """Test whether a code with this style and text can be scanned. The test is deterministic.

    Raise UnsafeStyleError if the code cannot be rendered at all.
    """
    symbol = encode_symbol(text, with_logo=logo is not None)
    tests = _run_tests(style, text, logo)
    score = sum(test.passed for test in tests) / len(tests)
    weakest, contrast = _weakest_contrast(style)
    verdict = _decide_verdict(style, contrast, tests)
    if verdict == "risky" and _HAS_OPENCV:
        # With any style, one text in several hundred fails in OpenCV's reader. The style is the cause only if the same
        # letters in another order fail, too.
        verdict = _decide_verdict(
            style,
            contrast,
            _filter_passed(tests, "zxing") + _filter_passed(_run_tests(style, text[::-1], logo), "opencv"),
        )
    hints = list(_color_hints(style, weakest, contrast))
    if verdict != "good":
        hints += _shape_hints(style, tests, logo is not None)
    return ScanReport(verdict, round(score, 3), round(contrast, 2), tests, (*hints, _print_hint(symbol.size)))


def _run_tests(style: Style, text: str, logo: bytes | None) -> tuple[ScanTest, ...]:
    picture = render_drawing(render_symbol(encode_symbol(text, with_logo=logo is not None), style, logo=logo))
    return tuple(
        ScanTest(name, reader, read(spoiled) == text)
        for name, spoil in DISTORTIONS.items()
        for spoiled in (spoil(picture),)
        for reader, read in _READERS.items()
    )


def _filter_passed(tests: tuple[ScanTest, ...], reader: ReaderName) -> tuple[ScanTest, ...]:
    return tuple(test for test in tests if test.passed and test.reader == reader)


def _decide_verdict(style: Style, contrast: float, tests: tuple[ScanTest, ...]) -> ScanVerdict:
    zxing, opencv = ({test.test for test in _filter_passed(tests, reader)} for reader in get_args(ReaderName))
    if contrast < _MIN_CONTRAST or "clean" not in zxing or len(zxing) < len(DISTORTIONS) - 1:
        return "unsafe"
    agreed = not _HAS_OPENCV or ("clean" in opencv and len(opencv) >= _MIN_OPENCV_PASSES)
    sure = len(zxing) == len(DISTORTIONS) and agreed
    return "good" if sure and contrast >= _GOOD_CONTRAST and style.background != "transparent" else "risky"


def _color_hints(style: Style, weakest: str, contrast: float) -> Iterator[str]:
    if contrast < 1:
        yield "Use a QR code that is darker than its background. Many phones can’t scan light on dark."
    elif contrast < _GOOD_CONTRAST:
        yield f"Choose a darker color than {weakest}, or a lighter background. They’re too similar."
    if style.background == "transparent":
        yield "Print it only on a plain, light surface, or choose a white background."
    if style.caption and _contrast_ratio(*_caption_colors(style)) < _GOOD_CONTRAST:
        yield "Choose a caption color that contrasts more with its background."


def _shape_hints(style: Style, tests: tuple[ScanTest, ...], with_logo: bool) -> Iterator[str]:
    if all(test.passed for test in tests):
        return
    if style.eye_frame == "circle":
        yield "Choose square, rounded or leaf corner frames. Some scanners miss round ones."
    if with_logo:
        yield "Make the logo and the space around it smaller, or remove the logo."
        if style.logo_knockout == "none":
            yield "Leave some space around the logo."
    if style.modules in ("dots", "vertical", "horizontal", "classy"):
        yield "Choose square, soft or rounded modules. They’re easier to scan."
    if any(not test.passed and test.test == "small" for test in tests):
        yield "Use a shorter link or text, so that the modules are larger."


def _print_hint(size: int) -> str:
    return (
        f"Print it at least {min_print_width(size):.2g} cm wide, and at least one tenth as wide as the scanning "
        "distance. For 1 meter, that’s 10 cm."
    )


def _read_with_zxing(picture: GrayImage) -> str:
    # Many phones do not look for light codes on dark backgrounds, so this test does not either.
    found = zxingcpp.read_barcodes(picture, formats=zxingcpp.BarcodeFormat.QRCode, try_invert=False)
    return found[0].text if found else ""


def _read_with_opencv(picture: GrayImage) -> str:
    import cv2
    import numpy as np

    try:
        return cv2.QRCodeDetector().detectAndDecode(np.asarray(picture))[0]
    except cv2.error:  # some images without a code cause an assertion error inside
        return ""


_READERS: dict[ReaderName, Callable[[GrayImage], str]] = {"zxing": _read_with_zxing}
if _HAS_OPENCV:
    _READERS["opencv"] = _read_with_opencv


def _relative_luminance(color: str) -> float:
    linear = (
        value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4
        for value in (int(color[at : at + 2], 16) / 255 for at in (1, 3, 5))
    )
    return sum(share * value for share, value in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def _contrast_ratio(ground: str, ink: str) -> float:
    return (_relative_luminance(ground) + 0.05) / (_relative_luminance(ink) + 0.05)


def _weakest_contrast(style: Style) -> tuple[str, float]:
    """Return the color that contrasts least with the background, and its contrast."""
    ground = _to_opaque(style.background)
    weakest = min(style.inks, key=lambda ink: _contrast_ratio(ground, ink))
    return weakest, _contrast_ratio(ground, weakest)


def _to_opaque(color: str) -> str:
    return "#ffffff" if color == "transparent" else color


def _caption_colors(style: Style) -> tuple[str, str]:
    """Return the caption's color and the color behind it, lighter one first."""
    ground = _to_opaque(style.background)
    colors = (
        (style.caption_color or ground, style.foreground)
        if style.frame == "banner"
        else (ground, style.caption_color or style.foreground)
    )
    first, second = sorted(colors, key=_relative_luminance, reverse=True)
    return first, second
