"""A new webhook URL of a form or a waiver replaces the first one, which the answer mentions."""

from __future__ import annotations

import pytest

from workspace.testing.api import Api

pytestmark = pytest.mark.django_db
FIRST, SECOND = "https://hooks.example.com/first", "https://hooks.example.com/second"


@pytest.mark.parametrize("product", ["form", "waiver"])
def test_the_text_names_the_replaced_url(api: Api, product: str) -> None:
    given = {"text": "Be careful"} if product == "waiver" else {}
    made = api.run(f"svc_{product}_create", title="Kayak", webhook_url=FIRST, **given)["id"]

    def head_of(url: str) -> str:
        status, whole = api.post("call", {"name": f"svc_{product}_edit", "arguments": {"id": made, "webhook_url": url}})
        assert status == 200 and whole["data"]["webhook_url"] == url
        return str(whole["text"].splitlines()[0])

    assert "webhook" not in head_of(FIRST)
    gone = f"It no longer receives anything about this {product}"
    assert f"The webhook {FIRST} was replaced by {SECOND}. {gone}" in head_of(SECOND)
    assert f"The webhook {SECOND} was removed. {gone}" in head_of("")
    assert "webhook" not in head_of(FIRST)
