"""Labels of the question types, and the settings that each type has."""

from __future__ import annotations

from dataclasses import dataclass

from workspace.products.form.rules import field_types


@dataclass(frozen=True, slots=True)
class FieldType:
    key: str
    name: str
    about: str  # shown in the menu of types


TYPE_GROUPS = (
    (
        "Text",
        (
            FieldType("short_text", "Short answer", "One line, such as a name"),
            FieldType("long_text", "Long answer", "Several lines"),
            FieldType("email", "E-mail", "Checked as it is typed"),
            FieldType("phone", "Phone", "Any country's number"),
            FieldType("address", "Address", "Street, town, country"),
            FieldType("url", "Web page", "A link"),
        ),
    ),
    (
        "Choices",
        (
            FieldType("single_choice", "One of several", "All options are seen"),
            FieldType("dropdown", "List", "For many options"),
            FieldType("multi_choice", "Any of several", "Tick what fits"),
            FieldType("yes_no", "Yes or no", "Two buttons"),
            FieldType("checkbox", "Box to tick", "One, on its own"),
            FieldType("consent", "Agreement", "Terms, privacy"),
        ),
    ),
    (
        "Numbers and days",
        (
            FieldType("number", "Number", "How many, how much"),
            FieldType("date", "Date", "A day"),
            FieldType("time", "Time", "Of the day"),
            FieldType("rating", "Stars", "One to five"),
            FieldType("scale", "Scale", "0 to 10"),
            FieldType("calculated", "Counted out", "A price or a score"),
        ),
    ),
    (
        "More",
        (
            FieldType("file", "Files", "Photos, PDFs"),
            FieldType("signature", "Signature", "Drawn or typed"),
            FieldType("heading", "Heading", "Begins a section"),
            FieldType("text", "Text to read", "Asks nothing"),
            FieldType("hidden", "Hidden", "Taken from the link"),
        ),
    ),
)
TYPE_NAMES = {type.key: type.name for _, types in TYPE_GROUPS for type in types}
TYPE_CHOICES = [(type.key, type.name) for _, types in TYPE_GROUPS for type in types]

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
    """Return the settings of a question of this type, by the tool's names."""
    if type in _TYPE_SETTINGS:
        return _TYPE_SETTINGS[type]
    return ("label", "type", "hint", "required", *_FAMILY_SETTINGS.get(field_types.answer_family(type), ()))
