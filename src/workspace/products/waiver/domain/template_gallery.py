"""Waivers to begin with: those of trades, in three languages. What is said binds nobody by itself, which their owner is
told."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from workspace.accounts.models import Account
from workspace.products.waiver.rules.definition_input import read_clauses, read_questions, read_span
from workspace.publishing import starter_files as ready_files
from workspace.publishing.call_to_action import language_of

_FOLDER = Path(__file__).parent / "templates"
NAMES = ("water", "climbing", "fitness", "play", "camp", "tattoo")


def begin(account: Account, name: str) -> dict[str, Any]:
    """Fields as `Waiver.make` takes them, in the language of the account's guests."""
    language = language_of(account)
    found = dict(ready(name, language))
    found["clauses"] = read_clauses(found["clauses"])[0]
    found["questions"] = read_questions(found["questions"])[0]
    if "valid_for" in found:
        found["valid_for"] = read_span(found["valid_for"])[0]
    return {**found, "language": language}


def ready(name: str, language: str) -> dict[str, Any]:
    """A template in a language."""
    return ready_files.ready(_FOLDER, name, language)
