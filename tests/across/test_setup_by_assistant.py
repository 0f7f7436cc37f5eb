"""A trattoria is set up only through MCP.

The recorded calls of an agent that had only the list of tools are replayed. After each, the test checks what guests
see.
"""

from __future__ import annotations

import asyncio
import base64
import json
import re
import urllib.request
from dataclasses import dataclass, field
from html import unescape
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from pypdf import PdfReader

from workspace.testing.code_readers import read_with_zxing, to_gray_pixels
from workspace.testing.mcp_client import open_client
from workspace.testing.service import PATIENCE, Service

CALLS: list[dict[str, Any]] = json.loads((Path(__file__).parent / "trattoria.json").read_text())
MOST_CALLS = 25
DISH = re.compile(r'<h3[^>]*>([^<]+)</h3>\s*<p class="price"[^>]*>€([\d.]+)</p>')
SHOWN = re.compile(r"<p[^>]*>([^<·]+) · €([\d.]+)</p>")
Prices = dict[str, str]


@dataclass
class Played:
    """A replay.

    It contains the answer of each call by its name or its tool's, and the dishes with prices that guests saw after it:
    on the menu, and in the live block of the link page.
    """

    answers: dict[str, Any] = field(default_factory=dict)
    pictures: list[bytes] = field(default_factory=list)
    menus: dict[str, Prices] = field(default_factory=dict)
    blocks: dict[str, Prices] = field(default_factory=dict)
    kept: dict[str, Any] = field(default_factory=dict)
    key: str = ""


@pytest.fixture(scope="module")
def played(service: Service) -> Played:
    played = Played(key=service.account()["api_key"])

    async def play() -> None:
        async with open_client(f"{service.url}/mcp", key=played.key) as client:
            listed = {tool.name for tool in (await client.list_tools()).tools}
            for call in CALLS:
                assert call["tool"] in listed
                result = await client.call_tool(call["tool"], _filled(call["arguments"], played.kept))
                assert not result.is_error, result.content
                _record_call(played, call, result)

    asyncio.run(asyncio.wait_for(play(), PATIENCE * 2))
    return played


def _filled(value: Any, kept: dict[str, Any]) -> Any:
    """Return the arguments with values from earlier answers in place of `$name`."""
    if isinstance(value, dict):
        return {name: _filled(part, kept) for name, part in value.items()}
    if isinstance(value, list):
        return [_filled(part, kept) for part in value]
    return kept[value[1:]] if isinstance(value, str) and value.startswith("$") else value


def _record_call(played: Played, call: dict[str, Any], result: Any) -> None:
    name, answer = call.get("as", call["tool"]), result.structured_content
    played.answers[name] = answer
    played.pictures += [base64.b64decode(part.data) for part in result.content if part.type == "image"]
    for kept, path in call.get("keep", {}).items():
        found = answer
        for step in path:
            found = found[step]
        played.kept[kept] = found
    if url := played.kept.get("menu_url"):
        played.menus[name] = _prices(DISH, _page(url))
    if url := played.kept.get("links_url"):
        played.blocks[name] = _prices(SHOWN, _page(url))


def _page(url: str) -> str:
    with urllib.request.urlopen(url, timeout=PATIENCE) as response:
        return str(response.read().decode())


def _prices(pattern: re.Pattern[str], page: str) -> Prices:
    return {unescape(name): price for name, price in pattern.findall(page)}


def _load_prices() -> Prices:
    """Return the menu that the owner gave to the agent."""
    [call] = [call for call in CALLS if call["tool"] == "svc_menu_create"]
    items = [item for section in call["arguments"]["sections"] for item in section["items"]]
    return {item["name"]: f"{item['price']:.2f}" for item in items}


def _raised() -> Prices:
    """Return prices 5 % higher in whole cents, rounded half up to the nearest ten."""
    cents = {name: int(price.replace(".", "")) for name, price in _load_prices().items()}
    tens = {name: (amount * 105 + 500) // 1000 for name, amount in cents.items()}
    return {name: f"{amount / 10:.2f}" for name, amount in tens.items()}


def test_the_setup_takes_few_calls() -> None:
    assert len(CALLS) <= MOST_CALLS


def test_guests_see_thirty_dishes_with_their_prices(played: Played) -> None:
    assert len(_load_prices()) == 30
    assert played.menus["svc_menu_create"] == _load_prices()
    assert len(played.answers["svc_menu_create"]["sections"]) == 5


def test_a_preview_of_the_price_increase_shows_every_price_and_changes_none(played: Played) -> None:
    preview, rise = played.answers["preview"], played.answers["rise"]
    assert preview["dry_run"] is True
    assert {**preview, "dry_run": None, "change": None} == {**rise, "dry_run": None, "change": None}
    assert played.menus["preview"] == _load_prices()


def test_the_price_increase_is_valid_until_it_is_undone(played: Played) -> None:
    assert played.menus["rise"] == _raised()
    assert played.menus["undo"] == _load_prices()
    now = played.answers["svc_menu_items"]["items"]
    assert {item["name"]: f"{item['price']:.2f}" for item in now} == _load_prices()


def test_the_link_page_follows_the_menu(played: Played) -> None:
    first = list(_load_prices())[: len(played.blocks["undo"])]
    assert first
    for name, prices in (("svc_links_create", _load_prices()), ("rise", _raised()), ("undo", _load_prices())):
        assert played.blocks[name] == {dish: prices[dish] for dish in first}
    page = _page(played.kept["links_url"])
    assert "Call us" in page and 'title="Instagram"' in page


def test_cards_reviews_and_the_styled_code_exist(played: Played) -> None:
    cards = played.answers["svc_card_save"]["items"]
    assert [card["full_name"] in _page(card["public_url"]) for card in cards] == [True] * 3
    assert "Com'era da Gino?" in unescape(_page(played.kept["reviews_url"]))
    code = played.answers["svc_qr_get"]
    with urllib.request.urlopen(code["png_url"], timeout=PATIENCE) as response:
        drawn = response.read()
    assert read_with_zxing(to_gray_pixels(drawn)) == [code["printed_url"]]
    assert code["style"]["foreground"] == "#7a1f1f"


def test_the_overview_counts_all_items(played: Played) -> None:
    overview = played.answers["svc_overview"]
    assert {row["kind"]: row["things"] for row in overview["by_kind"]} == {
        "qr": 1,
        "card": 3,
        "link": 1,
        "review": 1,
        "menu": 1,
    }


def test_the_poster_is_shown_and_saved_and_its_code_opens_the_menu(played: Played) -> None:
    printed = played.answers["svc_qr_print"]
    [row] = printed["printed"]
    [picture] = played.pictures
    assert read_with_zxing(to_gray_pixels(picture)) == [row["printed_url"]]
    assert _prices(DISH, _page(row["printed_url"].lower())) == _load_prices()
    request = urllib.request.Request(printed["file_url"], headers={"Authorization": f"Bearer {played.key}"})
    with urllib.request.urlopen(request, timeout=PATIENCE) as response:
        [page] = PdfReader(BytesIO(response.read())).pages
    assert "Il nostro menu" in page.extract_text() and "Trattoria Da Gino" in page.extract_text()


def test_the_activity_lists_all_changes_and_which_are_undone(played: Played) -> None:
    rows = played.answers["svc_activity"]["items"]
    writes = [call["tool"] for call in CALLS if played.answers[call.get("as", call["tool"])].get("change")]
    writes = [name for name in writes if name != "svc_menu_change_prices"] + ["svc_menu_change_prices"]
    assert sorted(row["tool"] for row in rows) == sorted(writes)
    [rise] = [row for row in rows if row["tool"] == "svc_menu_change_prices"]
    assert rise["undone_by"] == played.answers["undo"]["change"]["id"]
