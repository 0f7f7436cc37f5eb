"""Forms when an account moves: what guests sent is looked at again, and what is asked is read as its owner wrote it."""

from __future__ import annotations

from typing import Any

from workspace.accounts.carrying import readers
from workspace.accounts.carrying.tables import Carried, Numbered
from workspace.products.form import kinds
from workspace.products.form.arguments import FormEdit, ThankYou
from workspace.products.form.checking import MOST_CHOSEN, MOST_STROKES
from workspace.products.form.models import INBOX, PARTIAL, SPAM, SUSPICIONS, Form, FormVersion, GuestFile, Response
from workspace.products.form.shapes import read_form
from workspace.products.form.written import as_written
from workspace.storage import files
from workspace.storage.media import media_type

_SHAPE = "This is not the shape of a form"
Key = readers.matching(r"[A-Za-z0-9_]{1,60}", "Use letters, digits and _")
Signed = readers.shape({"name": readers.OneLine, "drawn": readers.list_of(list[int], MOST_STROKES)})
Answers = readers.keyed(
    Key, readers.any_of(readers.PlainText, bool, int, float, readers.list_of(readers.PlainText, MOST_CHOSEN), Signed)
)


def _receive(row: Any, key: str, content: bytes) -> dict[str, Any]:
    found = media_type(content, row.name)
    files.put(key, content)
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
            **readers.as_given(FormEdit, "hosts", "notify"),
            **readers.as_given(ThankYou, "redirect_url", thank_you="text"),
            "keys": readers.keyed(Key, readers.one_of(*kinds.FAMILIES)),
        },
        numbered={"version": Numbered(FormVersion, "form")},
    ),
    Carried(model=FormVersion, reads={"body": readers.checked_by(dict[str, Any], _definition)}),
    Carried(
        model=Response,
        reads={
            "answers": Answers,
            "folder": readers.one_of(INBOX, SPAM, PARTIAL),
            "page": Key,
            "suspicion": readers.one_of(*SUSPICIONS),
        },
        numbered={"version": Numbered(FormVersion, "form", of="form_id")},
    ),
    Carried(model=GuestFile, files=("id",), receive=_receive, reads={"field": Key, "media_type": readers.MediaType}),
)
