"""The guest pages of a program: now and next, days and search, and no data of unpublished programs."""

from __future__ import annotations

import gzip
import re
from datetime import UTC, date, datetime, timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from workspace.accounts.models import Account
from workspace.lib import clock
from workspace.products.event.models import Block, Day, Event, Room, Session, SessionSpeaker, Speaker
from workspace.products.event.tests.programs import FRIDAY, SATURDAY, program, session

pytestmark = pytest.mark.django_db


def page(guest: Client, event: Event, query: str = "") -> str:
    response = guest.get(f"/e/{event.slug}{query}")
    assert response.status_code == 200
    return str(response.content.decode())


def part(html: str, name: str) -> str:
    """Return the titles under Now or Next, or an empty string if the section is hidden."""
    match = re.search(rf"<section data-{name}( hidden)?>(.*?)</section>", html, re.DOTALL)
    assert match
    return "" if match[1] else " ".join(re.findall(r'dir="auto">(?:<s>)?([^<]+)', match[2]))


def set_time(monkeypatch: pytest.MonkeyPatch, hour: int, minute: int = 0, *, day: date = FRIDAY) -> None:
    """Set the time, as the clock in Paris shows it in May."""
    moment = datetime(day.year, day.month, day.day, hour, minute, tzinfo=UTC) - timedelta(hours=2)
    monkeypatch.setattr(clock, "now", lambda: moment)


def test_it_shows_what_is_on_now_and_next_until_that_changes(
    account: Account, guest: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    event = program(account)
    session(event, "X", "10:00", "11:00", room="r1")
    session(event, "Y", "10:00", "12:00", room="r2")
    session(event, "Z", "11:00", "12:00", room="r1")
    session(event, "Party", "20:00", "23:00", cancelled=True)
    session(event, "Morning", "09:00", day=SATURDAY)
    data = {}
    for hour, minute in ((9, 59), (10, 0), (11, 0), (13, 0)):
        set_time(monkeypatch, hour, minute)
        html = page(guest, event)  # the version is the same, but the earlier page is not served again
        data[hour, minute] = (part(html, "now"), part(html, "next"))
    assert data == {
        (9, 59): ("", "X Y"),
        (10, 0): ("X Y", "Z"),
        (11, 0): ("Y Z", "Morning"),
        (13, 0): ("", "Morning"),
    }


def test_a_session_in_another_time_zone_is_running_for_every_guest(
    account: Account, guest: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    event = program(account, zone="Asia/Tokyo")
    session(event, "Breakfast", "09:00", "10:00")
    # in New York it is 20:30 on the previous evening
    monkeypatch.setattr(clock, "now", lambda: datetime(2026, 5, 15, 0, 30, tzinfo=UTC))
    html = page(guest, event)
    assert part(html, "now") == "Breakfast"
    assert '<time datetime="2026-05-15T09:00+09:00">09:00</time>' in html
    assert "Times: Japan Standard Time (Tokyo)" in html


def test_past_days_are_collapsed_and_the_next_day_is_open(
    account: Account, guest: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    event = program(account)
    session(event, "Early", "09:00", "10:00")
    session(event, "Late", "22:30", "01:00")
    session(event, "Second", "09:00", "10:00", day=SATURDAY)

    def open_days() -> list[str]:
        return re.findall(r'data-day="[\d-]+(\d\d)"><details open>', page(guest, event))

    set_time(monkeypatch, 8)
    assert open_days() == ["15", "16"]
    set_time(monkeypatch, 0, 30, day=SATURDAY)
    assert open_days() == ["15", "16"], "Friday's last session goes on"
    set_time(monkeypatch, 1, 0, day=SATURDAY)
    assert open_days() == ["16"]
    set_time(monkeypatch, 12, day=SATURDAY)
    assert open_days() == ["15", "16"], "all is over: who comes looks something up"
    assert "This event is over" in page(guest, event)


def test_sessions_are_listed_by_day_and_hour_with_all_details(account: Account, guest: Client) -> None:
    event = program(account, tracks=[{"name": "Craft", "color": "#c2452d"}])
    session(event, "Lunch", time_label="around noon")
    session(event, "<b>Glass</b>", "09:00", "10:00", room="Hall", speakers=("Zoë", "Bo"), track="Craft")
    session(event, "Off", "09:00", "10:00", room="Yard", cancelled=True)
    Session.objects.filter(title="Lunch").update(position=9)
    html = page(guest, event)
    friday = html.partition('data-day="2026-05-15"')[2].partition('data-day="2026-05-16"')[0]
    assert re.findall(r"<h3>.*?>([\d:]+)<", friday) == ["09:00"]
    glass = friday.partition("&lt;b&gt;Glass")[2].partition("</li>")[0]
    for told in ("Hall", "Craft", 'fill="#c2452d"', "Zoë · Bo", '<time datetime="2026-05-15T10:00+02:00">10:00'):
        assert told in glass
    assert "<s>Off</s>" in friday
    assert "Canceled" in friday
    assert friday.index("Off") < friday.index("around noon")
    assert "<b>Glass" not in html


def test_search_and_filters_work_without_scripts(account: Account, guest: Client) -> None:
    event = program(account, tracks=[{"name": "Craft", "color": ""}, {"name": "Trade", "color": ""}])
    glass = session(event, "Blowing glass", "09:00", room="Hall", speakers=("Zoë Müller",), track="Craft")
    session(event, "Bread", "10:00", room="Yard", description="Sourdough, in a CAFÉ", track="Trade")
    session(event, "Music", "10:00", day=SATURDAY, room="Yard")

    def find_titles(query: str) -> list[str]:
        html = page(guest, event, query)
        assert "no-cache" in guest.get(f"/e/{event.slug}{query}")["Cache-Control"]
        return re.findall(r'class="slot[^>]*><a [^>]*>([^<]+)', html)

    assert find_titles("") == ["Blowing glass", "Bread", "Music"]
    assert find_titles("?q=zoe+MULLER") == ["Blowing glass"]
    assert find_titles("?q=cafe") == ["Bread"]
    assert find_titles("?q=yard") == ["Bread", "Music"]
    assert find_titles(f"?room={glass.room_id}") == ["Blowing glass"]
    assert find_titles("?track=Trade") == ["Bread"]
    assert find_titles("?day=2026-05-16") == ["Music"]
    assert find_titles("?q=yard&day=2026-05-15") == ["Bread"]
    assert find_titles("?q=nothing+of+it") == []
    assert "No sessions match your search." in page(guest, event, "?q=nothing")
    assert find_titles("?lang=de&q=glass") == ["Blowing glass"]


def test_each_session_has_a_page_and_speakers_list_their_sessions(account: Account, guest: Client) -> None:
    event = program(account)
    item = session(
        event, "Glass", "09:00", "10:00", room="Hall", speakers=("Zoë Müller",), description="Hot.\n\nBring gloves."
    )
    other = session(program(account, title="Another"), "Elsewhere", "09:00")
    html = guest.get(f"/e/{event.slug}/s/{item.pk}").content.decode()
    for text in ("Glass", "Friday, 15 May 2026", "Hall", "Zoë Müller", "Bring gloves.", f"/s/{item.pk}.ics"):
        assert text in html
    assert f'og:url" content="{event.public_url}/s/{item.pk}"' in html
    people = guest.get(f"/e/{event.slug}/speakers").content.decode()
    assert people.index("Zoë Müller") < people.index(f"/s/{item.pk}")
    assert guest.get(f"/e/{event.slug}/s/{other.pk}").status_code == 404


def test_a_session_page_shows_its_speakers_and_the_next_session_in_the_room(account: Account, guest: Client) -> None:
    event = program(account)
    first = session(event, "Glass", "09:00", "10:00", room="Hall", speakers=("Zoë Müller",))
    session(event, "Canceled talk", "10:00", room="Hall", cancelled=True)
    session(event, "Elsewhere", "10:30", room="Yard")
    last = session(event, "Bread", "11:00", room="Hall")
    session(event, "Tomorrow", "09:00", room="Hall", day=SATURDAY)
    speaker = event.speakers.get()
    speaker.bio = "Blows glass since 1990."
    speaker.save()
    html = guest.get(f"/e/{event.slug}/s/{first.pk}").content.decode()
    assert "Blows glass since 1990." in html
    assert f"/speakers#{speaker.pk}" in html
    following = html[html.index("Next in this room") :]
    assert re.findall(r"/s/(ses_\w+)", following) == [last.pk]
    assert "Next in this room" not in guest.get(f"/e/{event.slug}/s/{last.pk}").content.decode()


def test_sponsors_are_listed_by_tier_and_ads_are_labeled_while_they_are_shown(
    account: Account, guest: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    event = program(account)
    session(event, "Talk", "10:00")
    for number, (tier, name) in enumerate([("Gold", "Miller"), ("Silver", "Bike"), ("Gold", "Bank")]):
        Block.objects.create(
            event=event, kind="sponsor", tier=tier, title=name, url="https://example.org/", position=number
        )
    noon = datetime(2026, 5, 15, 10, tzinfo=UTC)  # 12:00 in Paris
    Block.objects.create(
        event=event, kind="ad", title="Two for one", place="top", shows_from=noon, shows_until=noon + timedelta(hours=1)
    )
    Block.objects.create(event=event, kind="info", title="Wi-Fi", text="Network **guests** <script>")
    shown = {}
    for hour in (11, 12, 13):
        set_time(monkeypatch, hour)
        shown[hour] = page(guest, event)
    assert ["Two for one" in html for html in shown.values()] == [False, True, False]
    html = shown[12]
    assert re.search(r'<div class="ad"><span class="mark">Ad</span>.*Two for one', html)
    strip, listed = html.index('class="strip"'), html.index('class="sponsors"')
    assert html.index("Talk") < strip < listed  # the sponsors follow the first hour, and once more the whole program
    names = ("Gold", "Miller", "Bank", "Silver", "Bike")
    places = [html.index(name, listed) for name in names]
    assert places == sorted(places)
    assert html.count('rel="sponsored noopener"') == 6
    info = guest.get(f"/e/{event.slug}/info").content.decode()
    assert "Network <strong>guests</strong> &lt;script&gt;" in info


def test_up_to_six_rooms_are_columns_and_more_are_cards_with_the_room(account: Account, guest: Client) -> None:
    event = program(account)
    for number in range(6):
        session(event, f"Talk {number}", "09:00", room=f"Room {number}", speakers=("Zoë",))
    for number in range(7):
        session(event, f"More {number}", "09:00", room=f"Room {number}", day=SATURDAY)
    friday, saturday = page(guest, event).partition('data-day="2026-05-15"')[2].split('data-day="2026-05-16"')
    assert 'class="slots rooms n6"' in friday and 'class="slot c6"' in friday
    assert 'class="slots many"' in saturday and "Room 6" in saturday
    assert "slot c" not in saturday and "slots rooms" not in saturday


def test_an_unpublished_program_returns_404_everywhere(account: Account, guest: Client) -> None:
    event = program(account, title="Secret Summit", venue="Hidden Hall")
    item = session(event, "Secret talk", "09:00", room="Cellar", speakers=("Nobody Known",))
    made = guest.post(f"/e/{event.slug}/my", {"sessions": item.pk}).json()
    share = re.search(r'og:image" content="https?://[^/]+(/[^"]+)"', page(guest, event))
    assert share
    paths = [
        "",
        f"/s/{item.pk}",
        f"/s/{item.pk}.ics",
        "/speakers",
        "/info",
        "/print",
        ".ics",
        ".json",
        "/sw.js",
        "?q=talk",
    ]
    paths += [f"/my/{made['token']}{ending}" for ending in ("", ".ics", ".svg")]
    for path in paths:
        assert guest.get(f"/e/{event.slug}{path}").status_code == 200, path
    event.pause()
    for path in [*(f"/e/{event.slug}{path}" for path in paths), share[1]]:
        response = guest.get(path)
        assert response.status_code == 404, path
        for word in ("Secret", "Hidden", "Cellar", "Nobody"):
            assert word not in response.content.decode(errors="replace"), path
    for path in ("star", "my"):
        assert guest.post(f"/e/{event.slug}/{path}", {"session": item.pk}).status_code == 404


def test_an_empty_program_can_be_opened(account: Account, guest: Client) -> None:
    event = program(account)
    assert "The program isn’t ready yet" in page(guest, event)
    Day.objects.filter(event=event).delete()
    for path in ("", "/speakers", "/info", "/print", ".ics", ".json", "?q=x&room=y&track=z&day=2026-99-99"):
        assert guest.get(f"/e/{event.slug}{path}").status_code == 200, path


def test_five_hundred_sessions_are_a_small_page_with_few_queries(account: Account, guest: Client) -> None:
    event = program(account)
    days = list(event.days.all())
    rooms = Room.objects.bulk_create(Room(event=event, name=f"Room {n}", name_key=f"room {n}") for n in range(10))
    people = Speaker.objects.bulk_create(Speaker(event=event, name=f"Zoë Müller-{n}", bio="Bakes.") for n in range(200))
    words = [
        "glass",
        "bread",
        "market",
        "garden",
        "music",
        "paper",
        "river",
        "stone",
        "wool",
        "honest",
        "craft",
        "trade",
        "young",
        "story",
        "winter",
    ]
    sessions = [
        Session(
            event=event,
            day=days[n % 2],
            room=rooms[n % 10],
            title=" ".join(words[n * step % 15] for step in (1, 3, 7, 11, 13)) + f" {n}",
            description=" ".join(words[n * step % 15] for step in range(40)),
            starts_at=datetime(2026, 5, 15 + n % 2, 6 + n // 10 % 12, tzinfo=UTC),
            position=n,
        )
        for n in range(500)
    ]
    Session.objects.bulk_create(sessions)
    SessionSpeaker.objects.bulk_create(
        SessionSpeaker(session=session, speaker=people[n % 200]) for n, session in enumerate(sessions)
    )
    with CaptureQueriesContext(connection) as queries:
        response = guest.get(f"/e/{event.slug}", headers={"accept-encoding": "gzip"})
    assert len(queries) < 25
    body = gzip.decompress(response.content) if response.get("Content-Encoding") == "gzip" else response.content
    assert body.count(b'class="slot ') == 500
    assert len(gzip.compress(body, 6)) <= 60 * 1024
