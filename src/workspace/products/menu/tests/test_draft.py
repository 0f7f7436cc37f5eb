"""Parsing of a pasted menu or a table: sections, dishes, prices, and questions."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workspace.lib.errors import InvalidInputError
from workspace.products.menu.domain.importer import allergen_codes, table_parser, text_parser
from workspace.products.menu.domain.importer.draft import (
    ABOUT,
    DISH,
    MEND,
    OUT,
    SECTION,
    LineChoice,
    MenuDraft,
    PriceFormat,
    apply_choices,
    format_choices,
    parse_choices,
)


def dishes(draft: MenuDraft) -> list[tuple[str, dict[str, Any]]]:
    return [(dish.section, dish.fields) for dish in draft.dishes]


def list_unclear(draft: MenuDraft) -> list[tuple[int, str]]:
    return [(line.number, line.guess) for line in draft.unclear]


def parse_draft(text: str) -> MenuDraft:
    return text_parser.parse_text(text, "EUR")


@pytest.mark.parametrize(
    ("line", "fields"),
    [
        ("Margherita 8,50", {"name": "Margherita", "price": "8.50"}),
        ("Margherita ........ 8.50 €", {"name": "Margherita", "price": "8.50"}),
        ("Margherita … € 8,50", {"name": "Margherita", "price": "8.50"}),
        ("Margherita\t8,50", {"name": "Margherita", "price": "8.50"}),
        ("Margherita; 8,50", {"name": "Margherita", "price": "8.50"}),
        ("Margherita, 8,50 €", {"name": "Margherita", "price": "8.50"}),
        ("• Margherita – 8,-", {"name": "Margherita", "price": "8.00"}),
        ("€8.50 Margherita", {"name": "Margherita", "price": "8.50"}),
        ("Margherita 8,50 EUR", {"name": "Margherita", "price": "8.50"}),
        ("Champagner 1.250,00", {"name": "Champagner", "price": "1250.00"}),
        ("Espresso 1,2", {"name": "Espresso", "price": "1.20"}),
        ("23. Funghi 9", {"name": "23. Funghi", "price": "9.00"}),
        ("7Up 3", {"name": "7Up", "price": "3.00"}),
        ("Steak ab 19,90", {"name": "Steak", "price": "19.90", "price_from": True}),
        ("Fisch des Tages – Tagespreis", {"name": "Fisch des Tages", "price_note": "Tagespreis"}),
        ("Pizza - tomato, basil 8", {"name": "Pizza", "description": "tomato, basil", "price": "8.00"}),
        ("Pizza\ttomato, basil\t8", {"name": "Pizza", "description": "tomato, basil", "price": "8.00"}),
        ("12\tPizza\ttomato\t8,5", {"name": "12 Pizza", "description": "tomato", "price": "8.50"}),
        ("حمص ٢٥٫٥٠", {"name": "حمص", "price": "25.50"}),
        ("Cola 0,4 l 3,90", {"name": "Cola 0,4 l", "price": "3.90"}),
        (
            "Cola 0,2 l 2,50 / 0,4 l 3,90",
            {"name": "Cola", "variants": [{"name": "0,2 l", "price": "2.50"}, {"name": "0,4 l", "price": "3.90"}]},
        ),
        (
            "Soup: small 4; large 6",
            {"name": "Soup", "variants": [{"name": "small", "price": "4.00"}, {"name": "large", "price": "6.00"}]},
        ),
    ],
)
def test_a_line_with_a_dish_is_parsed(line: str, fields: dict[str, Any]) -> None:
    assert dishes(parse_draft(line)) == [("", fields)]


def test_sections_and_descriptions_are_distinguished_by_position() -> None:
    draft = parse_draft(
        "STARTERS\n\nSoup 6,50\nwith basil\nBruschetta 7\nGarlic, tomato\n\nOur pizzas\nfrom the wood oven\n"
        "Margherita 8\nTomato\n\nGETRÄNKE:\nCola\n0,2 l 2,50\n0,4 l 3,90\n"
    )
    sizes = [{"name": "0,2 l", "price": "2.50"}, {"name": "0,4 l", "price": "3.90"}]
    assert dishes(draft) == [
        ("STARTERS", {"name": "Soup", "price": "6.50", "description": "with basil"}),
        ("STARTERS", {"name": "Bruschetta", "price": "7.00", "description": "Garlic, tomato"}),
        ("Our pizzas", {"name": "Margherita", "price": "8.00", "description": "Tomato"}),
        ("GETRÄNKE", {"name": "Cola", "variants": sizes}),
    ]
    assert draft.about == {"Our pizzas": "from the wood oven"}
    assert draft.unclear == []


def test_empty_lines_after_every_line_have_no_meaning() -> None:
    draft = parse_draft("Starters\n\nSoup 5\n\nwith bread\n\nSalad 6\n\nwith nuts\n\nMains\n\nPizza 8\n\nwith cheese\n")
    assert [(section, fields["description"]) for section, fields in dishes(draft)] == [
        ("Starters", "with bread"),
        ("Starters", "with nuts"),
        ("Mains", "with cheese"),
    ]


def test_short_lines_between_dishes_become_questions_if_no_empty_lines_separate_sections() -> None:
    draft = parse_draft(
        "Lena\nDamen\nSchneiden 58,-\nBalayage ab 120\nHerren\nSchnitt 32,50\nKinder (bis 12)\nSchnitt 22\n"
    )
    assert [section for section, _ in dishes(draft)] == ["Damen", "Damen", "Herren", "Kinder (bis 12)"]
    assert list_unclear(draft) == [(1, OUT), (2, SECTION), (5, SECTION), (7, SECTION)]


def test_ambiguous_lines_become_questions_and_are_read_as_answered() -> None:
    text = "La Trattoria\n\nSoup 5\nSalad 6\nStew 7\nFrom the oven\nPizza 8\nWine 4,50 / 8,00\n\nNo cards, please\n"
    draft = parse_draft(text)
    assert list_unclear(draft) == [(6, SECTION), (8, MEND), (10, OUT)]
    lines = text.split("\n")
    answers = {
        1: LineChoice(lines[0], lines[0], OUT),
        6: LineChoice(lines[5], lines[5], ABOUT),
        8: LineChoice(lines[7], "Wine: glass 4,50; bottle 8,00", MEND),
        10: LineChoice(lines[9], "Tap water", DISH),
        3: LineChoice("another line", "x", OUT),
    }
    then = parse_draft(apply_choices(text, answers))
    assert then.unclear == []
    data = {fields["name"]: fields for _, fields in dishes(then)}
    assert data["Stew"]["description"] == "From the oven" and "Tap water" in data and "Soup" in data
    assert [variant["name"] for variant in data["Wine"]["variants"]] == ["glass", "bottle"]


def test_years_phone_numbers_and_foreign_currencies_are_not_prices() -> None:
    draft = parse_draft("Wines\n\nPinot 5\n\nSince 1974\n\nTel. 0664 123 45 67\n\nBurger $9.50\n\nBeer 1.234\n")
    assert [fields["name"] for _, fields in dishes(draft)] == ["Pinot"]
    assert {line.number: line.reason for line in draft.unclear if line.guess == MEND} == {
        9: "Amounts are in EUR, not $. Enter only the number.",
        11: "Do you mean €1.23 or €1,234.00? Enter 1.23 or 1234",
    }


def test_a_table_is_read_by_its_columns_and_other_columns_are_reported() -> None:
    draft = table_parser.parse_table(
        "Gericht;Preis;Allergene;Geeignet für;Lager\nVORSPEISEN;;;;\nSuppe;6,50;milk, Sellerie:x;vegan;3\n"
        "Salat;ab 7;Nüsse:may_contain;Gluten-free, vegan;\nFisch;Tagespreis;Pescado, Milch;;\n;4;;;\n",
        "EUR",
    )
    assert [(dish.section, dish.fields) for dish in draft.dishes] == [
        (
            "VORSPEISEN",
            {
                "name": "Salat",
                "price": "7.00",
                "price_from": True,
                "allergens": {"nuts": "may_contain"},
                "dietary_tags": ["gluten_free", "vegan"],
            },
        ),
        (
            "VORSPEISEN",
            {
                "name": "Fisch",
                "price": "",
                "price_note": "Tagespreis",
                "allergens": {"fish": "contains", "milk": "contains"},
            },
        ),
    ]
    assert [(line.number, line.reason.split(" is not")[0]) for line in draft.unclear] == [
        (3, "“Sellerie:x”"),
        (6, "Enter a name."),
    ]
    assert draft.warnings == ["Column “Lager” is not saved: 1 cell, such as “3”"]


def test_allergen_codes_are_found_after_dishes_and_in_cells_and_mean_what_the_owner_chooses() -> None:
    draft = parse_draft(
        "Mains\n\nSchnitzel (A, C, g) 14,90\nGulasch A,L,O 12,50\nTafelspitz 18\nmit Krensauce [G/L/1]\n"
        "Sushi (6) 9,00\nPizza (V) 8\nPlan B 3\n"
    )
    assert allergen_codes.list_codes(draft) == ["A", "C", "G", "L", "O", "1"]
    assert allergen_codes.count_dishes_with_codes(draft) == 3
    allergen_codes.apply_codes(draft, allergen_codes.CodeMeanings("a-r", {"1": "none"}))
    assert [(dish.fields["name"], list(dish.fields.get("allergens", ()))) for dish in draft.dishes] == [
        ("Schnitzel", ["gluten", "eggs", "milk"]),
        ("Gulasch", ["gluten", "celery", "sulphites"]),
        ("Tafelspitz", ["milk", "celery"]),
        ("Sushi (6)", []),
        ("Pizza (V)", []),
        ("Plan B", []),
    ]
    assert draft.dishes[2].fields["description"] == "mit Krensauce (1)"
    cells = "name;price;allergens\nA;1;A,C\nB;2;ALO\nC;3;7\nD;4;celery g\nE;5;milk\n"
    rows = table_parser.parse_table(cells, "EUR")
    assert [dish.letters for dish in rows.dishes] == [["A", "C"], ["A", "L", "O"], ["7"], []]
    assert [line.number for line in rows.unclear] == [5]
    assert (
        allergen_codes.CODE_LISTS["counted"][1]["L"] == "sulphites"
        and allergen_codes.CODE_LISTS["a-r"][1]["L"] == "celery"
    )


@pytest.mark.parametrize(
    ("codes", "guess"),
    [("AG", "a-r"), ("AL", ""), ("ALO", "a-r"), ("AIL", "counted"), ("A1", "a-r"), ("17", "counted"), ("AS", "")],
)
def test_a_list_of_codes_is_suggested_only_if_it_is_certain(codes: str, guess: str) -> None:
    assert allergen_codes.guess_code_list(list(codes)) == guess


NAMES = st.text(st.characters(exclude_categories=("C", "Z"), include_characters=" "), min_size=1, max_size=20).map(
    str.strip
)


@given(st.lists(st.tuples(NAMES.filter(bool), st.integers(0, 999_999)), max_size=4))
def test_sizes_with_prices_are_parsed_as_they_were_formatted(choices: list[tuple[str, int]]) -> None:
    written = [(name, f"{minor // 100}.{minor % 100:02}") for name, minor in choices]
    assert parse_choices(format_choices(written), PriceFormat("EUR")) == [
        {"name": name, "price": price} for name, price in written
    ]


@given(st.text(st.sampled_from("ab €.,-–…\t\n\n#>/;:0123456789l'"), max_size=300))
def test_every_pasted_line_is_read_or_becomes_a_question(text: str) -> None:
    draft = parse_draft(text)
    known = {dish.number for dish in draft.dishes} | {line.number for line in draft.unclear}
    lines = text.split("\n")
    assert known <= {number for number, line in enumerate(lines, start=1) if line.strip()}


def test_a_very_long_text_is_refused_and_a_large_one_is_parsed() -> None:
    with pytest.raises(InvalidInputError):
        parse_draft("Soup 5\n" * 3_001)
    assert len(parse_draft(("Cola 0,2 l " * 6 + "1 / " * 60 + "x. . . . 9,90 9\n") * 500).unclear) <= 500
