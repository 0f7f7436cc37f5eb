"""Keys of fields and pages: what programs, formulas and addresses call them. One is made from the label where none is
given, and none is ever used again for another field, so that columns of answers keep their meaning."""

from __future__ import annotations

import re
from collections.abc import Mapping

from workspace.lib.text import fold
from workspace.products.form.rules.field_input import Field
from workspace.tools.object_parser import Issues

LONGEST = 40
_END = "end"
TWICE = "Stands twice"


class Keys:
    def __init__(self, taken: Mapping[str, str], issues: Issues) -> None:
        self.taken, self.issues = taken, issues
        self.pages: set[str] = set()

    def page(self, given: str, title: str, place: int, path: str) -> str:
        if given in self.pages or given == _END:
            self.issues.at(path, TWICE if given != _END else "This word ends the form: choose another")
        key, number = given or f"page_{place + 1}", place + 1
        while not given and key in self.pages:
            number += 1
            key = f"page_{number}"
        self.pages.add(key)
        return key

    def name(self, fields: list[Field]) -> None:
        """Give every field its key: the owner's own first, so that those that are made up take none of them."""
        used: set[str] = set()
        for one in fields:
            if not one.given_key:
                continue
            if one.given_key in used:
                self.issues.at(one.key_path, TWICE)
            elif self.taken.get(one.given_key, one.said["type"]) != one.said["type"]:
                self.issues.at(one.key_path, "An earlier field of another type had this key: choose another")
            one.key = one.given_key
            used.add(one.key)
        for one in fields:
            if not one.key:
                one.key = self._made(one, used)
                used.add(one.key)
            one.said = {"key": one.key, **one.said}

    def _made(self, one: Field, used: set[str]) -> str:
        plain = re.sub("[^a-z0-9]+", "_", fold(one.said.get("label", ""))).strip("_")[:LONGEST].strip("_")
        if not plain or not plain[0].isalpha():
            plain = f"{one.said['type']}_{plain}".strip("_")[:LONGEST]
        key, number = plain, 1
        while key in used or key in self.taken:
            number += 1
            key = f"{plain[: LONGEST - 4]}_{number}"
        return key
