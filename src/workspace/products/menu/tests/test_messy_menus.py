"""Menus as people paste them: marks after prices, legends, and prices that are never lost in a description."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from workspace.products.menu.domain.importer import table_parser, text_parser
from workspace.products.menu.domain.importer.draft import MenuDraft
from workspace.products.menu.rules.allergen_terms import find_allergens, find_diet
from workspace.testing.api import Api
from workspace.testing.samples.menu import make_menu

pytestmark = pytest.mark.django_db

CAFE = """CAFÉ DA PRAIA - EMENTA (IVA incluído)

*** PEQUENO-ALMOÇO ***
Torrada com manteiga ........ 3,50€  (A, G)
Tosta mista (queijo + fiambre) .... 4,80 € A,G
- Croissant misto 3.20€ [glúten, leite]
Ovos mexidos c/ bacon: 6,90 EUR (contém ovos, glúten)
Iogurte & fruta   € 5,50   (G,H)
Panquecas (3 un.) com mel ou doce 7,50/8,50

PASTELARIA
Pastel de nata 1,30€ / 2 por 2,40€
Bolo de chocolate SEM GLÚTEN 3,90 (C,G,H) vegetariano

Saladas e Pratos leves
Salada caprese 9,80 (G) V
polvo, cebola roxa, coentros
Sopa do dia (vegan) 3,90
Amêijoas à Bulhão Pato   preço do dia

BEBIDAS 🍹
Sumo natural 0,2l 3,20 / 0,4l 5,00
Vinho verde copo 3,50 (L) | garrafa 14,00

Alergénios: A glúten, C ovo, G leite, H frutos de casca rija, L sulfitos
Wifi: praia2026
"""


def parse_draft(text: str, currency: str = "EUR") -> MenuDraft:
    return text_parser.parse_text(text, currency)


def fields_by_name(draft: MenuDraft) -> dict[str, dict[str, Any]]:
    return {dish.fields["name"]: dish.fields for dish in draft.dishes}


def test_a_menu_from_an_email_loses_no_dish_and_its_legend_is_used() -> None:
    draft = parse_draft(CAFE)
    dishes = fields_by_name(draft)
    assert len(dishes) == 13 and [line.number for line in draft.unclear] == [1, 26]
    assert all(dish.letters == [] for dish in draft.dishes)
    assert {dish.section for dish in draft.dishes} == {
        "PEQUENO-ALMOÇO", "PASTELARIA", "Saladas e Pratos leves", "BEBIDAS 🍹"
    }  # fmt: skip
    declared = {name: [*fields.get("allergens", ())] for name, fields in dishes.items() if "allergens" in fields}
    assert declared == {
        "Torrada com manteiga": ["gluten", "milk"],
        "Tosta mista (queijo + fiambre)": ["gluten", "milk"],
        "Croissant misto": ["gluten", "milk"],
        "Ovos mexidos c/ bacon": ["eggs", "gluten"],
        "Iogurte & fruta": ["milk", "nuts"],
        "Bolo de chocolate SEM GLÚTEN": ["eggs", "milk", "nuts"],
        "Salada caprese": ["milk"],
        "Vinho verde": ["sulphites"],
    }
    assert dishes["Salada caprese"]["dietary_tags"] == ["vegetarian"]
    assert dishes["Salada caprese"]["description"] == "polvo, cebola roxa, coentros"
    assert dishes["Bolo de chocolate SEM GLÚTEN"]["dietary_tags"] == ["vegetarian"]
    sizes = {
        name: [variant["name"] for variant in fields["variants"]]
        for name, fields in dishes.items()
        if "variants" in fields
    }
    assert sizes == {
        "Panquecas (3 un.) com mel ou doce": ["mel", "doce"],
        "Pastel de nata": ["1", "2"],
        "Sumo natural": ["0,2l", "0,4l"],
        "Vinho verde": ["copo", "garrafa"],
    }
    assert dishes["Amêijoas à Bulhão Pato"]["price_note"] == "preço do dia"


@pytest.mark.parametrize(
    ("legend", "line", "allergens"),
    [
        ("Allergene: A = Glutenhaltiges Getreide, L = Sellerie", "Suppe 4,90 € (A, L)", ["gluten", "celery"]),
        ("Allergene:\nA Glutenhaltiges Getreide\nG Milch und Laktose\nO Sulfite", "Wein 4,90 O", ["sulphites"]),
        ("1. Cereales con gluten 2. Crustáceos 3. Huevos", "Croquetas 9,50€ (1,3)", ["gluten", "eggs"]),
        ("(1) gluten (2) milk (3) peanuts", "Cake 3.90 (1,2)", ["gluten", "milk"]),
        ("* contains peanuts", "Pad Thai* 12.50", ["peanuts"]),
        ("Leyenda: 7: Leche | 14: Moluscos", "Pulpo S/M (14)", ["molluscs"]),
        ("A – Glúten; D – Peixe", "Bacalhau (A, D) 13,90", ["gluten", "fish"]),
        ("Key: G milk, L sulphites", "18,50 € Chuletón (L)", ["sulphites"]),
        ("¹ Milch, ² Eier", "Kuchen 3,90 ¹,²", ["milk", "eggs"]),
        ("¹ Milch, ² Eier", "Kuchen ¹,² 3,90", ["milk", "eggs"]),
    ],
)
def test_legends_are_read_in_all_usual_notations(legend: str, line: str, allergens: list[str]) -> None:
    draft = parse_draft(f"Mains\n{line}\n\n{legend}\n")
    [dish] = draft.dishes
    assert list(dish.fields["allergens"]) == allergens and draft.unclear == []
    assert set(allergens) <= set(draft.legend.values()) and "Legend found in your text" in draft.note


def test_a_legend_defines_the_codes_of_diets() -> None:
    draft = parse_draft(
        "Mains\nHummus 6,50 (ve)\nHalloumi 7,00 (vg, gf)\n\n(ve) vegan, (vg) vegetarian, (gf) gluten free\n"
    )
    assert [dish.fields["dietary_tags"] for dish in draft.dishes] == [["vegan"], ["vegetarian", "gluten_free"]]


def test_codes_that_the_legend_does_not_explain_remain_questions() -> None:
    draft = parse_draft("Mains\nSchnitzel 14,90 (A,C)\nWein 4,50 (L)\nBier 3,20 (A)\n\nAllergene: A Gluten, C Eier\n")
    assert [(dish.fields["name"], dish.letters) for dish in draft.dishes] == [
        ("Schnitzel", []), ("Wein", ["L"]), ("Bier", [])
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("line", "fields"),
    [
        ("Lasagne 9,80 (G) V", {"dietary_tags": ["vegetarian"]}),
        ("Curry 12,90 (vegan)", {"dietary_tags": ["vegan"]}),
        ("Tarta 4,50 sin gluten", {"dietary_tags": ["gluten_free"]}),
        ("Caesar salad 9.95 (contains egg, fish)", {"allergens": {"eggs": "contains", "fish": "contains"}}),
        ("Brownie 6.95 (may contain nuts)", {"allergens": {"nuts": "may_contain"}}),
        ("Kuchen 3,90 (kann Spuren von Nüssen enthalten)", {"allergens": {"nuts": "may_contain"}}),
        ("Francesinha 11,50\nContém: glúten, leite", {"allergens": {"gluten": "contains", "milk": "contains"}}),
        ("Set lunch 12.50 (Mon–Fri)", {"description": "Mon–Fri"}),
    ],
)
def test_marks_after_a_price_are_recognized(line: str, fields: dict[str, Any]) -> None:
    [dish] = parse_draft(line).dishes
    assert {name: dish.fields.get(name) for name in fields} == fields


@pytest.mark.parametrize(
    "line",
    [
        "Served with bread for 2.50 extra at lunch",
        "We take 5,00 Euro for a glass",
        "Lunch 11.30 to 14.00 at 9.90 only",
        "Schnitzel 12,90 or with salad 14,90 today",
        "Beer 3,20 0,5 L",
    ],
)
def test_text_with_a_price_never_becomes_a_description_without_a_question(line: str) -> None:
    draft = parse_draft(f"Mains\nStew 7,50\n{line}\n")
    assert [line.number for line in draft.unclear] == [3]
    assert "description" not in draft.dishes[0].fields
    settled = parse_draft(f"Mains\nStew 7,50\n> {line}\n")
    assert settled.unclear == [] and settled.dishes[0].fields["description"] == line


def test_liters_grams_and_currencies_are_not_allergens() -> None:
    draft = parse_draft("Water 0,33 L 2,80\nSteak 250 g 18,50\nFondue 28.00 CHF\nRaclette 32.— G\n", "CHF")
    assert [(dish.fields["name"], dish.letters) for dish in draft.dishes] == [
        ("Water 0,33 L", []), ("Steak 250 g", []), ("Fondue", []), ("Raclette", ["G"])
    ]  # fmt: skip


def test_allergens_and_diets_are_recognized_in_four_languages() -> None:
    for text in ("Milch und Eier", "leche, huevos", "leite / ovos", "milk & eggs"):
        assert find_allergens(text) == ["milk", "eggs"]
    assert find_allergens("frutos secos") == ["nuts"] and find_allergens("Erdnüsse") == ["peanuts"]
    assert [find_diet(text) for text in ("vegetarisch", "sin gluten", "sem lactose", "VEGAN", "lecker")] == [
        "vegetarian", "gluten_free", "lactose_free", "vegan", ""
    ]  # fmt: skip


@pytest.mark.parametrize("mark", [";", "\t", ","])
def test_a_table_is_read_below_its_title(mark: str) -> None:
    lines = ["Carta de verano", "", "Plato|Precio (€)|Alérgenos|Apto para", "Paella|12.50|crustáceos|sin gluten"]
    text = "\n".join(lines).replace("|", mark)
    assert table_parser.is_table(text)
    draft = table_parser.parse_table(text, "EUR")
    [dish] = draft.dishes
    assert dish.fields == {
        "name": "Paella", "price": "12.50", "allergens": {"crustaceans": "contains"},
    }  # fmt: skip
    assert draft.warnings == [
        "Line 1 is above the heading and is not saved: “Carta de verano”",
        "Column “Apto para” is not saved: 1 cell, such as “sin gluten”",
    ]


def test_an_import_never_makes_a_menu_live(api: Api) -> None:
    owner = signed_in(api)
    form = {"text": "Cakes\n\nSachertorte 4,90\n", "restaurant_name": "Lerche", "currency": "EUR", "step": "save"}
    assert owner.post("/app/menu/bring", form).status_code == 303
    [menu] = api.run("svc_menu_list")["items"]
    assert not menu["live"]
    owner.post(f"/app/menu/{menu['id']}/bring", {"text": "Cakes\n\nStrudel 5,20\n", "step": "save"})
    [menu] = api.run("svc_menu_list")["items"]
    assert not menu["live"] and menu["item_count"] == 2
    live = make_menu(api)["menu"]["id"]
    owner.post(f"/app/menu/{live}/bring", {"text": "Cakes\n\nStrudel 5,20\n", "step": "save"})
    assert api.run("svc_menu_items", menu_id=live)["menu"]["live"], "a menu that is live stays so"


def test_no_list_of_codes_is_preselected_and_a_legend_replaces_the_question(api: Api) -> None:
    owner, menu = signed_in(api), make_menu(api)["menu"]["id"]
    url, text = f"/app/menu/{menu}/bring", "Wines\n\nMerlot 4,50 (L)\nWeissbier 3,20 (A)\n"
    asked = owner.post(url, {"text": text, "step": "look"}).content.decode()
    assert "Allergen codes: A, L" in asked and 'name="letters" value="a-r" checked' not in asked
    read = owner.post(url, {"text": f"{text}\nAllergene: A Gluten, L Sulfite\n", "step": "look"}).content.decode()
    assert "Allergen codes:" not in read and "Legend found in your text: A gluten cereals, L sulfites" in read
    owner.post(url, {"text": f"{text}\nAllergene: A Gluten, L Sulfite\n", "step": "save"})
    result = {row["name"]: row["allergens"] for row in api.run("svc_menu_items", menu_id=menu)["items"]}
    assert result["Merlot"] == {"sulphites": "contains"} and result["Weissbier"] == {"gluten": "contains"}


def test_unknown_columns_become_questions_before_a_table_is_saved(api: Api) -> None:
    owner, menu = signed_in(api), make_menu(api)["menu"]["id"]
    url, fields = f"/app/menu/{menu}/bring", {"text": "Dish;Price;Origin\nTrout;19.5;Tyrol\n", "step": "save"}
    asked = owner.post(url, fields).content.decode()
    assert "Choose what these columns contain, or skip them: “Origin”" in asked and 'value="save"' not in asked
    assert owner.post(url, {**fields, "columns-shown": "1", "column-2": "description"}).status_code == 303
    data = {row["name"]: row["description"] for row in api.run("svc_menu_items", menu_id=menu)["items"]}
    assert data["Trout"] == "Tyrol"


def test_a_table_without_a_name_column_opens_the_column_choices(api: Api) -> None:
    owner, menu = signed_in(api), make_menu(api)["menu"]["id"]
    url, fields = (
        f"/app/menu/{menu}/bring",
        {"text": "Leckereien;Preis;Kategorie\nForelle;19,5;Fisch\n", "step": "save"},
    )
    response = owner.post(url, fields)
    assert (
        response.status_code == 422
        and "Choose the column that contains the names of the dishes." in response.content.decode()
    )
    assert owner.post(url, {**fields, "columns-shown": "1", "column-0": "name"}).status_code == 303
    assert "Forelle" in {row["name"] for row in api.run("svc_menu_items", menu_id=menu)["items"]}


def signed_in(api: Api) -> Client:
    browser = Client()
    browser.force_login(api.account.owner)
    return browser
