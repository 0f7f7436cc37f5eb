import base64
import io
from itertools import product
from typing import get_args
from xml.etree import ElementTree

import pytest
from PIL import Image

from workspace.qr_symbols.png import render_png
from workspace.qr_symbols.style import PRESETS, BallShape, EyeShape, ModuleShape, Style, UnsafeStyleError
from workspace.qr_symbols.svg import render_svg
from workspace.qr_symbols.symbol import encode_symbol
from workspace.testing.code_readers import TEXT, read_with_each_reader

SVG = "{http://www.w3.org/2000/svg}"
BOTH = {"zxing": [TEXT], "opencv": [TEXT]}


def logo(kind: str) -> bytes:
    file = io.BytesIO()
    Image.new("RGB", (60, 60), "#c2410c").save(file, kind)
    return file.getvalue()


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_is_read_by_both_readers(name):
    assert read_with_each_reader(render_svg(TEXT, PRESETS[name]), 512) == BOTH


@pytest.mark.parametrize("modules", get_args(ModuleShape))
def test_all_shapes_together_are_read_by_both_readers(modules):
    frames = [shape for shape in get_args(EyeShape) if shape != "circle"]
    for frame, ball in product(frames, get_args(BallShape)):
        style = Style(modules=modules, eye_frame=frame, eye_ball=ball)
        assert read_with_each_reader(render_svg(TEXT, style), 512) == BOTH, style


@pytest.mark.parametrize("modules", get_args(ModuleShape))
def test_round_eye_frames_are_read_by_one_reader(modules):
    for ball in get_args(BallShape):
        style = Style(modules=modules, eye_frame="circle", eye_ball=ball)
        assert read_with_each_reader(render_svg(TEXT, style), 512)["zxing"] == [TEXT], style


@pytest.mark.parametrize("knockout", ["none", "square", "rounded", "circle"])
@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP"])
def test_a_code_with_the_largest_logo_is_read_by_both_readers(knockout, kind):
    style = Style(modules="rounded", logo_share=0.22, logo_padding=1, logo_knockout=knockout)
    drawing = render_svg(TEXT, style, logo=logo(kind))
    assert read_with_each_reader(drawing, 512) == BOTH
    image = ElementTree.fromstring(drawing).find(f".//{SVG}image")
    assert image is not None
    head, body = image.attrib["href"].split(",")
    assert head == f"data:image/{kind.lower()};base64" and base64.b64decode(body) == logo(kind)


@pytest.mark.parametrize("content", [b"", b"<svg onload=alert(1)>", b"GIF89a" + bytes(20), b"RIFF1234WAVE"])
def test_an_invalid_logo_is_rejected(content):
    with pytest.raises(UnsafeStyleError, match="PNG, JPEG or WebP"):
        render_svg(TEXT, Style(), logo=content)


@pytest.mark.parametrize("hostile", ["</text><script>alert(1)</script>"[:30], "<b>&amp;'\"", "]]>&lt;", "{{7*7}}"])
def test_peoples_text_stays_text(hostile):
    root = ElementTree.fromstring(render_svg(TEXT, Style(caption=hostile, frame="banner"), title=hostile * 3))
    assert root.find(f"{SVG}text").text == hostile
    assert root.find(f"{SVG}title").text == hostile * 3
    tags = {element.tag.removeprefix(SVG) for element in root.iter()}
    assert tags == {"svg", "title", "g", "path", "text"}


def test_a_title_has_no_characters_that_xml_forbids():
    assert ElementTree.fromstring(render_svg(TEXT, Style(), title="a\x00\x0b\ud800b")).find(f"{SVG}title").text == "ab"


def test_the_same_style_gives_the_same_bytes():
    style = Style(gradient="radial", modules="rounded", caption="Scan me")
    assert render_svg(TEXT, style) == render_svg(TEXT, style)


def test_two_drawings_in_one_page_share_no_name_for_different_gradients():
    def names(style: Style) -> set[str]:
        return {
            element.attrib["id"]
            for element in ElementTree.fromstring(render_svg(TEXT, style)).iter()
            if "id" in element.attrib
        }

    one = names(Style(gradient="linear"))
    assert one and one.isdisjoint(names(Style(gradient="linear", gradient_angle=90)))


def test_a_simple_code_is_a_small_file():
    assert len(render_svg(TEXT, Style())) < 2_000
    assert all(len(render_svg(TEXT, style)) < 14_000 for style in PRESETS.values())


def test_modules_are_whole_pixels_if_the_size_allows():
    picture = Image.open(io.BytesIO(render_png(render_svg(TEXT, Style()), 512))).convert("L")
    assert picture.size == (512, 512)
    assert set(picture.get_flattened_data()) == {0, 255}  # no edge is inside a pixel


@pytest.mark.parametrize("modules", ["square", "soft", "rounded", "classy"])
def test_adjacent_modules_have_no_seam(modules):
    """Check that adjacent modules form one solid area at a fractional scale."""
    picture = Image.open(io.BytesIO(render_png(render_svg(TEXT, Style(modules=modules)), 190))).convert("L")
    symbol, scale = encode_symbol(TEXT), 190 / 33
    runs = [(x, y) for x, y in symbol.dark if (x - 1, y) in symbol.dark and not symbol.is_in_eye((x, y))]
    assert len(runs) > 50
    assert {picture.getpixel((int((x + 4) * scale), int((y + 4.5) * scale))) for x, y in runs} == {0}


def test_the_quiet_zone_is_four_modules_wide():
    drawing = render_svg(TEXT, Style(frame="banner"))
    picture = Image.open(io.BytesIO(render_png(drawing, 1024))).convert("L")
    wide = float(ElementTree.fromstring(drawing).attrib["viewBox"].split()[2])
    scale = int(1024 / wide)
    symbol = (1024 - 25 * scale) / 2
    around = [(symbol - 3.9 * scale, 512), (symbol - 0.1 * scale, 512), (512, symbol - 3.9 * scale)]
    assert [picture.getpixel((int(x), int(y))) for x, y in around] == [255] * 3


def test_a_transparent_background_stays_transparent():
    picture = Image.open(io.BytesIO(render_png(render_svg(TEXT, Style(background="transparent")), 300)))
    assert picture.mode == "RGBA" and picture.getpixel((2, 2))[3] == 0


@pytest.mark.parametrize("caption", ["Scan me", "Čeština ÆØÅ", "Zażółć gęślą jaźń", "Ελληνικά", "Меню", "ẞ €"])
def test_captions_in_european_languages_are_rendered_without_system_fonts(caption):
    with_words = Image.open(io.BytesIO(render_png(render_svg(TEXT, Style(caption=caption)), 660))).convert("L")
    below = with_words.crop((0, 640, 660, with_words.height))
    assert below.height > 20
    ink = sum(value < 128 for value in below.get_flattened_data())
    assert ink > 30 * len(caption)


@pytest.mark.parametrize("width", [0, 127, 4097, -5])
def test_an_invalid_width_is_rejected(width):
    with pytest.raises(UnsafeStyleError, match="128 to 4096"):
        render_png(render_svg(TEXT, Style()), width)


@pytest.mark.parametrize("width", [128, 333, 1000, 4096])
def test_an_image_has_exactly_the_requested_width(width):
    assert Image.open(io.BytesIO(render_png(render_svg(TEXT, Style(caption="Scan me")), width))).width == width
