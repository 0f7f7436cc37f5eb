"""Rows that are rendered in bulk."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from django.utils import translation

from workspace.public_site import bulk_template


def test_rows_are_rendered_in_the_language_of_each_request(monkeypatch: pytest.MonkeyPatch) -> None:
    def render(template: str, context: Mapping[str, Any]) -> str:
        return f"{translation.get_language()}: {context['row']['name']}"

    monkeypatch.setattr(bulk_template, "render_to_string", render)
    rendered = []
    for language in ("de", "es"):
        with translation.override(language):
            rendered.append(bulk_template.render_rows("test/row.html", [{"name": "<Buffet>"}]))
    assert rendered == ["de: &lt;Buffet&gt;", "es: &lt;Buffet&gt;"]
