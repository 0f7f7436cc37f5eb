"""Documents as other readers see them: all scripts and directions, PDF/A, and no text is executed."""

from __future__ import annotations

import unicodedata
from datetime import UTC, datetime
from io import BytesIO
from typing import Any

import pytest
from pypdf import PdfReader

from workspace.documents import document_blocks, typesetter
from workspace.documents.document_blocks import (
    DocumentTable,
    Drawing,
    FactTable,
    Heading,
    HorizontalRule,
    ListEntry,
    PageBreak,
    Paragraphs,
    PriceTable,
    RichList,
    RichParagraph,
    SignatureGrid,
    SignatureSlot,
    TextRun,
)
from workspace.documents.typesetter import (
    Attachment,
    DocumentSheet,
    DocumentTooComplexError,
    typeset_document,
    typeset_documents,
    typeset_leniently,
)
from workspace.lib.errors import InvalidInputError
from workspace.lib.subprocess_worker.pool import SubprocessPool
from workspace.testing.greetings import GREETINGS

AT = datetime(2026, 11, 21, 12, tzinfo=UTC)


IN_NO_FONT = "\ubd0f\u08e6\u302a \u264c\u1de5\u09c1"  # marks of three scripts


def typeset(
    *blocks: document_blocks.Block, language: str = "en", attachments: tuple[Attachment, ...] = ()
) -> PdfReader:
    pdf = typeset_document(
        document_blocks.LAYOUT,
        document_blocks.build_document_data(blocks),
        title="A paper",
        language=language,
        attachments=attachments,
        at=AT,
    )
    return PdfReader(BytesIO(pdf), strict=True)


def letters(text: str) -> list[str]:
    """Return letters without marks and spaces, sorted, because readers return right-to-left lines in visual order."""
    return sorted(char for char in unicodedata.normalize("NFKD", text) if unicodedata.category(char)[0] == "L")


def test_all_scripts_can_be_on_one_page() -> None:
    page = typeset(*(Paragraphs(text) for text in GREETINGS.values())).pages[0].extract_text()
    for script in ("Latin", "Greek", "Cyrillic", "Armenian", "Georgian", "Hebrew", "Ethiopic", "Han", "kana", "Hangul"):
        assert set(letters(GREETINGS[script])) <= set(letters(page)), script
    assert "Łukasz" in page and "您好" in page


def test_each_letter_has_a_glyph_and_the_fonts_are_embedded() -> None:
    reader = typeset(*(Paragraphs(text) for text in GREETINGS.values()))
    fonts = [font.get_object() for font in reader.pages[0]["/Resources"]["/Font"].values()]
    below = [font["/DescendantFonts"][0].get_object() for font in fonts]
    named = {str(font["/BaseFont"]).partition("+")[2] for font in below}
    assert len(named) >= 20 and all("Noto" in name for name in named)
    for font in below:
        assert {"/FontFile2", "/FontFile3"} & set(font["/FontDescriptor"].get_object())


def test_a_document_is_pdf_a() -> None:
    """Check the metadata of ISO 19005-3, level B."""
    reader = typeset(Heading("Quote"), Paragraphs("Text"))
    root = reader.trailer["/Root"]
    told = reader.xmp_metadata
    assert told is not None
    marks = told.rdf_root.toxml()
    assert "pdfaid:part>3<" in marks and "pdfaid:conformance>B<" in marks
    assert root["/OutputIntents"][0]["/S"] == "/GTS_PDFA1" and root["/MarkInfo"]["/Marked"]
    assert root["/Lang"] == "en" and reader.metadata is not None and reader.metadata.title == "A paper"
    assert reader.metadata.creation_date == AT


def test_attachments_are_returned_byte_for_byte() -> None:
    record = '{"name":"Ærøskøbing \\u0000 ☃","sum":97650}'
    both = (Attachment("record.json", record, "The record"), Attachment("words.txt", "é\n", "Words", "text/plain"))
    reader = typeset(Paragraphs("x"), attachments=both)
    assert {name: content[0] for name, content in reader.attachments.items()} == {
        "record.json": record.encode(),
        "words.txt": "é\n".encode(),
    }
    (first, _) = reader.trailer["/Root"]["/AF"]
    assert first.get_object()["/AFRelationship"] == "/Data"
    assert first.get_object()["/EF"]["/F"]["/Subtype"] == "/application/json"


def test_peoples_text_is_never_markup() -> None:
    nasty = (
        '*b* _i_ #let x = 1 #{panic("no")} $x^2$ <label> @ref [a] `code` = Head // note \\ "q" #image("/etc/passwd")'
    )
    facts = FactTable([(nasty, nasty)])
    table = DocumentTable([nasty], [[nasty]], ["start"], [1])
    prices = PriceTable(["Item"], [([nasty], nasty, False)], [(nasty, "1", True)])
    signatures = SignatureGrid([SignatureSlot(nasty, typed=nasty, facts=[(nasty, nasty)])], nasty)
    reader = typeset(Heading(nasty), Paragraphs(nasty), facts, table, prices, signatures)
    page = " ".join(one.extract_text() for one in reader.pages)
    assert page.replace("\n", " ").count("panic(") == 14 and "root:" not in page


def test_a_fingerprint_is_not_broken_across_lines() -> None:
    facts = FactTable(
        [("Fingerprint of what was approved", "d54bf6b3f8e41db1c50de750c1dc529fb87c3522ccfa18383b1a394562f7f817")]
    )
    assert facts.rows[0][1] in typeset(facts).pages[0].extract_text()


def test_right_to_left_text_starts_at_the_right() -> None:
    """Check the visual order of columns and lines.

    The first column is at the right of an Arabic document, and at the left of an English one. A line in the other
    direction keeps its order.
    """

    def places(language: str, text: str) -> dict[str, float]:
        found: dict[str, float] = {}

        def record_position(text: str, user: list[float], matrix: list[float], *_: object) -> None:
            for word in ("First", "Second"):
                if word in text:
                    found[word] = matrix[4] * user[0] + user[4]

        table = DocumentTable(["First", "Second"], [[text, "2"]], ["start", "end"], [1, 1])
        typeset(table, language=language).pages[0].extract_text(visitor_text=record_position)
        return found

    left, right = places("en", "مرحبا"), places("ar", "مرحبا")
    assert left["First"] < left["Second"] and right["First"] > right["Second"]


def test_a_character_without_a_font_is_rejected_at_its_path() -> None:
    with pytest.raises(InvalidInputError) as refused:
        typeset(Paragraphs("fine"), Paragraphs("ᚠ"))
    assert refused.value.issues[0].path == "blocks.1.words"
    with pytest.raises(InvalidInputError) as refused:
        typeset_document(document_blocks.LAYOUT, document_blocks.build_document_data([]), title="ᚠ")
    assert refused.value.issues[0].path == "title"


def test_characters_that_no_font_combines_are_rejected_and_not_shown_as_boxes() -> None:
    with pytest.raises(InvalidInputError) as refused:
        typeset(Paragraphs("fine"), Paragraphs(IN_NO_FONT))
    assert refused.value.issues[0].path == "blocks.1.words" and "one character" in refused.value.message


def test_agreed_text_is_printed_with_code_points_for_such_characters() -> None:
    data = document_blocks.build_document_data([Paragraphs(f"ᚠ, {IN_NO_FONT}")], footer="Bakery ᚠ")
    text = PdfReader(BytesIO(typeset_leniently(document_blocks.LAYOUT, data, title="ᚠ"))).pages[0].extract_text()
    assert "U+16A0" in text and "U+264C" in text and "akery U+16A0" in text


def test_many_documents_are_made_by_one_subprocess_each_with_its_own_content() -> None:
    sheets = [
        DocumentSheet(
            document_blocks.build_document_data([Heading(f"Number {n}")]),
            f"Paper {n}",
            "en",
            [Attachment("n.json", str(n), "n")],
            AT,
        )
        for n in range(3)
    ]
    for number, pdf in enumerate(typeset_documents(document_blocks.LAYOUT, sheets)):
        reader = PdfReader(BytesIO(pdf))
        assert f"Number {number}" in reader.pages[0].extract_text()
        assert reader.attachments["n.json"] == [str(number).encode()]
    sheets[2] = DocumentSheet(document_blocks.build_document_data([Paragraphs("ᚠ")]), "Paper")
    with pytest.raises(InvalidInputError) as refused:
        typeset_documents(document_blocks.LAYOUT, sheets)
    assert refused.value.issues[0].path == "2.blocks.0.words"


def test_the_same_data_gives_the_same_bytes() -> None:
    once, again = (
        typeset_document(document_blocks.LAYOUT, document_blocks.build_document_data([Heading("骨")]), title="t", at=AT)
        for _ in range(2)
    )
    assert once == again


def test_long_content_stays_within_the_page() -> None:
    rows = [[f"{n} " + "x" * 200, "€ 1,000.00"] for n in range(300)]
    table = DocumentTable(["What", "Price"], [*rows, ["Total", "€ 1"]], ["start", "end"], [1, 0], totals=1)
    reader = typeset(Heading("y" * 300), table, HorizontalRule(), PageBreak(), Paragraphs("z" * 5000, small=True))
    assert len(reader.pages) > 10
    assert all("What" in page.extract_text() for page in reader.pages[:5])  # the header is repeated
    assert all(
        page.extract_text().rstrip().endswith(f"{n} / {len(reader.pages)}") for n, page in enumerate(reader.pages, 1)
    )


def test_an_image_has_a_text_alternative() -> None:
    svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9z"/></svg>'
    reader = typeset(Drawing(svg, 30, "A signature"))
    assert b"A signature" in b"".join(
        str(reader.get_object(number)).encode() for number in range(1, int(reader.trailer["/Size"])) if number
    )


def test_too_long_a_document_is_rejected_and_costs_no_more_than_its_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(typesetter, "render_pool", SubprocessPool(1, megabytes=60, seconds=5))
    with pytest.raises(DocumentTooComplexError):
        typeset(*[Paragraphs("word " * 2000) for _ in range(400)])


def test_emphasis_and_lists_are_typeset_as_written() -> None:
    runs = [
        TextRun("We ride "),
        TextRun("single kayaks", strong=True),
        TextRun(" in "),
        TextRun("sight of the bank", slanted=True),
    ]
    entries = RichList(
        [ListEntry("1.", [TextRun("One")]), ListEntry("•", [TextRun("deeper")], 1), ListEntry("•", [TextRun("نقطة")])]
    )
    page = typeset(RichParagraph(runs), entries).pages[0]
    fonts: dict[str, set[str]] = {}
    slants: set[str] = set()

    def record_font(text: str, matrix: list[float], placed: list[float], font: Any, size: float) -> None:
        fonts.setdefault(str(font["/BaseFont"]).rpartition("-")[2] if font else "", set()).update(text.split())
        if abs(matrix[2]) > 0.1:
            slants.update(text.split())

    words = " ".join(page.extract_text(visitor_text=record_font).split())
    assert "We ride single kayaks in sight of the bank" in words and "1. One" in words and "deeper" in words
    assert {"single", "kayaks"} <= fonts["Bold"] and "ride" in fonts["Regular"]
    assert "sight" in slants and "single" not in slants
