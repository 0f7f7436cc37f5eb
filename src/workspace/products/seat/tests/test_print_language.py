"""PDFs use the account's language throughout, and the kitchen report counts diets in any wording."""

from __future__ import annotations

import re
from io import BytesIO

import pytest
from pypdf import PdfReader

from workspace.products.seat.domain.meal_counts import count_meals
from workspace.products.seat.domain.pdf.chart_data import load_chart
from workspace.products.seat.domain.pdf.print_chart import PrintGuest
from workspace.products.seat.domain.pdf.renderer import render_pdf
from workspace.products.seat.models import Chart
from workspace.products.seat.rules.diet_terms import find_diets
from workspace.testing.api import Api
from workspace.testing.samples.seat import add, make_chart

ENGLISH = re.compile(r"Guest of|Child of|\((child|guest)\)|child.s chair|high chair|wheelchair|Vegetarian\b|Stage")


def text_of(content: bytes) -> str:
    return re.sub(r"\s+", " ", " ".join(page.extract_text() for page in PdfReader(BytesIO(content)).pages))


@pytest.fixture
def chart(api: Api) -> Chart:
    api.run("svc_account_edit", country="ES")
    api.run("svc_brand_edit", languages=["es"])
    made = make_chart(api, tables=[{"capacity": 8}, {"kind": "stage"}])
    id, table = made["chart"]["id"], made["items"][0]["id"]
    people = add(
        api,
        id,
        {"name": "Sara Pérez Gil", "diet": ["vegetarian"], "notes": "Vegetariana, sin gluten"},
        {"name": "Guest of Sara Pérez Gil", "sort_name": "Pérez Gil, Sara (guest)", "placeholder": True},
        {"name": "Child of Sara Pérez Gil (2)", "sort_name": "Pérez Gil, Sara (child)", "placeholder": True,
         "chair": "child"},
        {"name": "Luis Roca", "notes": "Celíaco", "chair": "high", "wheelchair": True},
        {"name": "Guest of Honor"},
    )  # fmt: skip
    seats = [{"id": person["id"], "table_id": table} for person in people]
    api.run("svc_seat_save_guests", event_id=id, items=seats)
    return Chart.objects.get(pk=id)


@pytest.mark.django_db
@pytest.mark.parametrize("kind", ["kitchen", "door", "poster", "cards", "plan"])
def test_a_spanish_pdf_contains_no_english_words(chart: Chart, kind: str) -> None:
    text = text_of(render_pdf(load_chart(chart), kind)).replace("Guest of Honor", "").replace("Honor, Guest of", "")  # type: ignore[arg-type]
    assert not ENGLISH.search(text), text
    if kind == "door":
        assert "Pérez Gil, Sara (acompañante)" in text
    if kind == "kitchen":
        assert "Niño o niña de Sara Pérez Gil" in text and "silla infantil" in text and "trona" in text
        assert "AsientoInvitado" not in text and "Asiento Invitado" in text
        assert "2 × Sin gluten" in text and "1 × Vegetariano" in text, text


@pytest.mark.django_db
def test_the_meal_table_stays_in_english_with_the_same_counts(api: Api, chart: Chart) -> None:
    url = api.run("svc_seat_export", event_id=chart.pk, kind="meals")
    assert count_meals(load_chart(chart, language="en")).diets == {"Gluten-free": 2, "Vegetarian": 1}
    assert url["media_type"].startswith("text/csv")


@pytest.mark.any_database
@pytest.mark.parametrize(
    ("note", "diets"),
    [
        ("vegana", ["vegan"]),
        ("VEGETARISCH, keine Nüsse", ["vegetarian", "nut_free"]),
        ("celíaca", ["gluten_free"]),
        ("Zöliakie", ["gluten_free"]),
        ("intolerante a la lactosa", ["lactose_free"]),
        ("alergia a los frutos secos", ["nut_free"]),
        ("Severe nut allergy", ["nut_free"]),
        ("alérgica al amendoim, sem glúten", ["gluten_free", "nut_free"]),
        ("Halal please", ["halal"]),
        ("koscher", ["kosher"]),
        ("Near the door. Minute steak.", []),
        ("Genuss und Musik; Nussbaumer family", []),
    ],
)
def test_known_words_are_recognized_as_diets(note: str, diets: list[str]) -> None:
    assert find_diets(note) == diets


@pytest.mark.any_database
def test_a_diet_that_is_both_chosen_and_noted_counts_once_per_guest() -> None:
    from workspace.products.seat.domain.pdf.print_chart import PrintChart as Paper

    guests = [
        PrintGuest("A", diet=["Vegan"], diets_in_notes=["Vegan", "Nut-free"]),
        PrintGuest("B", diets_in_notes=["Vegan"]),
    ]
    assert count_meals(Paper("Gala", guests=guests)).diets == {"Vegan": 2, "Nut-free": 1}
