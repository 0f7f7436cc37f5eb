"""Templates of forms: ready-made forms for trades in each guest language, and the account's own forms."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from workspace.accounts.models import Account
from workspace.lib.errors import InvalidInputError
from workspace.products.form import messages
from workspace.products.form.models import Form
from workspace.products.form.rules.definition_as_input import pages_as_input
from workspace.publishing import starter_files as ready_files
from workspace.publishing.duplication import copy_fields
from workspace.publishing.guest_language import guest_language

_FOLDER = Path(__file__).parent / "templates"
TEMPLATE_NAMES = tuple(sorted({path.name.split(".")[0] for path in _FOLDER.glob("*.en.json")}))


def definition_from_template(account: Account, copy_of: str) -> dict[str, Any]:
    """Return the fields for `Form.open`, with `pages`.

    Raise InvalidInputError if the name is neither a template nor a form.
    """
    name, _, language = copy_of.partition(".")
    if name in TEMPLATE_NAMES:
        result = dict(load_template(name, language or guest_language(account)))
        return {
            "pages": result["pages"],
            "thank_you": result.get("thank_you", ""),
            "receipt": result.get("receipt", False),
        }
    form = account.forms.filter(pk=copy_of).select_related("publication").first() if copy_of.isprintable() else None
    if form is None:
        form = _find_by_address(account, copy_of)
    if form is None:
        raise InvalidInputError.at_path("copy_of", messages.TEMPLATE_NOT_FOUND(names=", ".join(TEMPLATE_NAMES)))
    fields = copy_fields(form)
    del fields["title"]  # the new form has its own title
    return {**fields, "pages": pages_as_input(form.definition)}


def _find_by_address(account: Account, copy_of: str) -> Form | None:
    slug = copy_of.rstrip("/").rpartition("/")[2].lower()
    forms = account.forms.filter(publication__addresses__slug=slug).select_related("publication")
    return forms.first() if slug.isprintable() else None


def load_template(name: str, language: str) -> dict[str, Any]:
    """Return a template in a language."""
    return ready_files.load_starter(_FOLDER, name, language)


def list_titles(account: Account) -> list[tuple[str, str]]:
    """Return the names and titles of the templates, sorted by title."""
    language = guest_language(account)
    return sorted(
        ((name, str(load_template(name, language)["title"])) for name in TEMPLATE_NAMES), key=lambda pair: pair[1]
    )
