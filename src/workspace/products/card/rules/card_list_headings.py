"""Headings of lists of people for business cards in six languages."""

from __future__ import annotations

from workspace.lib.tabular.heading_matcher import Vocabulary
from workspace.lib.tabular.list_table import ListFormat

MAX_CARDS = 200

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
    Vocabulary(_HEADINGS), max_items=MAX_CARDS, several={"address": ", ", "bio": "\n"}, single="full_name"
)
