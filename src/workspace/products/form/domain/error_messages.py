"""Messages for errors in answers, shared by the server and the browser, which receives them by name.

A phrase is found by its code and the type of the field (`invalid.email`), or else by its code alone. `%s` is the limit.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import date
from decimal import Decimal
from typing import Any

from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from workspace.products.form.rules import answer_validation, field_types
from workspace.publishing import language
from workspace.publishing.locale import current_locale

PHRASES = {
    "required": _("Answer this question"),
    "required.consent": _("Check this box to send your answers"),
    "required.checkbox": _("Check this box"),
    "required.file": _("Choose a file"),
    "required.signature": _("Add your signature"),
    "required.single_choice": _("Choose one of the options"),
    "required.dropdown": _("Choose one of the options"),
    "required.multi_choice": _("Choose at least one option"),
    "invalid": _("Check this answer"),
    "invalid.email": _("Enter an email address like name@example.com"),
    "invalid.phone": _("Enter a phone number like +43 1 234 56 78"),
    "invalid.url": _("Enter a web address like example.com"),
    "invalid.number": _("Enter a number"),
    "invalid.date": _("Enter a date that includes the year"),
    "invalid.time": _("Enter a time like 14:30"),
    "invalid.file": _("Choose the file again"),
    "invalid.signature": _("Sign again"),
    "not_an_option": _("Choose one of the options"),
    "too_small": _("Enter %s or more"),
    "too_small.date": _("Choose a date no earlier than %s"),
    "too_small.time": _("Choose a time no earlier than %s"),
    "too_large": _("Enter %s or less"),
    "too_large.date": _("Choose a date no later than %s"),
    "too_large.time": _("Choose a time no later than %s"),
    "too_large.file": _("This file is too large (max. %s MB)"),
    "too_heavy": _("These files are too large in total (max. %s MB)"),
    "wrong_kind": _("Choose a file of one of these types: %s"),
    "too_few": _("Choose at least %s"),
    "too_many": _("Choose at most %s"),
    "too_many.file": _("Attach at most %s files"),
    "too_short": _("Enter at least %s characters"),
    "too_long": _("Enter at most %s characters"),
}
IMAGES_WORD = _("images")
_TEXT_FAMILIES, _ORDERED_FAMILIES = (
    (field_types.TEXT, field_types.CHOICE, field_types.MULTI),
    (field_types.NUMBER, field_types.DATE, field_types.TIME),
)
_FAMILIES_BY_CODE = {  # the type families in which an error code can occur
    "not_an_option": (field_types.CHOICE, field_types.MULTI),
    "too_small": _ORDERED_FAMILIES,
    "too_large": _ORDERED_FAMILIES,
    "too_heavy": (field_types.FILES,),
    "wrong_kind": (field_types.FILES,),
    "too_few": (field_types.MULTI,),
    "too_many": (field_types.MULTI, field_types.FILES),
    "too_short": (field_types.TEXT,),
    "too_long": _TEXT_FAMILIES,
}
LIMIT_SETTINGS = {
    "too_small": "min",
    "too_large": "max",
    "too_few": "min",
    "too_many": "max",
    "too_short": "min_length",
    "too_long": "max_length",
}


def error_message(field: Mapping[str, Any], code: str, today: str) -> str:
    name = f"{code}.{field['type']}"
    phrase = gettext(PHRASES.get(name) or PHRASES[code])
    return phrase.replace("%s", _format_limit(field, code, today)) if "%s" in phrase else phrase


def list_phrases(types: Collection[str]) -> dict[str, str]:
    """Return the error messages that fields of these types may need. A key is a code, or a code and a type."""
    families = {field_types.answer_family(type) for type in types}
    phrases = {}
    for name, text in PHRASES.items():
        code, _dot, type = name.partition(".")
        if type in types if type else not families.isdisjoint(_FAMILIES_BY_CODE.get(code, families)):
            phrases[name] = gettext(text)
    return phrases


def format_file_kinds(field: Mapping[str, Any]) -> str:
    """Format the accepted kinds of files as text, or return an empty string if all supported kinds are accepted."""
    return ", ".join(gettext(IMAGES_WORD) if item == "image" else item.upper() for item in field.get("accept", ()))


def _format_limit(field: Mapping[str, Any], code: str, today: str) -> str:
    if code == answer_validation.WRONG_KIND:
        return format_file_kinds(field)
    if field["type"] == "file":
        in_mb = {
            "too_large": field.get("max_mb", answer_validation.MAX_FILE_MB),
            answer_validation.TOO_HEAVY: answer_validation.MAX_TOTAL_MB,
        }
        limit = in_mb.get(code, field.get("max_files", 1))
    else:
        limit = field.get(LIMIT_SETTINGS[code])
    if limit is None:
        limit = {"too_long": answer_validation.MAX_LENGTHS.get(field["type"], answer_validation.MAX_OTHER_LENGTH)}.get(
            code, answer_validation.MAX_CHOICES
        )
    if field["type"] == "date":
        return language.format_day(
            date.fromisoformat(today if limit == field_types.TODAY else str(limit)), current_locale().number_locale
        )
    return (
        str(limit)
        if field["type"] == "time"
        else language.format_number(Decimal(str(limit)), current_locale().number_locale)
    )
