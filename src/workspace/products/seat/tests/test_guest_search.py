"""Find my table: a few letters lead a guest to a table, and no one can read the whole list."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.db import connection, transaction
from django.test import Client

from workspace.lib import clock
from workspace.testing.api import Api
from workspace.testing.rate_limits import set_limit
from workspace.testing.samples.seat import add, make_chart

pytestmark = pytest.mark.django_db
LETTERS = "ABCDEFGHIJKLMNOP"


@pytest.fixture
def chart(api: Api) -> dict[str, Any]:
    made = make_chart(api, find_table=True, show_names=True, slug="our-day")
    id, (item, other) = made["chart"]["id"], made["items"]
    people = add(
        api, id, {"name": "Cleo Müller", "party": "Choir"}, "Ben Berg", "王小明", {"name": "No", "reply": "no"}
    )
    seats = zip(people[:3], (item, item, other), strict=True)
    seated = [{"id": row["id"], "table_id": table["id"]} for row, table in seats]
    api.run("svc_seat_save_guests", event_id=id, items=seated)
    return {"id": id}


def search_page(client: Client, q: str, **headers: str) -> str:
    answer = client.get("/s/our-day/find", {"q": q}, headers=headers)
    assert answer.status_code == 200 and answer.headers["Cache-Control"] == "no-store"
    return answer.content.decode()


def test_three_letters_lead_to_a_table_and_its_guests(client: Client, chart: dict[str, Any]) -> None:
    text = search_page(client, "MUL")
    assert "Cleo Müller" in text and "Table 1" in text and "Ben Berg" in text and "You are here" in text
    assert "Cleo" in search_page(client, "choi") and "王小明" in search_page(client, "小明") + search_page(
        client, "王小"
    )
    for nothing in ("mü", "ler", "no show", "%%%", "___"):
        assert "s-table" not in search_page(client, nothing).partition("<body>")[2], nothing
    assert len(text.encode()) < 15_000
    assert search_page(client, "MUL", **{"X-Part": "1"}).startswith("<ul")


def test_names_at_a_table_are_shown_only_if_the_owner_allows_it(
    api: Api, client: Client, chart: dict[str, Any]
) -> None:
    api.run("svc_seat_edit", event_id=chart["id"], show_names=False)
    text = search_page(client, "MUL")
    assert "Table 1" in text and "Ben" not in text


def test_more_hits_than_the_maximum_are_not_listed(api: Api, client: Client, chart: dict[str, Any]) -> None:
    add(
        api,
        chart["id"],
        *(f"Smith {number}" for number in range(9)),
        "Anna",
        *(f"Anna {letter}" for letter in LETTERS[:9]),
    )
    text = search_page(client, "smith")
    assert "Smith 1" not in text and "Enter more letters" in text
    assert search_page(client, "smith 1").count("Smith 1") >= 1
    assert "<b>Anna</b>" in search_page(client, "anna"), "a name typed in full is answered"
    assert "Berg" not in client.get("/s/our-day").content.decode()


def test_a_visitor_sees_sixty_names_at_most_and_still_finds_a_full_name(
    api: Api, client: Client, chart: dict[str, Any]
) -> None:
    names = [
        f"{letter}{two.lower()}{three.lower()} Guest"
        for letter in LETTERS[:5]
        for two in LETTERS[:5]
        for three in LETTERS[:12]
    ]
    add(api, chart["id"], *names)
    with time_machine.travel("2026-11-21T12:00:00Z", tick=False) as travel:
        seen: set[str] = set()
        answers = []
        for start in [name[:3] for name in names for _ in range(2)]:
            answer = client.get("/s/our-day/find", {"q": start})
            seen |= {name for name in names if name in answer.content.decode()}
            answers.append(answer.status_code)
        assert len(seen) == 60 and set(answers) == {200, 429} and len(answers) == 600
        assert "full name" in client.get("/s/our-day/find", {"q": "eel"}).content.decode()
        assert "Eel Guest" in search_page(client, "guest eel") and search_page(client, names[0])
        other = client.get("/s/our-day/find", {"q": "eel"}, REMOTE_ADDR="203.0.113.77")
        assert other.status_code == 200 and "Eel Guest" in other.content.decode()
        travel.shift(600)
        assert "Eel Guest" in search_page(client, "eel")


def test_names_at_a_table_count_toward_the_limit(api: Api, client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    made = make_chart(api, find_table=True, show_names=True, slug="our-day", tables=[{"capacity": 9, "count": 2}])
    id = made["chart"]["id"]
    for table in made["items"]:
        people = add(api, id, *(f"{letter}x{table['name']} Guest" for letter in LETTERS[:5]))
        seated = [{"id": person["id"], "table_id": table["id"]} for person in people]
        api.run("svc_seat_save_guests", event_id=id, items=seated)
    set_limit(monkeypatch, "seat-name", 6)
    assert search_page(client, "ax1").count(" Guest") == 5
    assert client.get("/s/our-day/find", {"q": "ax2"}).status_code == 429
    assert search_page(client, "ax2 guest").count(" Guest") == 1, "only the name that was typed, and no company"


def test_guests_find_their_table_while_the_database_is_read_only(client: Client, chart: dict[str, Any]) -> None:
    search_page(client, "ben")  # stores the salt of the day
    is_sqlite = connection.vendor == "sqlite"
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("PRAGMA query_only=ON" if is_sqlite else "SET LOCAL transaction_read_only=on")
        try:
            assert "Cleo Müller" in search_page(client, "MUL")
            client.defaults["REMOTE_ADDR"] = "203.0.113.5"
            assert "Cleo Müller" in search_page(client, "MUL")
        finally:
            if is_sqlite:
                cursor.execute("PRAGMA query_only=OFF")
            transaction.set_rollback(True)


def test_before_the_opening_time_the_page_shows_that_time_and_no_names(
    api: Api, client: Client, chart: dict[str, Any]
) -> None:
    opens = clock.now() + timedelta(days=400)
    api.run("svc_seat_edit", event_id=chart["id"], find_from=opens.isoformat())
    page = client.get("/s/our-day").content.decode()
    assert str(opens.year) in page and "searchbox" not in page and 'name="q"' not in page
    assert "Müller" not in search_page(client, "MUL")
    api.run("svc_seat_edit", event_id=chart["id"], find_table=False)
    assert "Your host" in client.get("/s/our-day").content.decode()


def test_the_link_is_available_while_find_my_table_is_off(api: Api, client: Client) -> None:
    made = make_chart(api, slug="gala-2027")["chart"]
    assert made["find_table"] is False and made["find_table_url"].endswith("/s/gala-2027")
    [listed] = api.run("svc_seat_charts")["items"]
    assert listed["find_table_url"] == made["find_table_url"]
    assert "Your host" in client.get("/s/gala-2027").content.decode()
    edited = api.run("svc_seat_edit", event_id=made["id"], find_table=True)["chart"]
    assert edited["find_table"] is True and edited["find_table_url"] == made["find_table_url"]
