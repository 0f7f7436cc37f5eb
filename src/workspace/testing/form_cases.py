"""Test cases for the rules that decide what a form shows, asks and saves. They run in Python and in a browser."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from workspace.products.form.rules.form_input import parse_form

TABLE = json.loads(Path(__file__).with_suffix(".json").read_text())


def definition_of(case: dict[str, Any]) -> dict[str, Any]:
    found, issues = parse_form(fields=case.get("fields"), pages=case.get("pages"))
    assert not issues, issues
    return found
