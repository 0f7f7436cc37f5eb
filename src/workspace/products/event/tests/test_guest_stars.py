"""A guest's stars are stored on the phone, and by the server only for guests who ask for a calendar."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.db.models import Sum
from django.test import Client

from workspace.accounts.models import Account
from workspace.lib import clock
from workspace.products.event.models import STAR, Event, StarList
from workspace.products.event.public import star_views
from workspace.products.event.tests.programs import SATURDAY, program, session
from workspace.publishing.models import VisitCounter
from workspace.rate_limits.table import get_limit
from workspace.testing.api import make_api

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(account: Account) -> Event:
    event = program(account)
    session(event, "Glass", "09:00", "10:00")
    session(event, "Bread", "11:00", "12:00")
    session(event, "Music", "11:00", "12:00", day=SATURDAY)
    return event


def ids(event: Event, *titles: str) -> str:
    return ",".join(event.sessions.get(title=title).pk for title in titles)


def test_a_star_counts_for_the_program_and_its_session(event: Event, guest: Client) -> None:
    path = f"/e/{event.slug}/star"
    for title in ("Glass", "Glass", "Bread"):
        assert guest.post(path, {"session": ids(event, title)}).status_code == 200
    guest.get(f"/e/{event.slug}/s/{ids(event, 'Bread')}")
    told = make_api(event.account).run("svc_event_stats", event_id=event.pk)
    assert [(row["title"], row["stars"], row["opened"]) for row in told["by_session"]] == [
        ("Glass", 2, 0),
        ("Bread", 1, 1),
    ]
    assert told["stars_in_days"] == 3
    owner = Client()
    owner.force_login(event.account.owner)
    page = owner.get(f"/app/event/{event.pk}/results").content.decode()
    drawn = r'<bdi>(\w+)</bdi>.*?bar" width="(\d+)%".*?★ (\d+)<.*?opened (\d+) times?'
    assert re.findall(drawn, page) == [("Glass", "100", "2", "0"), ("Bread", "50", "1", "1")]
    counted = VisitCounter.objects.filter(publication=event.publication, event=STAR)
    assert {row["detail"]: row["n"] for row in counted.values("detail").annotate(n=Sum("total"))} == {
        "": 3,
        ids(event, "Glass"): 2,
        ids(event, "Bread"): 1,
    }
    assert guest.post(path, {"session": "ses_00000000000000000000000000"}).status_code == 404
    assert (
        guest.post(path, {"session": ids(event, "Glass")}, headers={"sec-fetch-site": "cross-site"}).status_code == 403
    )
    assert guest.get(path).status_code == 405


def test_a_link_shares_stars_and_only_the_first_phone_can_change_them(event: Event, guest: Client) -> None:
    path = f"/e/{event.slug}/my"
    made = guest.post(path, {"sessions": f"{ids(event, 'Glass', 'Music')},nonsense,{ids(event, 'Glass')}"}).json()
    html = guest.get(f"{path}/{made['token']}").content.decode()
    assert re.findall(r'class="slot[^>]*><a [^>]*>([^<]+)', html) == ["Glass", "Music"]
    assert 'content="noindex"' in html
    upper = guest.get(f"/E/{event.slug.upper()}/MY/{made['token'].upper()}")
    assert upper.status_code == 200, "as the code holds it"
    assert guest.get(f"{path}/{made['token']}.svg")["Content-Type"] == "image/svg+xml"

    data = {"token": made["token"], "key": made["key"], "sessions": ids(event, "Bread")}
    assert guest.post(path, {**data, "key": "guessed"}).status_code == 404
    assert guest.post(path, {**data, "token": "2" * 24}).status_code == 404
    assert StarList.objects.get().sessions == ids(event, "Glass", "Music").split(",")
    assert guest.post(path, data).status_code == 200
    assert StarList.objects.get().sessions == [ids(event, "Bread")]
    assert b"SUMMARY:Bread" in guest.get(f"{path}/{made['token']}.ics").content


def test_a_link_opens_nothing_of_another_program(event: Event, account: Account, guest: Client) -> None:
    other = program(account, title="Another")
    made = guest.post(f"/e/{event.slug}/my", {"sessions": ids(event, "Glass")}).json()
    for ending in ("", ".ics", ".svg"):
        assert guest.get(f"/e/{other.slug}/my/{made['token']}{ending}").status_code == 404
    sent = {**made, "sessions": ""}
    assert guest.post(f"/e/{other.slug}/my", sent).status_code == 404
    guest.post(f"/e/{other.slug}/my", {"sessions": ids(event, "Glass")})
    assert other.star_lists.get().sessions == []


def test_requests_of_strangers_are_limited(event: Event, guest: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    path = f"/e/{event.slug}/my"
    for _ in range(get_limit("event-list-create").count):
        assert guest.post(path, {"sessions": "x" * 100_000}).status_code == 200
    assert guest.post(path, {"sessions": ""}).status_code == 429
    assert StarList.objects.count() == get_limit("event-list-create").count
    assert guest.post(path, {"sessions": "", "token": "a" * 10_000, "key": "ü" * 10_000}).status_code == 404
    assert guest.post(path, {"sessions": ""}, headers={"origin": "https://elsewhere.example"}).status_code == 403
    # the number of lists is limited; lists without changes for a long time are deleted first
    monkeypatch.setattr(star_views, "MAX_LISTS", get_limit("event-list-create").count)
    elsewhere = {"REMOTE_ADDR": "203.0.113.9"}
    assert guest.post(path, {"sessions": ""}, **elsewhere).status_code == 429  # type: ignore[arg-type]
    StarList.objects.update(changed_at=clock.now() - star_views.RETENTION - timedelta(days=1))
    assert guest.post(path, {"sessions": ""}, **elsewhere).status_code == 200  # type: ignore[arg-type]
    assert StarList.objects.count() == 1
