"""Headings of lists of recipients in six languages."""

from __future__ import annotations

import re

from workspace.lib.tabular.heading_matcher import Vocabulary
from workspace.lib.tabular.list_table import SKIP_COLUMN, ListFormat

MAX_RECIPIENTS = 500
DAY_PATTERN = re.compile(r"(\d{1,4})[./-](\d{1,2})[./-](\d{1,4})\.?")

# If a heading contains words of two fields, the field listed first is used. General fields come last.
_HEADINGS = {
    "email": "email, emails, e mail, mail, email address, e mail address, emailadresse, *mail, correo*, courriel, "
    "posta elettronica",
    "expires_on": "expires, expires on, expiry, expiry date, valid until, expiration date, gültig bis, ablaufdatum, "
    "válido hasta, caduca, vencimiento, valable jusqu au, expire le, valido fino al, scadenza, válido até, validade",
    "first_name": "first name, firstname, given name, forename, vorname, vornamen, nombre, nombre de pila, prénom, "
    "primeiro nome, nome proprio",
    "last_name": "last name, lastname, family name, surname, nachname, familienname, apellido, apellidos, "
    "nom de famille, cognome, apelido, apelidos, sobrenome",
    "reference": "reference, your reference, number, id, no, nr, ref, referenz, kundennummer, matrikelnummer, "
    "referencia, número, numéro, référence, numero, riferimento, referência, employee number, student number",
    "hours": "hours, hrs, duration, stunden, std, dauer, unterrichtsstunden, horas, duración, heures, durée, ore, "
    "durata, duração, carga horária",
    "date": "date, day of issue, issue date, date of issue, completed on, completion date, course date, datum, "
    "kursdatum, ausstellungsdatum, abschlussdatum, fecha, fecha del curso, data, data do curso, data del corso",
    "course": "course, course name, course title, training, workshop, class, kurs, kursname, lehrgang, seminar, "
    "schulung, curso, nombre del curso, formación, taller, cours, formation, corso, nome do curso, formação",
    "language": "language, lang, sprache, idioma, langue, lingua, língua",
    "custom": "custom, custom text, grade, note, result, score, notiz, ergebnis, nota, calificación, mention, "
    "résultat, voto, risultato, classificação",
    "name": "name, names, full name, fullname, recipient, recipients, student, students, participant, participants, "
    "attendee, attendees, name of participant, teilnehmer*, name des teilnehmers, empfänger*, vor und nachname, "
    "vorname und nachname, vorname nachname, nachname vorname, nombre completo, nombre y apellido, nombre y apellidos, "
    "nombres y apellidos, apellidos y nombre, alumno, alumna, alumnos, participante, participantes, asistente, nom, "
    "nom complet, nom et prénom, prénom et nom, participant e, nome, nome completo, nome e cognome, cognome e nome, "
    "nome e apelido, partecipante, partecipanti, formando, formandos, aluno, aluna, alunos",
    # columns of svc_certs_export
    SKIP_COLUMN: "code, state, issued, link, pdf",
}
RECIPIENT_LIST = ListFormat(
    Vocabulary(_HEADINGS),
    max_items=MAX_RECIPIENTS,
    order=("name",),
    content={
        "email": re.compile(r"@"),
        "date": re.compile(rf"^{DAY_PATTERN.pattern}$"),
    },
    may_lack_words=False,  # without known words, the first line is probably a person
)
