"""Forms in exports and imports of an account. Imported files and definitions are validated again."""

from __future__ import annotations

from typing import Any

from workspace.accounts.takeout import column_types
from workspace.accounts.takeout.tables import NumberReference, TakeoutTable
from workspace.products.form import messages
from workspace.products.form.api.arguments import FormEdit, ThankYou
from workspace.products.form.models import INBOX, PARTIAL, SPAM, SUSPICIONS, Form, FormVersion, GuestFile, Response
from workspace.products.form.rules import field_types
from workspace.products.form.rules.answer_validation import MAX_CHOICES, MAX_STROKES
from workspace.products.form.rules.definition_as_input import pages_as_input
from workspace.products.form.rules.form_input import parse_form
from workspace.storage.files import store
from workspace.storage.files.media_types import detect_media_type

Key = column_types.text_matching(r"[A-Za-z0-9_]{1,60}", str(messages.INVALID_IMPORTED_KEY))
Signature = column_types.object_of(
    {"name": column_types.OneLine, "drawn": column_types.list_of(list[int], MAX_STROKES)}
)
Answers = column_types.dict_of(
    Key,
    column_types.any_of(
        column_types.PlainText, bool, int, float, column_types.list_of(column_types.PlainText, MAX_CHOICES), Signature
    ),
)


def _receive_file(row: Any, key: str, content: bytes) -> dict[str, Any]:
    text = detect_media_type(content, row.name)
    store.put(key, content)
    return {"media_type": text, "size": len(content)}


def _check_definition(body: dict[str, Any]) -> dict[str, Any]:
    """Validate a definition by converting it to input and parsing that."""
    try:
        written = pages_as_input(body)
    except (KeyError, TypeError, AttributeError, ArithmeticError):
        raise ValueError(messages.INVALID_DEFINITION) from None
    result, issues = parse_form(pages=written)
    if issues:
        raise ValueError(f"{issues[0].path}: {issues[0].message}")
    return result


TAKEOUT_TABLES = (
    TakeoutTable(
        model=Form,
        column_types={
            **column_types.from_arguments(FormEdit, "hosts", "notify"),
            **column_types.from_arguments(ThankYou, "redirect_url", thank_you="text"),
            "keys": column_types.dict_of(Key, column_types.one_of(*field_types.FAMILIES)),
        },
        number_references={"version": NumberReference(FormVersion, "form")},
    ),
    TakeoutTable(model=FormVersion, column_types={"body": column_types.with_checks(dict[str, Any], _check_definition)}),
    TakeoutTable(
        model=Response,
        column_types={
            "answers": Answers,
            "folder": column_types.one_of(INBOX, SPAM, PARTIAL),
            "page": Key,
            "suspicion": column_types.one_of(*SUSPICIONS),
        },
        number_references={"version": NumberReference(FormVersion, "form", of="form_id")},
    ),
    TakeoutTable(
        model=GuestFile,
        files=("id",),
        store_file=_receive_file,
        column_types={"field": Key, "media_type": column_types.MediaType},
    ),
)
