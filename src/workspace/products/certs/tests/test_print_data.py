"""Every design, as PDF and as image, with names of 1 to 120 letters in twenty scripts."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO
from itertools import cycle

import pytest
import zxingcpp
from PIL import Image
from pypdf import PageObject, PdfReader

from workspace.documents.typesetter import DocumentSheet, render_page_image, typeset_documents
from workspace.lib.errors import InvalidInputError
from workspace.products.certs.domain import print_data
from workspace.products.certs.domain.print_data import CertificateDesign, CertificateTexts, Signer
from workspace.testing.greetings import GREETINGS

ADDRESS = "https://example.com/v/7KQ2-M9XD-4TBP-0ZRA"
SIGNERS = [
    Signer("Prof. Annalena Freifrau von Hohenstein-Sigmaringen", "Vice President of Continuing Education"),
    *(Signer(f"Signer {number}", "Examiner") for number in range(3)),
]


def build_design(design: str, **more: object) -> CertificateDesign:
    data = {"intro": "This is to certify that", "body": "has completed {course}, on {date}", "signers": SIGNERS}
    return CertificateDesign(
        **{"title": "Certificate of Completion", "organization": "Sailing", "design": design, **data, **more}
    )  # type: ignore[arg-type]


def build_texts(name: str, **values: str) -> CertificateTexts:
    return CertificateTexts(
        name, ADDRESS, ADDRESS[-19:], {"course": "Navigation", "date": "today", **values}, [("Date", "today")]
    )


def test_every_design_fits_the_longest_names_on_one_page_within_its_margins() -> None:
    names = list(
        zip(print_data.DESIGNS, ["Wolfeschlegel" * 9, "Maria del Carmen " * 7, "W" * 120, "x"] * 2, strict=True)
    )
    shapes = [{"paper": "letter", "landscape": False}, {"paper": "a4", "landscape": True}]
    sheets = [
        DocumentSheet(print_data.build_print_data(build_design(design, **shape), build_texts(name.strip())), title="x")
        for number, (design, name) in enumerate(names)
        for shape in (shapes if number < 2 else shapes[number % 2 :][:1])
    ]
    for sheet, pdf in zip(sheets, typeset_documents(print_data.LAYOUT_PATH, sheets), strict=True):
        (page,) = PdfReader(BytesIO(pdf)).pages
        if sheet.data["design"] == "guilloche":  # its thousands of lines take long to parse
            continue
        begins = _begins(page)
        assert begins
        for x, y in begins:
            assert 20 < x < float(page.mediabox.width) - 20 and 20 < y < float(page.mediabox.height) - 20


def test_names_of_all_scripts_are_rendered() -> None:
    """Render a name in each script. A missing glyph raises an error in the renderer; a second page fails the test."""
    names = zip(
        GREETINGS.values(), cycle(design for design in print_data.DESIGNS if design != "guilloche"), strict=False
    )
    sheets = [
        DocumentSheet(print_data.build_print_data(build_design(design), build_texts(name)), title="x")
        for name, design in names
    ]
    for pdf in typeset_documents(print_data.LAYOUT_PATH, sheets):
        assert len(PdfReader(BytesIO(pdf)).pages) == 1


def _begins(page: PageObject) -> list[tuple[float, float]]:
    """Return the start position of each text element."""
    results: list[tuple[float, float]] = []

    def visit(text: str, cm: list[float], tm: list[float], *_: object) -> None:
        if text.strip():
            results.append(_place(cm, tm))

    page.extract_text(visitor_text=visit)
    return results


def _texts(page: PageObject) -> list[tuple[float, str]]:
    results: list[tuple[float, str]] = []
    page.extract_text(visitor_text=lambda text, cm, tm, *_: results.append((_place(cm, tm)[0], text)))
    return results


def _place(cm: list[float], tm: list[float]) -> tuple[float, float]:
    x, y = tm[4], tm[5]
    return cm[0] * x + cm[2] * y + cm[4], cm[1] * x + cm[3] * y + cm[5]


def test_the_pdf_contains_its_texts_and_the_qr_code_its_url() -> None:
    certificate_design = build_design(
        "classic", description="Four weekends at sea.", intro="{organization} certifies that"
    )
    sheet = print_data.build_print_data(certificate_design, build_texts("Ada Lovelace", course="Tides & Currents"))
    (pdf,) = typeset_documents(print_data.LAYOUT_PATH, [DocumentSheet(sheet, title="Ada's")])
    text = " ".join(PdfReader(BytesIO(pdf)).pages[0].extract_text().split())
    for words in ("Ada Lovelace", "Sailing certifies that", "has completed Tides & Currents, on today", "Examiner"):
        assert words in text
    png = render_page_image(
        print_data.LAYOUT_PATH, sheet, width=1600, points=print_data.page_width_points(certificate_design)
    )
    image = Image.open(BytesIO(png))
    assert abs(image.width - 1600) <= 1
    assert zxingcpp.read_barcode(image).text == ADDRESS.upper()


def test_the_widest_code_stays_on_one_line() -> None:
    wide = "MWMW-WMWM-MMWW-WWMM"
    (pdf,) = typeset_documents(
        print_data.LAYOUT_PATH,
        [
            DocumentSheet(
                print_data.build_print_data(build_design("classic"), replace(build_texts("Ada"), code=wide)), title="A"
            )
        ],
    )
    assert wide in PdfReader(BytesIO(pdf)).pages[0].extract_text().split()


def test_a_letter_that_cannot_be_printed_is_rejected_in_an_image_too() -> None:
    with pytest.raises(InvalidInputError, match="runic"):
        render_page_image(
            print_data.LAYOUT_PATH,
            print_data.build_print_data(build_design("night"), build_texts("\u16a0")),
            width=400,
            points=842,
        )


def test_placeholders_without_a_value_leave_nothing() -> None:
    assert print_data.split_placeholders("in {custom}", {"custom": "Rome"}) == [
        {"words": "in ", "strong": False},
        {"words": "Rome", "strong": True},
    ]
    assert print_data.split_placeholders(" {custom}", {}) == []
    assert print_data.find_unknown_placeholder("{name} of {nmae}") == "{nmae}"


def test_a_text_is_never_set_in_two_typefaces() -> None:
    """Check cases where a font has only some glyphs: Playfair has π but no other lowercase Greek letter.

    Outfit lacks the stacked diacritics of Vietnamese.
    """
    for name, design, face in (
        ("Αλεξάνδρα Παπαδοπούλου", "classic", "Noto Sans"),
        ("Константин Ї", "classic", "Playfair Display"),
        ("Константин", "modern", "Noto Sans"),
        ("Nguyễn Thị Tuyền", "modern", "Noto Sans"),
        ("Zoë Ångström (2) – ★", "modern", "Outfit"),
        ("Hồ Ngọc Hà", "night", "Playfair Display"),
    ):
        told = print_data.build_print_data(build_design(design), build_texts(name))["faces"]
        assert told["name"] == face and told["title"] != "Noto Sans"


def test_the_writing_direction_follows_the_language() -> None:
    """Check Punjabi in Gurmukhi, which is written from left to right, so its code is on the right."""
    sheets = [
        DocumentSheet(print_data.build_print_data(build_design("minimal"), build_texts("Ada")), title="x", language=tag)
        for tag in ("pa", "ar", "ckb")
    ]
    pages = [PdfReader(BytesIO(pdf)).pages[0] for pdf in typeset_documents(print_data.LAYOUT_PATH, sheets)]
    codes = [next(x for x, text in _texts(page) if ADDRESS[-19:-15] in text) for page in pages]
    assert codes[0] > 400 and codes[1] < 300 and codes[2] < 300


def test_colors_of_every_lightness_are_readable() -> None:
    for color in ("#ffffff", "#000000", "#ffe600", "#ff0000", "#123456"):
        for design in print_data.DESIGNS:
            hues = print_data.compute_colors([color], design)
            assert print_data.contrast_ratio(hues["main"], "#ffffff") >= 4.5
            assert print_data.contrast_ratio(hues["night"], "#f6f1e4") >= 7
