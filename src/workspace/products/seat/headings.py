"""What the columns of a guest list may be called, in the languages that owners write most."""

from __future__ import annotations

from workspace.toolkit.text import fold

_HEADINGS = {
    "name": "name, guest, guests, guest name, full name, gast, gäste, gaeste, nombre completo, invitado, nom, "
    "nome, ospite",
    "first": "first name, first, given name, vorname, nombre, prénom, prenom",
    "last": "last name, last, surname, family name, nachname, familienname, apellido, apellidos, cognome",
    "sort_name": "sort name, sorted as",
    "party": "party, party name, household, household name, group, family, gruppe, haushalt, familie, grupo, "
    "familia, groupe, famille, gruppo",
    "meal": "meal, meal choice, meal preference, main course, entree, entrée, menu, dish, main, essen, menü, "
    "hauptgang, gericht, comida, plato, repas, plat, piatto",
    "meals": "meals, courses",
    "diet": "diet, dietary, dietary requirements, dietary needs, dietary restrictions, diät, ernährung, dieta, régime",
    "notes": "notes, note, comment, comments, allergies, allergy, notizen, bemerkung, allergien, notas, alergias",
    "table": "table, table name, table number, table no, table assignment, tisch, tischnummer, mesa, tavolo",
    "seat": "seat, chair number, platz, asiento",
    "reply": "reply, rsvp, rsvp status, response, attending, zusage, antwort, rückmeldung, respuesta, asiste, "
    "réponse, risposta",
    "email": "email, e mail, mail, email address, correo, correo electrónico, courriel",
    "phone": "phone, phone number, telephone, mobile, mobile number, cell, cell phone, telefon, handy, teléfono, "
    "móvil, téléphone, telefono",
    "tags": "tags, tag, labels",
    "chair": "chair, child, kind, niño, enfant",
    "wheelchair": "wheelchair, rollstuhl, silla de ruedas",
    "companions": "companions, plus one, plus ones, plusone, plus one name, partner, guests of, begleitung, "
    "acompañantes",
    "children": "children, kids, kinder, niños, enfants, bambini",
    "placeholder": "placeholder",
    "": "id, arrived, checked in",
}
KNOWN = {
    form: column
    for column, words in _HEADINGS.items()
    for word in words.split(",")
    for form in (word.strip(), fold(word))  # with its accents, and without
}
ORDER = ("name", "party", "table", "meal", "notes")
