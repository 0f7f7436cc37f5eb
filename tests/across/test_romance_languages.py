"""French, Italian and Portuguese text uses one form of address, and the spelling and punctuation of their country."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from workspace import translations

pytestmark = pytest.mark.any_database
# the pronouns and possessives of tu, which guests are not addressed with
FRENCH_TU = re.compile(r"\b(?:tu|ton|ta|tes|toi)\b", re.IGNORECASE)
# a punctuation mark without the narrow space before it, or a quotation mark without the space inside it
FRENCH_SIGNS = re.compile(r"(?<![\u202f\u00a0])[?!;»]|(?<!\u00a0):(?![\w/])|«(?!\u00a0)|'")
ITALIAN_TU = re.compile(
    r"\b(?:tu|ti|te|tuoi?|tu[ae]|puoi|hai|vuoi|inserisci|controlla|riprova|scegli|rispondi)\b", re.IGNORECASE
)
ITALIAN_LEI = re.compile(r"\b(?:Lei|Suoi?|Su[ae])\b")
FORMAL_PRODUCTS = {"bid", "waiver"}  # proposals and waivers are contracts
BRAZILIAN = re.compile(
    r"\b(?:você|vocês|tu|teus?|tuas?|arquivos?|celular|tela|senha|usuário|contatos?|agendamento|gerenciar|compartilhe"
    r"|salvar|baixar|cadastro|esportes?)\b",
    re.IGNORECASE,
)


def list_texts(language: str, folder: Path) -> list[str]:
    """Return all translations of a package, without placeholders and tags."""
    forms = [
        form
        for message in translations.update_catalog(folder, language)
        if message.id
        for form in ([message.string] if isinstance(message.string, str) else message.string)
    ]
    return [re.sub(r"%\(\w+\)s|\{\w*\}|<[^>]+>", "X", form) for form in forms]


@pytest.mark.parametrize("folder", translations.locale_folders(), ids=lambda folder: str(folder.parent.name))
def test_each_language_addresses_guests_in_one_way(folder: Path) -> None:
    french = list_texts("fr", folder)
    assert [text for text in french if FRENCH_TU.search(text) or FRENCH_SIGNS.search(text)] == []
    other_form = ITALIAN_TU if folder.parent.name in FORMAL_PRODUCTS else ITALIAN_LEI
    assert [text for text in list_texts("it", folder) if other_form.search(text)] == []
    assert [text for text in list_texts("pt", folder) if BRAZILIAN.search(text)] == []
