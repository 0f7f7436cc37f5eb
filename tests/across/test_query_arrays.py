"""Array arguments in a query string, as in OpenAPI."""

from __future__ import annotations

from typing import Any

import pytest

from workspace.testing.api import Api

pytestmark = pytest.mark.django_db


def test_an_array_argument_of_get_is_repeated_or_written_as_json(api: Api) -> None:
    api.run("svc_qr_create", name="Terrace", target_url="https://example.com")
    api.run("svc_card_create", full_name="Terrace Tom")

    def kinds(**query: Any) -> set[str]:
        status, body = api.get("search", q="terrace", **query)
        assert status == 200, body
        return {item["kind"] for item in body["data"]["items"]}

    assert kinds(kinds="card") == {"card"}
    assert kinds(kinds=["card", "qr"]) == {"card", "qr"} == kinds(kinds='["card", "qr"]')


def test_any_other_argument_of_get_is_given_once(api: Api) -> None:
    status, body = api.get("search", q=["a", "b"], kinds=["card", "qr"])
    assert (status, [issue["path"] for issue in body["issues"]]) == (400, ["q"])
