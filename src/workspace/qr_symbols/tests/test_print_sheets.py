import io
from itertools import chain

import numpy as np
import pytest
import zxingcpp
from pypdf import PdfReader

from workspace.qr_symbols import print_sheets as printing
from workspace.qr_symbols import typst_worker
from workspace.qr_symbols.print_sheets import SheetEntry, render_poster, render_sheet
from workspace.qr_symbols.style import PRESETS, Style, UnsafeStyleError
from workspace.qr_symbols.svg import render_svg
from workspace.testing.code_readers import read_with_zxing, to_gray_pixels

HOSTILE = [
    "#panic(1)",
    "$x^2$ *bold* _it_ \\alpha `raw`",
    '#import "/etc/passwd": *',
    "@label <b>&amp;",
    "مطعم الياسمين",
    "喫茶店",
    "🍜🍣",
    "a\x00b\u202ec",
    "",
    "long " * 60,
]


def text_of(number: int) -> str:
    return f"HTTPS://GO.EXAMPLE.COM/Q/SHEET{number:03}"


def entries(count: int, style: Style | None = None, name: str = "Table") -> list[SheetEntry]:
    return [
        SheetEntry(
            render_svg(text_of(number), style or Style()), f"go.example.com/q/sheet{number:03}", f"{name} {number}"
        )
        for number in range(count)
    ]


def decode_pages(layout: str, data: dict) -> list[list[str]]:
    """Return the codes on every page, read from pixels of the same document."""
    pictures = typst_worker.compile_layout(layout, data, format="png", ppi=150.0)
    pictures = [pictures] if isinstance(pictures, bytes) else pictures
    return [sorted(read_with_zxing(to_gray_pixels(picture))) for picture in pictures]


@pytest.mark.parametrize(("paper", "size"), [("a4", (595, 842)), ("letter", (612, 792))])
def test_every_code_on_the_sheet_can_be_scanned(paper, size):
    styles = list(PRESETS.values())
    rows = [entry for number in range(14) for entry in [entries(number + 1, styles[number % 10])[-1]]]
    pages = decode_pages("sheet.typ", printing._sheet_data(rows, paper, 3, "Codes"))
    assert len(pages) == 2
    assert sorted(chain(*pages)) == [text_of(number) for number in range(14)]
    pdf = PdfReader(io.BytesIO(render_sheet(rows, paper=paper)))
    assert len(pdf.pages) == 2
    assert tuple(round(float(side)) for side in pdf.pages[0].mediabox[2:]) == size


@pytest.mark.parametrize("columns", [1, 2, 4, 6])
def test_all_codes_are_printed_with_any_number_of_columns(columns):
    pages = decode_pages("sheet.typ", printing._sheet_data(entries(5), "a4", columns, "Codes"))
    assert sorted(chain(*pages)) == [text_of(number) for number in range(5)]


def test_each_code_has_its_words_the_business_and_the_address():
    words = PdfReader(io.BytesIO(render_sheet(entries(3), business="Corner Café"))).pages[0].extract_text()
    for number in range(3):
        assert f"Table {number}" in words and f"go.example.com/q/sheet{number:03}" in words
    assert words.count("Corner Café") == 3


@pytest.mark.parametrize("tent", [False, True])
def test_the_metadata_contains_only_the_business(tent):
    for pdf in (
        render_sheet(entries(1), business="Corner Café"),
        render_poster(entries(1)[0], business="Corner Café", tent=tent),
    ):
        read = PdfReader(io.BytesIO(pdf))
        assert read.metadata.title == "Corner Café" and read.xmp_metadata.dc_title == {"x-default": "Corner Café"}
        assert not read.metadata.author and not read.metadata.subject and not read.metadata.keywords
    assert PdfReader(io.BytesIO(render_poster(entries(1)[0]))).metadata.title == "QR codes"


@pytest.mark.parametrize("name", HOSTILE)
def test_any_name_is_printed_unchanged(name):
    entry = SheetEntry(render_svg(text_of(1), Style(caption="Scan me")), name, name)
    for pdf in (render_sheet([entry], business=name), render_poster(entry, business=name)):
        words = PdfReader(io.BytesIO(pdf)).pages[0].extract_text()
        if name.isascii() and name.isprintable() and 0 < len(name) < 40:
            assert words.replace(" ", "").count(name.replace(" ", "")) >= 2
    assert decode_pages("sheet.typ", printing._sheet_data([entry], "a4", 3, name)) == [[text_of(1)]]


def test_long_names_are_shortened_with_an_ellipsis():
    words = PdfReader(io.BytesIO(render_sheet([SheetEntry(render_svg(text_of(1), Style()), "x", "word " * 60)]))).pages[
        0
    ]
    assert "…" in words.extract_text()


def test_the_same_codes_give_the_same_bytes():
    assert render_sheet(entries(2)) == render_sheet(entries(2))


@pytest.mark.parametrize("tent", [False, True])
@pytest.mark.parametrize("paper", ["a6", "a5", "a4", "letter"])
def test_a_poster_has_one_code_and_a_tent_two(paper, tent):
    data = printing._poster_data(entries(1, PRESETS["bistro"])[0], "Corner Café", paper, tent)
    assert decode_pages("poster.typ", data) == [[text_of(0)] * (2 if tent else 1)]


def test_a_tent_can_be_read_from_both_sides_of_the_table():
    data = printing._poster_data(entries(1)[0], "Corner Café", "a5", True)
    page = to_gray_pixels(typst_worker.compile_layout("poster.typ", data, format="png", ppi=100.0))
    turns = [abs(code.orientation) for code in zxingcpp.read_barcodes(np.ascontiguousarray(page))]
    assert sorted(turns) == [0, 180]


def test_a_poster_shows_the_call_the_business_and_the_address():
    page = PdfReader(io.BytesIO(render_poster(entries(1, name="Book a table")[0], business="Corner Café"))).pages
    words = page[0].extract_text()
    assert len(page) == 1
    assert all(part in words for part in ("Book a table", "Corner Café", "go.example.com/q/sheet000"))


@pytest.mark.parametrize(
    ("rows", "columns", "reason"),
    [(0, 3, "at least one"), (501, 3, "at most 500"), (1, 0, "1 to 6"), (1, 7, "1 to 6")],
)
def test_an_unprintable_sheet_is_rejected_with_a_reason(rows, columns, reason):
    with pytest.raises(UnsafeStyleError, match=reason):
        render_sheet([SheetEntry("<svg/>", "", "")] * rows, columns=columns)
