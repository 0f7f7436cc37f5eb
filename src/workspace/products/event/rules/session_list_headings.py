"""Headings of session lists in six languages."""

from __future__ import annotations

from workspace.lib.tabular.heading_matcher import Vocabulary
from workspace.lib.tabular.list_table import ListFormat
from workspace.products.event.rules.limits import MAX_SESSIONS

COLUMN_ORDER = (
    "day",
    "start",
    "end",
    "title",
    "location",
    "speakers",
    "description",
    "time_label",
    "track",
    "kind",
    "id",
)
# If a heading contains words of two fields, the field listed first is used. General fields come last.
_HEADINGS = {
    "id": "id",
    "time_label": "time label",
    "start": "start, start time, starts, starts at, begin, begins, beginning, from, time, beginn, startzeit, anfang, "
    "von, uhrzeit, zeit, inicio, hora de inicio, desde, hora, início, hora de início, début, heure de début, heure, "
    "inizio, ora, ora di inizio, orario",
    "end": "end, end time, ends, ends at, until, to, finish, ende, endzeit, bis, fin, hora de fin, hasta, fim, "
    "término, hora de fim, fine, ora di fine, heure de fin",
    "day": "day, date, days, tag, datum, wochentag, fecha, día, dia, data, jour, giorno",
    "speakers": "speaker, speakers, presenter, presenters, host, hosts, with, lecturer, lecturers, referent, "
    "referenten, referentin, referentinnen, referent in, referent innen, sprecher, sprecherin, vortragende*, "
    "moderation, ponente, ponentes, conferenciante*, orador, oradores, oradora, palestrante*, intervenant, "
    "intervenants, intervenante, orateur*, relatore, relatori, relatrice",
    "location": "room, stage, venue, place, location, hall, raum, ort, saal, bühne, veranstaltungsort, sala, lugar, "
    "escenario, espacio, salle, lieu, scène, luogo, palco, local",
    "track": "track, strand, stream, thread, strang, reihe, themenstrang, pista, eje, área temática, filière, "
    "parcours, percorso, trilha",
    "kind": "kind, type, format, art, typ, tipo, formato",
    "title": "title, session, session title, session name, talk, talk title, name, topic, titel, vortrag, "
    "programmpunkt, thema, programm, sitzung, título, sesión, charla, ponencia, tema, titre, séance, conférence, "
    "sujet, titolo, sessione, intervento, sessão, palestra",
    "description": "description, text, abstract, details, summary, about, beschreibung, inhalt, zusammenfassung, "
    "descripción, resumen, detalles, descrição, resumo, descrizione, riassunto, résumé",
}
SESSION_LIST = ListFormat(
    Vocabulary(_HEADINGS),
    max_items=MAX_SESSIONS,
    several={"speakers": "; ", "description": "\n"},
    order=COLUMN_ORDER,
    is_order_complete=True,
)
