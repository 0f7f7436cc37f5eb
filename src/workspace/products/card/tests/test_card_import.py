"""A team is imported from a list as people write it: a preview, then all cards at once."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from workspace.lib.tabular.list_parser import parse_list
from workspace.products.card.rules.card_list_headings import CARD_LIST
from workspace.testing.api import Api

pytestmark = pytest.mark.django_db

TEAM = """Our team 2026;;;;;
;;;;;
Vorname;Nachname;Funktion;Telefon (Büro);Mobiltelefon;E-Mail-Adresse
Ada;King;Head baker;+43 1 234;+43 660 1;ada@example.com
Bo;Lind;;;+43 660 2;
"""


def cards(api: Api) -> list[dict[str, Any]]:
    return sorted(api.run("svc_card_list", limit=200)["items"], key=lambda card: card["full_name"])


@pytest.mark.parametrize(
    "heading",
    [
        "Name;Job title;Work phone;Mobile number;Email address;Company",
        "Vor- und Nachname;Funktion;Telefon;Handy;E-Mail;Firma",
        "Nombre y apellidos;Cargo;Teléfono;Móvil;Correo electrónico;Empresa",
        "Nom et prénom;Fonction;Téléphone;Portable;Courriel;Société",
        "Nome e cognome;Ruolo;Telefono;Cellulare;Posta elettronica;Azienda",
        "Nome completo;Cargo;Telefone;Telemóvel;Email;Empresa",
    ],
)
def test_headings_are_recognized_in_six_languages(heading: str) -> None:
    sheet = parse_list(f"Team\n\n{heading}\nAda King;1;2;3;4;5\n", CARD_LIST)
    assert [one.field for one in sheet.columns] == ["full_name", "title", "phone", "mobile", "email", "company"]


def test_a_team_is_previewed_imported_once_and_updated_by_the_next_list(api: Api) -> None:
    owner = Client()
    owner.force_login(api.account.owner)
    page = owner.post("/app/card/import", {"csv": TEAM}).content.decode()
    assert "Import 2 cards" in page and "Above the column names, not imported" in page and cards(api) == []
    for _ in range(2):  # a second click
        assert owner.post("/app/card/import", {"csv": TEAM, "step": "save", "_once": "x"})["Location"] == "/app/card"
    assert [card["full_name"] for card in cards(api)] == ["Ada King", "Bo Lind"]
    ada = api.run("svc_card_get", card_id=cards(api)[0]["id"])
    assert (ada["phone"], ada["more_phones"]) == ("+43 1 234", [{"number": "+43 660 1", "label": "Mobile"}])
    assert api.run("svc_card_get", card_id=cards(api)[1]["id"])["phone"] == "+43 660 2"
    done = api.run("svc_card_save", csv=TEAM.replace("Head baker", "Owner"))
    assert (done["added"], done["changed"]) == (0, 1) and done["warnings"] == [
        "Line 1 is above the heading and is not saved: “Our team 2026”"
    ]


def test_one_invalid_cell_rejects_the_list_and_is_named_and_marked(api: Api) -> None:
    wrong = TEAM.replace("ada@example.com", "invalid-email").replace("Bo;Lind", ";")
    issues = api.refuse("svc_card_save", csv=wrong)["issues"]
    assert [issue["path"] for issue in issues] == ["csv.4.email", "csv.5.full_name"]
    owner = Client()
    owner.force_login(api.account.owner)
    answer = owner.post("/app/card/import", {"csv": wrong, "step": "save"})
    assert answer.status_code == 422 and '<td data-kind="bad"><bdi>invalid-email</bdi>' in answer.content.decode()
    assert cards(api) == []
    assert owner.post("/app/card/import", {"csv": "Shoe size;Color\n39;red\n", "step": "save"}).status_code == 422


def test_a_new_card_starts_with_the_contact_details_of_the_brand(api: Api) -> None:
    api.run("svc_brand_edit", phone="+43 1 555", address="Harbor Street 1")
    owner = Client()
    owner.force_login(api.account.owner)
    page = owner.get("/app/card/new").content.decode()
    assert 'value="+43 1 555"' in page and "Harbor Street 1" in page
