"""Headings of guest lists in English, German, Spanish and Portuguese, and some in French and Italian."""

from __future__ import annotations

from workspace.lib.tabular.heading_matcher import Vocabulary
from workspace.lib.tabular.list_table import SKIP_COLUMN, ListFormat

# If a heading contains words of two fields, the field listed first is used. General fields come last.
_HEADINGS = {
    "email": "email, emails, e mail, mail, email address, correo, correo electrónico, courriel, emailadresse, *mail",
    "phone": "phone, phones, phone number, telephone, mobile, mobile number, cell, cell phone, telefon*, "
    "tel, handy*, teléfono*, móvil, celular, whatsapp, téléphone, telefono, telefone, telemóvel, mobil*, contact "
    "number",
    "companions": "companion, companions, plus one, plus ones, plusone, plus one name, plus 1, "
    "partner, partners, partner name, guest of, guests of, brings, begleit*, begleitperson, name der begleitung, "
    "acompañante*, nombre acompañante, nombre del acompañante, pareja, acompanhante*, nome do acompanhante, "
    "accompagn*, spouse, additional guests, extra guests, weitere personen",
    "children": "children, kids, number of children, anzahl kinder, kinder, kinderanzahl, niño, "
    "niños, menores, hijos, crianças, criança, filhos, enfants, bambini",
    "count": "how many, how many guests, guests in total, number of guests, number of people, number in "
    "party, persons, people, anzahl, anzahl personen, anzahl gäste, personen, personenzahl, personas, número de "
    "personas, no personas, nº personas, pessoas, número de pessoas, nº pessoas, pax, adults, erwachsene, "
    "adultos, party size, headcount, seats reserved, comensales",
    "sort_name": "sort name, sorted as",
    "table": "table, table name, table number, table no, table assignment, tisch, tisch*, mesa, mesas, "
    "mesa nº, número de mesa, tavolo",
    "seat": "seat, seat number, chair number, platz, platznummer, sitzplatz, asiento, lugar, cadeira",
    "reply": "reply, rsvp, rsvp status, response, status, attending, attendance, coming, confirmed, "
    "confirmation, attend, will attend, zusage*, zugesagt, antwort, rückmeldung, kommt, teilnahme, bestätigt, "
    "bestätigung, respuesta, asiste, asistencia, asistirá, viene, confirma*, estado, réponse, risposta, resposta, "
    "presença, vem, comparece",
    "meals": "meals, courses, gänge",
    "diet": "diet, diets, diet type, dietary, dietary requirements, dietary needs, dietary restrictions, "
    "diät, ernährung*, kostform, unverträglich*, dieta, dietas, dietética, restricción alimentaria, restricciones "
    "alimentarias, restricciones, intolerancia*, régimen, régime, restrições, restrições alimentares, "
    "intolerância*, special diet",
    "meal": "meal, meal choice, meal preference, food, food choice, main course, entree, entrée, menu, "
    "menu choice, dish, main, dinner, essen, essens*, menü*, menuwahl, hauptgang, hauptgericht, hauptspeise, "
    "gericht, speise, comida, plato, plato principal, menú, cena, prato, prato principal, ementa, refeição, "
    "repas, plat, piatto",
    "wheelchair": "wheelchair, rollstuhl*, silla de ruedas, movilidad reducida, cadeira de rodas",
    "chair": "chair, high chair, highchair, child, kind, hochstuhl, kinderstuhl, trona, enfant, cadeirinha",
    "notes": "notes, note, comment, comments, remark, remarks, allergies, allergy, allergens, notiz*, "
    "bemerkung*, anmerkung*, kommentar*, hinweis*, sonstiges, allerg*, alerg*, notas, nota, alergia*, observaci*, "
    "comentario*, observações, observação, comentários, besonderheiten, special needs, special requirements, "
    "details, extras",
    "tags": "tags, tag, labels, label, category, side, relation, relationship, seite, kategorie, lado, "
    "categoría, etiqueta*, parentesco, relación, relação, categoria, bride or groom, braut oder bräutigam",
    "placeholder": "placeholder",
    "party": "party, party name, household, household name, group, group name, family, families, gruppe, "
    "gruppenname, haushalt, familie, familien, name der familie, grupo, grupos, familia, família, groupe, "
    "famille, gruppo, invitation, einladung, invitación, convite, firma, company, empresa, unidad familiar, "
    "agregado familiar",
    "first": "first name, firstname, first, given name, forename, vorname, vornamen, nombre, nombre de "
    "pila, segundo nombre, middle name, prénom, primeiro nome",
    "last": "last name, lastname, last, surname, family name, nachname, nachnamen, familienname, zuname, "
    "apellido, apellidos, primer apellido, segundo apellido, apellido 1, apellido 2, apelido, apelidos, "
    "sobrenome, cognome",
    "name": "name, names, guest, guests, guest name, guest names, full name, fullname, attendee, "
    "attendees, first and last name, first name and last name, name and surname, first name last name, first "
    "last, gast, gäste, gastname, gästename, name des gastes, namen, vor und nachname, vor und zuname, vorname "
    "nachname, vorname und nachname, name vorname, nachname vorname, name und vorname, nachname und vorname, "
    "person, nombre completo, nombre y apellido, nombre y apellidos, nombres y apellidos, nombre apellidos, "
    "nombre apellido, nombre e apellidos, apellidos y nombre, apellidos nombre, nombre del invitado, nombre "
    "invitado, invitado, invitados, invitada, invitado a, nombres, asistente, asistentes, nom, nome, nome "
    "completo, nome e apelido, nome e sobrenome, nome do convidado, convidado, convidados, convidada, ospite, "
    "invité, invités",
    SKIP_COLUMN: "id, arrived, arrived at, checked in, check in",
}
MAX_LINES = 2000
GUEST_LIST = ListFormat(
    Vocabulary(_HEADINGS),
    max_items=MAX_LINES,
    several={"first": " ", "last": " ", "notes": "; ", "diet": ", ", "tags": ", "},
    labeled="notes",
    repeated="name",
    tagged="tags",
    single="name",
)
