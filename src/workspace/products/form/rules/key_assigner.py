"""Keys of fields and pages, for programs, formulas and URLs.

If no key is given, it is derived from the label. A key is never reused for another field, so that columns of answers
keep their meaning.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from workspace.lib.text import search_key
from workspace.products.form import messages
from workspace.products.form.rules.field_input import FieldInput
from workspace.tools.object_parser import Issues

MAX_KEY_LENGTH = 40
_END_KEY = "end"


class KeyAssigner:
    """Assigns unique keys to pages and fields."""

    def __init__(self, taken_keys: Mapping[str, str], issues: Issues) -> None:
        self.earlier_types, self.issues = taken_keys, issues
        self.pages: set[str] = set()

    def assign_page_key(self, text: str, title: str, place: int, path: str) -> str:
        if text in self.pages or text == _END_KEY:
            self.issues.add(path, messages.KEY_REPEATED if text != _END_KEY else messages.KEY_RESERVED)
        key, number = text or f"page_{place + 1}", place + 1
        while not text and key in self.pages:
            number += 1
            key = f"page_{number}"
        self.pages.add(key)
        return key

    def assign_field_keys(self, fields: list[FieldInput]) -> None:
        """Assign a key to every field.

        Given keys are assigned first, so that generated keys do not collide with them.
        """
        used: set[str] = set()
        for field in fields:
            if not field.own_key:
                continue
            if field.own_key in used:
                self.issues.add(field.key_path, messages.KEY_REPEATED)
            elif self.earlier_types.get(field.own_key, field.definition["type"]) != field.definition["type"]:
                self.issues.add(field.key_path, messages.KEY_USED_BEFORE)
            field.key = field.own_key
            used.add(field.key)
        for field in fields:
            if not field.key:
                field.key = self._create_key(field, used)
                used.add(field.key)
            field.definition = {"key": field.key, **field.definition}

    def _create_key(self, field_input: FieldInput, used: set[str]) -> str:
        plain = (
            re.sub("[^a-z0-9]+", "_", search_key(field_input.definition.get("label", "")))
            .strip("_")[:MAX_KEY_LENGTH]
            .strip("_")
        )
        if not plain or not plain[0].isalpha():
            plain = f"{field_input.definition['type']}_{plain}".strip("_")[:MAX_KEY_LENGTH]
        key, number = plain, 1
        while key in used or key in self.earlier_types:
            number += 1
            key = f"{plain[: MAX_KEY_LENGTH - 4]}_{number}"
        return key
