"""The types of questions in people's words, and which settings of a question go with each."""

from __future__ import annotations

from dataclasses import dataclass

from workspace.products.form.rules import field_types


@dataclass(frozen=True, slots=True)
class Type:
    key: str
    name: str
    about: str  # in the menu of types


GROUPS = (
    (
        "Text",
        (
            Type("short_text", "Short answer", "One line, such as a name"),
            Type("long_text", "Long answer", "Several lines"),
            Type("email", "E-mail", "Checked as it is typed"),
            Type("phone", "Phone", "Any country's number"),
            Type("address", "Address", "Street, town, country"),
            Type("url", "Web page", "A link"),
        ),
    ),
    (
        "Choices",
        (
            Type("single_choice", "One of several", "All options are seen"),
            Type("dropdown", "List", "For many options"),
            Type("multi_choice", "Any of several", "Tick what fits"),
            Type("yes_no", "Yes or no", "Two buttons"),
            Type("checkbox", "Box to tick", "One, on its own"),
            Type("consent", "Agreement", "Terms, privacy"),
        ),
    ),
    (
        "Numbers and days",
        (
            Type("number", "Number", "How many, how much"),
            Type("date", "Date", "A day"),
            Type("time", "Time", "Of the day"),
            Type("rating", "Stars", "One to five"),
            Type("scale", "Scale", "0 to 10"),
            Type("calculated", "Counted out", "A price or a score"),
        ),
    ),
    (
        "More",
        (
            Type("file", "Files", "Photos, PDFs"),
            Type("signature", "Signature", "Drawn or typed"),
            Type("heading", "Heading", "Begins a section"),
            Type("text", "Text to read", "Asks nothing"),
            Type("hidden", "Hidden", "Taken from the link"),
        ),
    ),
)
NAMES = {type.key: type.name for _, types in GROUPS for type in types}
CHOICES = [(type.key, type.name) for _, types in GROUPS for type in types]

_OF_FAMILY = {
    field_types.TEXT: ("placeholder", "default", "min_length", "max_length", "pattern"),
    field_types.NUMBER: ("placeholder", "default", "min", "max", "step", "whole"),
    field_types.DATE: ("default", "min", "max"),
    field_types.TIME: ("default", "min", "max"),
    field_types.CHOICE: ("options", "other", "default"),
    field_types.MULTI: ("options", "other", "min", "max"),
    field_types.FILES: ("accept", "max_files", "max_mb"),
}
_OF_TYPE = {
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
SETTINGS = frozenset(name for names in (*_OF_FAMILY.values(), *_OF_TYPE.values()) for name in names)


def settings_of(type: str) -> tuple[str, ...]:
    """The settings that a question of this type has, as the tool calls them."""
    if type in _OF_TYPE:
        return _OF_TYPE[type]
    return ("label", "type", "hint", "required", *_OF_FAMILY.get(field_types.family(type), ()))
