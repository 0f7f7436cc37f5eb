"""No text breaks the rules of docs/voice.md. Exceptions are in terms.toml and phrases.toml, with a reason."""

from __future__ import annotations

import pytest

from tests.words.extraction import list_texts, read_data_files
from tests.words.rules import find_faults, load_words
from tests.words.text import ROOT

HINT = "Rewrite these texts as docs/voice.md says. `.venv/bin/python -m tests.words PATH` lists the faults of a file."

pytestmark = pytest.mark.any_database


def test_no_text_breaks_a_rule() -> None:
    faults = sorted(set(map(str, find_faults(list_texts()))))
    assert not faults, "\n\n".join([HINT, *faults])


def test_exceptions_are_of_existing_files_and_have_a_reason() -> None:
    for words in load_words():
        for path, reason in words.exceptions.items():
            assert (ROOT / path).exists(), f"{words.name}: {path}"
            assert len(reason.split()) > 2, f"{words.name}: {path} needs a reason"


def test_data_files_exist_and_have_a_reason() -> None:
    for path, reason in read_data_files().items():
        assert (ROOT / path).exists(), path
        assert len(reason.split()) > 2, f"{path} needs a reason"


def test_paths_of_terms_exist() -> None:
    for words in load_words():
        for path in words.paths:
            assert (ROOT / path).exists(), f"{words.name}: {path}"
