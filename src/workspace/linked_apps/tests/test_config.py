"""The list of apps is valid, or the start fails with a message."""

from __future__ import annotations

import json
from typing import Any

import pytest

from workspace.linked_apps.config import Application, load_applications

SHOP: dict[str, Any] = {
    "name": "shop",
    "title": "Shop",
    "url": "https://shop.example",
    "mcp_url": "https://shop.example/mcp",
}


def read_config(monkeypatch: pytest.MonkeyPatch, told: Any) -> tuple[Application, ...]:
    monkeypatch.setenv("WORKSPACE_LINKED_APPS", told if isinstance(told, str) else json.dumps(told))
    return load_applications()


def test_a_valid_configuration_is_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    here = {**SHOP, "name": "till2", "mcp_url": "http://127.0.0.1:9000/mcp", "networks": ["10.0.0.0/8"]}
    shop, till = read_config(monkeypatch, [SHOP, here])
    assert (shop.name, shop.mcp_url, shop.is_local) == ("shop", "https://shop.example/mcp", False)
    assert till.is_local and till.networks == ("10.0.0.0/8",)
    assert read_config(monkeypatch, "") == ()


@pytest.mark.parametrize(
    ("told", "why"),
    [
        ("[{", "isn’t valid JSON"),
        ({"shop": 1}, "must be a list"),
        ([SHOP, SHOP], "name shop twice"),
        ([[]], "app 1 must be an object"),
        ([{**SHOP, "color": "red"}], "'color' is unknown"),
        ([{**SHOP, "name": "svc"}], "not svc or workspace"),
        ([{**SHOP, "name": "Shop"}], "lowercase letters"),
        ([{**SHOP, "name": "my_shop"}], "lowercase letters"),
        ([{**SHOP, "name": "s" * 13}], "2 to 12"),
        ([{**SHOP, "name": 5}], "name must be text"),
        ([{**SHOP, "title": " "}], "set a title"),
        ([{**SHOP, "url": "shop.example"}], "Use an https:// address"),
        ([{**SHOP, "mcp_url": "http://shop.example/mcp"}], "Use an https:// address"),
        ([{**SHOP, "mcp_url": "https://anna:pw@shop.example/mcp"}], "user name and password"),
        ([{**SHOP, "networks": ["ten"]}], "networks must be a list"),
    ],
)
def test_an_invalid_configuration_ends_the_start_with_a_message(
    monkeypatch: pytest.MonkeyPatch, told: Any, why: str
) -> None:
    with pytest.raises(SystemExit) as ended:
        read_config(monkeypatch, told)
    assert why in str(ended.value) and str(ended.value).startswith("WORKSPACE_LINKED_APPS")
