"""The evaluation of forms, with a table of cases that also runs in a browser."""

from __future__ import annotations

from typing import Any

import pytest

from workspace.products.form.rules.evaluation import evaluate_form
from workspace.testing.form_cases import TABLE, definition_of


@pytest.mark.parametrize("case", [pytest.param(case, id=case["name"]) for case in TABLE["cases"]])
def test_a_form_is_evaluated_as_the_table_says(case: dict[str, Any]) -> None:
    result = evaluate_form(definition_of(case), case["answers"], TABLE["today"])
    assert result.stored_answers == case["kept"]
    assert result.errors == case.get("errors", {})
    if "shown" in case:
        assert list(result.visible) == case["shown"]
    if "reached" in case:
        assert result.pages == case["reached"]
