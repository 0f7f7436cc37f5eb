"""PDFs read by an independent reader: every guest is printed with their table."""

from __future__ import annotations

import re
from dataclasses import replace
from io import BytesIO

import pytest
from pypdf import PdfReader

from workspace.lib.errors import InvalidInputError
from workspace.products.seat.domain.pdf.print_chart import PrintChart, PrintGuest, PrintItem
from workspace.products.seat.domain.pdf.renderer import DESIGNED_KINDS, PAPER_SIZES_MM, Design, render_pdf
from workspace.products.seat.rules import alphabetical_names
from workspace.products.seat.rules.meal_icons import find_icon

pytestmark = pytest.mark.any_database

LONG = "Maximiliane-Friederike von Hohenlohe-Langenburg-Weikersheim und Sonnenberg zu Kaltenbach"
TABLES = [
    PrintItem("a", "7", "round", 8, 400, 400, 183, 183),
    PrintItem("b", "Roses", "rectangle", 6, 900, 400, 183, 76, 45),
]
GUESTS = [
    PrintGuest("Ben Berg", "a", party="Berg", meals=["Fish"], diet=["nuts"]),
    PrintGuest("Anna Berg", "b", party="Berg", meals=["Beef"]),
    PrintGuest("王小明", "a", meals=[""]),
    PrintGuest("محمد الأنصاري", "b", meals=["Fish"]),
    PrintGuest(LONG, "a", meals=["Fish"]),
    PrintGuest("Zoë Late", ""),
]
STAGE = PrintItem("s", "Stage", x=500, y=50, width=300, depth=100, kind="stage")
CHART = PrintChart("A wedding", TABLES, [STAGE], GUESTS, day="5 June 2027", courses=["Main course"])


def render_reader(kind: str, chart: PrintChart = CHART, paper: str | None = None) -> PdfReader:
    return PdfReader(BytesIO(render_pdf(chart, kind, paper)), strict=True)  # type: ignore[arg-type]


def render_text(kind: str, chart: PrintChart = CHART) -> str:
    return re.sub(r"\s+", " ", " ".join(page.extract_text() for page in render_reader(kind, chart).pages))


def test_the_poster_lists_seated_guests_by_surname() -> None:
    text = render_text("poster")
    assert text.index("Berg, Anna") < text.index("Berg, Ben") < text.index("王小明")
    assert "Late" not in text and "Roses" in text


@pytest.mark.parametrize(("paper", "millimetres"), [("a1", 594), ("24x36", 609.6)])
def test_a_poster_is_as_large_as_its_paper(paper: str, millimetres: float) -> None:
    poster = render_reader("poster_tables", paper=paper)
    assert len(poster.pages) == 1
    assert float(poster.pages[0].mediabox.width) / 72 * 25.4 == pytest.approx(millimetres, abs=0.1)


def test_a_place_card_has_its_name_on_both_sides_and_ten_fit_on_a_sheet() -> None:
    text = render_text("cards")
    assert text.count("Ben Berg") == 2 and text.count("Fish") == 6
    many = replace(CHART, guests=[PrintGuest(f"Guest {n}", "a") for n in range(11)])
    assert len(render_reader("cards", many).pages) == 2


def test_an_escort_card_of_a_party_at_two_tables_lists_who_sits_where() -> None:
    text = render_text("escort")
    assert "Table 7: Ben Berg" in text and "Roses: Anna Berg" in text


def test_meal_counts_in_the_kitchen_report_add_up_to_the_guests() -> None:
    text = render_text("kitchen")
    assert "5 guests at 2 tables · No table yet: 1" in text
    assert re.search(r"Total 3 1 2 6", text)  # fish, beef, none yet, all
    assert re.search(r"7 Ben Berg nuts", text)
    assert re.search(r"No meal yet Table Guest Course 7 王小明 Main course", text)


def test_each_table_has_a_number_sheet_and_the_check_in_list_contains_everyone() -> None:
    assert len(render_reader("numbers").pages) == 2
    assert "Late, Zoë" in render_text("door")


def test_the_plan_is_to_scale() -> None:
    [page] = render_reader("plan", paper="a3").pages
    assert "1 : 75" in page.extract_text() and "Stage" in page.extract_text()
    # the room is wider than deep
    assert float(page.mediabox.width) / 72 * 25.4 == pytest.approx(PAPER_SIZES_MM["a3"][1], abs=0.1)


@pytest.mark.parametrize("design", ["frame", "twigs", "band", "night"])
def test_every_design_prints_the_same_text_on_the_same_number_of_pages(design: Design) -> None:
    for kind in DESIGNED_KINDS:
        plain, reader = (PdfReader(BytesIO(render_pdf(CHART, kind, design=item))) for item in ("plain", design))  # type: ignore[arg-type]
        assert len(reader.pages) == len(plain.pages)
        words = ["".join("".join(page.extract_text() for page in reader.pages).split()) for reader in (plain, reader)]
        # names wrap differently in a poster's columns and between twigs
        assert kind.startswith("poster") or sorted(words[0]) == sorted(words[1])
        assert "Berg" in words[1] or kind == "numbers"


def test_an_unsupported_paper_size_is_refused() -> None:
    with pytest.raises(InvalidInputError, match="a4, letter"):
        render_pdf(CHART, "cards", "a1")


def test_list_names_start_with_the_surname() -> None:
    assert alphabetical_names.format_by_surname("Dr. Anna van Berg") == "van Berg, Dr. Anna"
    assert (
        alphabetical_names.format_by_surname("王小明") == "王小明"
        and alphabetical_names.format_by_surname("Cher") == "Cher"
    )
    assert alphabetical_names.format_by_surname("Anna Berg", "Aberg") == "Aberg"
    assert [alphabetical_names.heading_letter(item) for item in ("Ångström", "王小明", "محمد")] == ["A", "", "م"]


def test_meals_have_the_same_icon_in_three_languages() -> None:
    assert find_icon("Grilled fish") == find_icon("Fischfilet") == find_icon("Pescado")
    assert find_icon("Something else") == ""
