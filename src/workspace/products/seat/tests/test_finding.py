"""Find my table: a guest is told a table by a few letters, and nobody is told the list."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from workspace.products.seat import pages
from workspace.products.seat.tests.samples import add, make_chart
from workspace.testing import Api
from workspace.toolkit import clock

pytestmark = pytest.mark.django_db


@pytest.fixture
def chart(api: Api) -> dict[str, Any]:
    made = make_chart(api, find_table=True, show_names=True, slug="our-day")
    id, (one, other) = made["chart"]["id"], made["items"]
    people = add(
        api, id, {"name": "Cleo Müller", "party": "Choir"}, "Ben Berg", "王小明", {"name": "No", "reply": "no"}
    )
    seats = zip(people[:3], (one, one, other), strict=True)
    seated = [{"id": row["id"], "table_id": table["id"]} for row, table in seats]
    api.run("svc_seat_save_guests", event_id=id, items=seated)
    return {"id": id}


def found(client: Client, q: str, **headers: str) -> str:
    answer = client.get("/s/our-day/find", {"q": q}, headers=headers)
    assert answer.status_code == 200 and answer.headers["Cache-Control"] == "no-store"
    return answer.content.decode()


def test_three_letters_lead_to_a_table_and_to_who_sits_there(client: Client, chart: dict[str, Any]) -> None:
    told = found(client, "MUL")
    assert "Cleo Müller" in told and "Table 1" in told and "Ben Berg" in told and "You are here" in told
    assert "Cleo" in found(client, "choi") and "王小明" in found(client, "小明") + found(client, "王小")
    for nothing in ("mü", "ler", "no show", "%%%", "___"):
        assert "s-table" not in found(client, nothing), nothing
    assert len(told.encode()) < 15_000
    assert found(client, "MUL", **{"X-Part": "1"}).startswith("<ul")


def test_names_of_the_table_are_the_owners_to_give(api: Api, client: Client, chart: dict[str, Any]) -> None:
    api.run("svc_seat_edit", event_id=chart["id"], show_names=False)
    told = found(client, "MUL")
    assert "Table 1" in told and "Ben" not in told


def test_there_is_no_list_to_look_through(
    api: Api, client: Client, chart: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    add(api, chart["id"], *(f"Smith {number}" for number in range(12)))
    told = found(client, "smith")
    assert told.count("Smith ") == 8 and "There are more" in told
    assert "Berg" not in client.get("/s/our-day").content.decode()
    monkeypatch.setattr(pages, "TRIES", 1)
    assert client.get("/s/our-day/find", {"q": "smith"}).status_code in (200, 429)
    assert client.get("/s/our-day/find", {"q": "smith"}).status_code == 429


def test_before_it_opens_the_page_says_when_and_tells_nobody(api: Api, client: Client, chart: dict[str, Any]) -> None:
    opens = clock.now() + timedelta(days=400)
    api.run("svc_seat_edit", event_id=chart["id"], find_from=opens.isoformat())
    page = client.get("/s/our-day").content.decode()
    assert str(opens.year) in page and "searchbox" not in page and 'name="q"' not in page
    assert "Müller" not in found(client, "MUL")
    api.run("svc_seat_edit", event_id=chart["id"], find_table=False)
    assert "Your host" in client.get("/s/our-day").content.decode()
