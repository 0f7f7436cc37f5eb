"""A team as a table: which cards its lines create or change."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from workspace.accounts.models import Account
from workspace.lib.errors import InvalidInputError
from workspace.lib.tabular.heading_matcher import Vocabulary
from workspace.lib.tabular.list_table import ListFormat, ListTable
from workspace.lib.text import search_key
from workspace.products.card import messages
from workspace.products.card.api.arguments import MAX_ITEMS
from workspace.publishing.list_columns import open_list

LIST_NAME = "card.cards"
NAME_FIELDS = frozenset({"full_name", "given_name", "family_name", "id"})
# If a heading contains words of two fields, the field listed first is used. General fields come last.
_HEADINGS = {
    "id": "id",
    "email": "email, emails, e mail, mail, email address, emailadresse, *mail, correo*, courriel, posta elettronica",
    "mobile": "mobile, mobile phone, mobile number, cell, cell phone, handy*, mobil*, móvil, celular, telemóvel, "
    "téléphone portable, portable, cellulare, whatsapp",
    "phone": "phone, phone number, telephone, tel, telefon*, direct dial, durchwahl, teléfono*, téléphone, telefono, "
    "telefone, work phone",
    "website": "website, web, url, homepage, web page, webseite, internet, sitio web, página web, site, site web, "
    "sito, sito web, página",
    "address": "address, postal address, office, location, adresse, anschrift, dirección, oficina, indirizzo, "
    "morada, endereço",
    "bio": "bio, about, description, über mich, beschreibung, descripción, sobre mí, description, descrizione, "
    "descrição",
    "title": "title, job title, position, role, function, job, titel, berufsbezeichnung, funktion, stelle, rolle, "
    "cargo, puesto, poste, fonction, ruolo, qualifica, mansione, função",
    "company": "company, organization, organisation, employer, firma, unternehmen, empresa, entreprise, société, "
    "azienda, società, organización",
    "given_name": "first name, firstname, given name, forename, vorname, vornamen, nombre, nombre de pila, prénom, "
    "primeiro nome, nome proprio",
    "family_name": "last name, lastname, family name, surname, nachname, familienname, apellido, apellidos, "
    "nom de famille, cognome, apelido, apelidos, sobrenome",
    "full_name": "name, full name, fullname, names, employee, person, mitarbeiter*, vor und nachname, "
    "vorname und nachname, vorname nachname, nachname vorname, nombre completo, nombre y apellido, nombre y apellidos, "
    "empleado, empleada, nom, nom complet, nom et prénom, prénom et nom, nome, nome completo, nome e cognome, "
    "cognome e nome, nome e apelido, colaborador",
}
CARD_LIST = ListFormat(
    Vocabulary(_HEADINGS), max_items=MAX_ITEMS, several={"address": ", ", "bio": "\n"}, single="full_name"
)


def open_card_list(
    account: Account, text: str, columns: Mapping[str, str] | None = None, *, has_heading: bool = False
) -> ListTable:
    """Return the list with its columns before its lines are parsed."""
    return open_list(account, LIST_NAME, CARD_LIST, text, columns, has_heading=has_heading)


def build_items(account: Account, sheet: ListTable) -> list[dict[str, Any]]:
    """Return the lines in the format of svc_card_save.

    A line with the name and the email address of a card, or with its id, changes this card. Raise InvalidInputError at
    `csv` if no column contains names.
    """
    if not sheet.rows:
        raise InvalidInputError.at_path("csv", messages.CARD_LIST_EMPTY)
    if not NAME_FIELDS & set(sheet.fields):
        raise InvalidInputError.at_path("csv", messages.NAME_COLUMN_NEEDED)
    known = {(search_key(card.full_name), search_key(card.email)): card.pk for card in account.cards.all()}
    return [_build_item(dict(row.cells), known) for row in sheet.rows]


def _build_item(cells: dict[str, Any], known: dict[tuple[str, str], str]) -> dict[str, Any]:
    mobile = cells.pop("mobile", "")
    if mobile and "phone" in cells:
        cells["more_phones"] = [{"number": mobile, "label": "Mobile"}]
    elif mobile:
        cells["phone"] = mobile
    parts = " ".join(filter(None, (cells.get("given_name", ""), cells.get("family_name", ""))))
    if "full_name" not in cells and parts:
        cells["full_name"] = parts
    # each card is changed by one line; a second line with the same name and address is a new card
    id = known.pop((search_key(cells.get("full_name", "")), search_key(cells.get("email", ""))), "")
    return {"id": id, **cells} if id and "id" not in cells else cells
