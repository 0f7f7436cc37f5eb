"""Waiver templates by trade, in each guest language.

Each language has its own legal text, not a translation. The templates are not legal advice, and owners are asked to
have them checked for their country. `{business}` in a template is the account's name.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from workspace.accounts.models import Account
from workspace.products.waiver.rules.definition_input import parse_clauses, parse_questions, parse_span
from workspace.publishing import starter_files as ready_files
from workspace.publishing.guest_language import guest_language

_FOLDER = Path(__file__).parent / "templates"
BUSINESS_PLACEHOLDER = "{business}"
TEMPLATE_NAMES = ("water", "climbing", "fitness", "play", "camp", "tattoo")


def definition_from_template(account: Account, name: str) -> dict[str, Any]:
    """Return fields for `Waiver.create_waiver`, in the language of the account's guests."""
    language = guest_language(account)
    result = dict(load_template(name, language))
    result["text"] = result["text"].replace(BUSINESS_PLACEHOLDER, account.name)
    clauses = [
        {**clause, "text": clause["text"].replace(BUSINESS_PLACEHOLDER, account.name)} for clause in result["clauses"]
    ]
    result["clauses"] = parse_clauses(clauses)[0]
    result["questions"] = parse_questions(result["questions"])[0]
    if "valid_for" in result:
        result["valid_for"] = parse_span(result["valid_for"])[0]
    return {**result, "language": language}


def load_template(name: str, language: str) -> dict[str, Any]:
    """Return a template in a language."""
    return ready_files.load_starter(_FOLDER, name, language)
