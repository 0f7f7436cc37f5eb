"""Forms when an account moves: what guests sent is looked at again, and what is asked is read as its owner wrote it."""

from __future__ import annotations

from typing import Any

from workspace.accounts.takeout import column_types
from workspace.accounts.takeout.tables import Carried, Numbered
from workspace.products.form.api.arguments import FormEdit, ThankYou
from workspace.products.form.models import INBOX, PARTIAL, SPAM, SUSPICIONS, Form, FormVersion, GuestFile, Response
from workspace.products.form.rules import field_types
from workspace.products.form.rules.answer_validation import MOST_CHOSEN, MOST_STROKES
from workspace.products.form.rules.form_input import read_form
from workspace.products.form.rules.form_output import as_written
from workspace.storage.files import store
from workspace.storage.files.media_types import media_type

_SHAPE = "This is not the shape of a form"
Key = column_types.matching(r"[A-Za-z0-9_]{1,60}", "Use letters, digits and _")
Signed = column_types.shape({"name": column_types.OneLine, "drawn": column_types.list_of(list[int], MOST_STROKES)})
Answers = column_types.keyed(
    Key,
    column_types.any_of(
        column_types.PlainText, bool, int, float, column_types.list_of(column_types.PlainText, MOST_CHOSEN), Signed
    ),
)


def _receive(row: Any, key: str, content: bytes) -> dict[str, Any]:
    found = media_type(content, row.name)
    store.put(key, content)
    return {"media_type": found, "size": len(content)}


def _definition(body: dict[str, Any]) -> dict[str, Any]:
    """What its owner would write to have it, read as it is read from them."""
    try:
        written = as_written(body)
    except (KeyError, TypeError, AttributeError, ArithmeticError):
        raise ValueError(_SHAPE) from None
    found, issues = read_form(pages=written)
    if issues:
        raise ValueError(f"{issues[0].path}: {issues[0].message}")
    return found


CARRIED = (
    Carried(
        model=Form,
        reads={
            **column_types.as_given(FormEdit, "hosts", "notify"),
            **column_types.as_given(ThankYou, "redirect_url", thank_you="text"),
            "keys": column_types.keyed(Key, column_types.one_of(*field_types.FAMILIES)),
        },
        numbered={"version": Numbered(FormVersion, "form")},
    ),
    Carried(model=FormVersion, reads={"body": column_types.checked_by(dict[str, Any], _definition)}),
    Carried(
        model=Response,
        reads={
            "answers": Answers,
            "folder": column_types.one_of(INBOX, SPAM, PARTIAL),
            "page": Key,
            "suspicion": column_types.one_of(*SUSPICIONS),
        },
        numbered={"version": Numbered(FormVersion, "form", of="form_id")},
    ),
    Carried(
        model=GuestFile, files=("id",), receive=_receive, reads={"field": Key, "media_type": column_types.MediaType}
    ),
)
