"""Labels of the question types, and the settings that each type has."""

from __future__ import annotations

from dataclasses import dataclass

from workspace.owner_translation import owner_gettext_lazy
from workspace.products.form.rules import field_types


@dataclass(frozen=True, slots=True)
class FieldType:
    key: str
    name: str
    about: str  # shown in the menu of types


TYPE_GROUPS = (
    (
        owner_gettext_lazy("Text"),
        (
            FieldType("short_text", owner_gettext_lazy("Short text"), owner_gettext_lazy("One line, such as a name")),
            FieldType("long_text", owner_gettext_lazy("Long text"), owner_gettext_lazy("Several lines")),
            FieldType("email", owner_gettext_lazy("Email"), owner_gettext_lazy("Checked while typing")),
            FieldType("phone", owner_gettext_lazy("Phone number"), owner_gettext_lazy("From any country")),
            FieldType("address", owner_gettext_lazy("Address"), owner_gettext_lazy("Street, city, country")),
            FieldType("url", owner_gettext_lazy("Website"), owner_gettext_lazy("A link")),
        ),
    ),
    (
        owner_gettext_lazy("Choices"),
        (
            FieldType("single_choice", owner_gettext_lazy("Single choice"), owner_gettext_lazy("Shows all options")),
            FieldType("dropdown", owner_gettext_lazy("Dropdown"), owner_gettext_lazy("For many options")),
            FieldType(
                "multi_choice", owner_gettext_lazy("Multiple choice"), owner_gettext_lazy("Any number of options")
            ),
            FieldType("yes_no", owner_gettext_lazy("Yes or no"), owner_gettext_lazy("Two buttons")),
            FieldType("checkbox", owner_gettext_lazy("Checkbox"), owner_gettext_lazy("One box to check")),
            FieldType("consent", owner_gettext_lazy("Consent"), owner_gettext_lazy("Terms or privacy")),
        ),
    ),
    (
        owner_gettext_lazy("Numbers and dates"),
        (
            FieldType("number", owner_gettext_lazy("Number"), owner_gettext_lazy("Amounts and quantities")),
            FieldType("date", owner_gettext_lazy("Date"), owner_gettext_lazy("One day")),
            FieldType("time", owner_gettext_lazy("Time"), owner_gettext_lazy("Hours and minutes")),
            FieldType("rating", owner_gettext_lazy("Rating"), owner_gettext_lazy("1 to 5 stars")),
            FieldType("scale", owner_gettext_lazy("Scale"), owner_gettext_lazy("0 to 10")),
            FieldType("calculated", owner_gettext_lazy("Calculation"), owner_gettext_lazy("A price or score")),
        ),
    ),
    (
        owner_gettext_lazy("More"),
        (
            FieldType("file", owner_gettext_lazy("File upload"), owner_gettext_lazy("Photos and PDFs")),
            FieldType("signature", owner_gettext_lazy("Signature"), owner_gettext_lazy("Drawn or typed")),
            FieldType("heading", owner_gettext_lazy("Heading"), owner_gettext_lazy("Starts a section")),
            FieldType("text", owner_gettext_lazy("Text"), owner_gettext_lazy("Information without a question")),
            FieldType("hidden", owner_gettext_lazy("Hidden value"), owner_gettext_lazy("Taken from the link")),
        ),
    ),
)
TYPE_NAMES = {type.key: type.name for _, types in TYPE_GROUPS for type in types}
TYPE_CHOICES = [(type.key, type.name) for _, types in TYPE_GROUPS for type in types]
# types that need only a question, or also options; the others have a form of their own
QUICK_TYPES = [
    (key, name)
    for key, name in TYPE_CHOICES
    if key not in ("consent", "calculated", "hidden", "text", "heading", "checkbox")
]

_FAMILY_SETTINGS = {
    field_types.TEXT: ("placeholder", "default", "min_length", "max_length", "pattern"),
    field_types.NUMBER: ("placeholder", "default", "min", "max", "step", "whole"),
    field_types.DATE: ("default", "min", "max"),
    field_types.TIME: ("default", "min", "max"),
    field_types.CHOICE: ("options", "other", "default"),
    field_types.MULTI: ("options", "other", "min", "max"),
    field_types.FILES: ("accept", "max_files", "max_mb"),
}
_TYPE_SETTINGS = {
    "heading": ("label", "type", "hint", "section"),
    "text": ("label", "type"),
    "calculated": ("label", "type", "hint", "formula", "decimals", "hidden"),
    "hidden": ("label", "type", "default"),
    "rating": ("label", "type", "hint", "required", "max"),
    "scale": ("label", "type", "hint", "required", "min", "max"),
    "signature": ("label", "type", "hint", "required"),
    "consent": ("label", "type", "required"),
    "checkbox": ("label", "type", "hint", "required"),
    "yes_no": ("label", "type", "hint", "required"),
}
ALL_SETTINGS = frozenset(name for names in (*_FAMILY_SETTINGS.values(), *_TYPE_SETTINGS.values()) for name in names)


def settings_for(type: str) -> tuple[str, ...]:
    """Return the settings of a question of this type, with the names that the tool uses."""
    if type in _TYPE_SETTINGS:
        return _TYPE_SETTINGS[type]
    return ("label", "type", "hint", "required", *_FAMILY_SETTINGS.get(field_types.answer_family(type), ()))
