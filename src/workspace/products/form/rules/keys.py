"""Keys of fields and pages, for programs, formulas and URLs.

A key is derived from the label if none is given. It is never reused for another field, so that columns of answers
retain their meaning."""

from __future__ import annotations

import re
from collections.abc import Mapping

from workspace.lib.text import search_key
from workspace.products.form.rules.field_input import FieldInput
from workspace.tools.object_parser import Issues

MAX_KEY_LENGTH = 40
_END_KEY = "end"
DUPLICATE_MESSAGE = "Stands twice"


class KeyAssigner:
    """Assigns unique keys to pages and fields."""

    def __init__(self, taken: Mapping[str, str], issues: Issues) -> None:
        self.earlier_types, self.issues = taken, issues
        self.pages: set[str] = set()

    def assign_page_key(self, given: str, title: str, place: int, path: str) -> str:
        if given in self.pages or given == _END_KEY:
            self.issues.add(path, DUPLICATE_MESSAGE if given != _END_KEY else "This word ends the form: choose another")
        key, number = given or f"page_{place + 1}", place + 1
        while not given and key in self.pages:
            number += 1
            key = f"page_{number}"
        self.pages.add(key)
        return key

    def assign_field_keys(self, fields: list[FieldInput]) -> None:
        """Assign a key to every field. Given keys come first, so that generated keys do not collide with them."""
        used: set[str] = set()
        for one in fields:
            if not one.own_key:
                continue
            if one.own_key in used:
                self.issues.add(one.key_path, DUPLICATE_MESSAGE)
            elif self.earlier_types.get(one.own_key, one.definition["type"]) != one.definition["type"]:
                self.issues.add(one.key_path, "An earlier field of another type had this key: choose another")
            one.key = one.own_key
            used.add(one.key)
        for one in fields:
            if not one.key:
                one.key = self._create_key(one, used)
                used.add(one.key)
            one.definition = {"key": one.key, **one.definition}

    def _create_key(self, one: FieldInput, used: set[str]) -> str:
        plain = (
            re.sub("[^a-z0-9]+", "_", search_key(one.definition.get("label", "")))
            .strip("_")[:MAX_KEY_LENGTH]
            .strip("_")
        )
        if not plain or not plain[0].isalpha():
            plain = f"{one.definition['type']}_{plain}".strip("_")[:MAX_KEY_LENGTH]
        key, number = plain, 1
        while key in used or key in self.earlier_types:
            number += 1
            key = f"{plain[: MAX_KEY_LENGTH - 4]}_{number}"
        return key
