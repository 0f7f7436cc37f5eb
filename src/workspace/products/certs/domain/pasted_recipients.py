"""A pasted or uploaded list of people: a name per line, or a table with headings."""

from __future__ import annotations

from typing import Any

from workspace.lib.tabular import csv_table
from workspace.products.certs.domain.recipient_input import MAX_RECIPIENTS

HEADINGS = {
    **dict.fromkeys(("name", "full name", "recipient", "student", "participant", "teilnehmer", "nombre"), "name"),
    **dict.fromkeys(("first name", "given name", "vorname"), "first_name"),
    **dict.fromkeys(("last name", "family name", "surname", "nachname", "apellidos"), "last_name"),
    **dict.fromkeys(("email", "e-mail", "mail", "email address", "e-mail address"), "email"),
    **dict.fromkeys(("course", "kurs", "curso"), "course"),
    **dict.fromkeys(("date", "datum", "fecha"), "date"),
    **dict.fromkeys(("hours", "stunden", "horas"), "hours"),
    **dict.fromkeys(("custom", "grade", "note"), "custom"),
    **dict.fromkeys(("expires", "expires on", "valid until"), "expires_on"),
    "language": "language",
    **dict.fromkeys(("reference", "number", "id"), "reference"),
}


def parse_pasted_recipients(content: bytes | str) -> list[dict[str, Any]]:
    """Parse a list into the format of `svc_certs_issue`. Raise InvalidInputError for each invalid line."""
    table = csv_table.parse_csv(
        content, HEADINGS, order=("name", "email", "course", "date", "hours", "custom"), max_rows=MAX_RECIPIENTS
    )
    return [dict(row.cells) for row in table.rows]
