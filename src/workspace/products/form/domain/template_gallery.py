"""Forms to begin with: those of trades that are ready to use, in three languages, and an account's own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from workspace.accounts.models import Account
from workspace.lib.errors import InvalidInput
from workspace.products.form.models import Form
from workspace.products.form.rules.form_output import as_written
from workspace.publishing import starter_files as ready_files
from workspace.publishing.call_to_action import language_of
from workspace.publishing.duplication import fields_like

_FOLDER = Path(__file__).parent / "templates"
NAMES = tuple(sorted({path.name.split(".")[0] for path in _FOLDER.glob("*.en.json")}))


def begin(account: Account, like: str) -> dict[str, Any]:
    """`pages`, and fields as `Form.open` takes them. Raises InvalidInput for a name of neither."""
    name, _, language = like.partition(".")
    if name in NAMES:
        found = dict(ready(name, language or language_of(account)))
        return {
            "pages": found["pages"],
            "thank_you": found.get("thank_you", ""),
            "receipt": found.get("receipt", False),
        }
    form = account.forms.filter(pk=like).select_related("publication").first() if like.isprintable() else None
    if form is None:
        form = _at(account, like)
    if form is None:
        told = f"There is no such form, nor such a template: {', '.join(NAMES)}"
        raise InvalidInput.at("like", told)
    fields = fields_like(form)
    del fields["title"]  # it gets one of its own
    return {**fields, "pages": as_written(form.definition)}


def _at(account: Account, like: str) -> Form | None:
    slug = like.rstrip("/").rpartition("/")[2].lower()
    found = account.forms.filter(publication__addresses__slug=slug).select_related("publication")
    return found.first() if slug.isprintable() else None


def ready(name: str, language: str) -> dict[str, Any]:
    """A template in a language."""
    return ready_files.ready(_FOLDER, name, language)


def titles(account: Account) -> list[tuple[str, str]]:
    """Names and titles, for choosing."""
    language = language_of(account)
    return sorted(((name, str(ready(name, language)["title"])) for name in NAMES), key=lambda pair: pair[1])
