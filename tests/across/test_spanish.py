"""Spanish text addresses the reader as tú everywhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from workspace import translations

pytestmark = pytest.mark.any_database
# the pronoun, its possessives and objects, and imperatives
FORMAL = re.compile(
    r"\b(ustedes|usted|le (devuelve|escribimos|han|mostrarán)|atenderle|servirle|avisarle|enviarle|escribirle|se fíe"
    r"|su (cita|mesa|apellido|certificado|pregunta|visita|correo|firma|respuesta|reserva|pago)|sus anfitriones"
    r"|acaba de enviar|compárelo|compruébelo|inténtelo|escríbalo|guárdelo|ábralo|díganos|escríbanos|llámenos|déjenos"
    r"|abra|acepte|busque|compruebe|confirme|descargue|elija|encuentre|escanee|escriba|espere|firme|guarde|indique"
    r"|introduzca|marque|pague|pregunte|pruebe|pulse|rellene|responda|seleccione|traiga|vuelva)\b",
    re.IGNORECASE,
)
CATALOGS = sorted(folder / "es" / "LC_MESSAGES" / "django.po" for folder in translations.locale_folders())


def formal_words(path: Path) -> list[str]:
    with path.open("rb") as file:
        catalog = read_po(file, locale="es")
    texts = [text for message in catalog if message.id for text in _texts(message.string)]
    return [text for text in texts if FORMAL.search(text)]


def _texts(told: str | tuple[str, ...]) -> list[str]:
    return [told] if isinstance(told, str) else list(told)


@pytest.mark.parametrize("path", CATALOGS, ids=lambda path: str(path.parents[3].name))
def test_no_text_says_usted(path: Path) -> None:
    assert formal_words(path) == []
