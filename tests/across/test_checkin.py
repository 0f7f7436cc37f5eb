"""Check-in: one search over the data of booking, waivers, seating and certificates about a person."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from workspace.insights import checkin_search
from workspace.lib import clock
from workspace.products.seat.models import Guest
from workspace.publishing.checkin import CheckinMatch, CheckinSearch
from workspace.testing.api import Api
from workspace.testing.samples import waiver as waivers

pytestmark = pytest.mark.django_db
ALWAYS = [{"from": "00:00", "until": "00:00"}]
CUT = {"name": "Cut", "duration": 30, "notice": 0}
ALL = ("book", "waiver", "seat", "cert")


@pytest.fixture(autouse=True)
def noon(time_machine: Any) -> None:
    time_machine.move_to("2026-11-24 12:00:00+00:00", tick=False)


@pytest.fixture
def page(api: Api) -> dict[str, Any]:
    made: dict[str, Any] = api.run("svc_booking_create", name="Hair", hours=ALWAYS, services=[CUT])
    return made


@pytest.fixture
def waiver(api: Api) -> str:
    return str(api.run("svc_waiver_create", title="Kayak", text="Be careful")["id"])


@pytest.fixture
def chart(api: Api) -> str:
    made = api.run("svc_seat_create", title="Gala", date="2026-11-24", tables=[{"capacity": 4}])
    return str(made["chart"]["id"])


def book(api: Api, page: dict[str, Any], start: str, name: str = "Ada King", **more: Any) -> dict[str, Any]:
    item = {"service_id": page["services"][0]["id"], "start": start, "name": name, **more}
    found: dict[str, Any] = api.run("svc_booking_save_bookings", page_id=page["id"], items=[item])["saved"][0]
    return found


def sign(api: Api, waiver: str, name: str = "Ada King", **more: Any) -> Any:
    who = {"name": name, "email": "ada@example.com", "birth_date": "1990-05-01", **more.pop("signer", {})}
    return waivers.sign(waiver, api.account, signer=who, **more)


def list_lines(api: Api, text: str, kinds: tuple[str, ...] = ALL) -> dict[str, list[tuple[str, str]]]:
    """Return the lines of each person with their states."""
    found = checkin_search.search_people(api.account, text, clock.today(api.account.time_zone), kinds)
    return {
        one.name: [
            (line.state.value, line.known.words if line.known else line.missing.words if line.missing else "")
            for line in one.lines
        ]
        for one in found.people
    }


def owner(api: Api) -> Client:
    client = Client()
    client.force_login(api.account.owner)
    return client


def test_a_person_is_listed_once_with_each_products_data_and_missing_items(
    api: Api, page: dict[str, Any], waiver: str, chart: str
) -> None:
    book(api, page, "2026-11-24T14:30", "KING, Ada", email="ada@example.com", phone="+43 664 123 45 67")
    sign(api, waiver, "Ada King", signer={"phone": "+43 664 1234567"})
    api.run("svc_seat_add_guests", event_id=chart, guests=[{"name": "Cleo Sand"}])
    assert list_lines(api, "ada") == {
        "KING, Ada": [
            ("good", "Booked for 14:30 today"),
            ("good", "Waiver valid until 24 Nov 2027"),
            ("bad", "Not on the guest list"),
        ]
    }
    assert list_lines(api, "sand cl")["Cleo Sand"] == [
        ("bad", "No booking today"),
        ("bad", "No waiver"),
        ("soon", "No table yet, not checked in"),
    ]
    assert list_lines(api, "ada@ex", kinds=("waiver",)) == {"Ada King": [("good", "Waiver valid until 24 Nov 2027")]}
    assert list_lines(api, "nobody") == {} and list_lines(api, "%") == {}
    assert list_lines(api, "0664 12 34") == list_lines(api, "+43 664 123") == list_lines(api, "ada")
    api.run("svc_seat_save_guests", event_id=chart, items=[{"name": "Dan Quist", "phone": "0650/99 88 77"}])
    assert list(list_lines(api, "0650 998")) == ["Dan Quist"] and list_lines(api, "0664 99") == {}


def test_booked_people_are_listed_by_time(api: Api, page: dict[str, Any], waiver: str, time_machine: Any) -> None:
    time_machine.move_to("2026-11-24 07:00:00+00:00", tick=False)
    for start, name in (("16:00", "Late Larry"), ("12:30", "Early Eve"), ("08:00", "Gone Gus")):
        book(api, page, f"2026-11-24T{start}", name)
    time_machine.move_to("2026-11-24 12:00:00+00:00", tick=False)
    book(api, page, "2026-11-25T12:30", "Tomorrow Tom")
    assert list(list_lines(api, "")) == ["Early Eve", "Late Larry"]
    sign(api, waiver, "Larry Walker")
    assert list(list_lines(api, "la")) == ["Late Larry", "Larry Walker"]


def test_each_state_of_a_booking_has_a_color_and_a_text(api: Api, page: dict[str, Any], time_machine: Any) -> None:
    def find_line(name: str) -> tuple[str, str]:
        return list_lines(api, name, kinds=("book",))[name][0]

    made = book(api, page, "2026-11-24T12:00", "Ada")
    book(api, page, "2026-11-26T09:00", "Ben")
    gone = book(api, page, "2026-11-24T15:00", "Cleo")
    api.run("svc_booking_cancel", page_id=page["id"], booking_id=gone["id"])
    assert find_line("Ada") == ("good", "Booked for 12:00 today")
    assert find_line("Ben") == ("soon", "Not today: booked on Thu 26 Nov, 09:00")
    assert find_line("Cleo") == ("bad", "Canceled: 15:00 today")
    save = {"page_id": page["id"], "items": [{"id": made["id"], "outcome": "no_show"}]}
    api.run("svc_booking_save_bookings", **save)
    assert find_line("Ada") == ("soon", "Marked as no-show, 12:00 today")
    time_machine.move_to("2026-11-24 13:00:00+00:00", tick=False)
    save["items"][0]["outcome"] = ""
    api.run("svc_booking_save_bookings", **save)
    assert find_line("Ada") == ("soon", "Booked for 12:00 today, already over")


def test_each_state_of_a_waiver_has_a_color_and_a_text(api: Api, waiver: str, time_machine: Any) -> None:
    signing = sign(api, waiver)
    api.run("svc_waiver_record_visit", signature_id=signing.signatures.get().pk)
    assert list_lines(api, "ada") == {"Ada King": [("good", "Waiver valid until 24 Nov 2027, checked in at 12:00")]}
    for day, expected in (
        ("2027-11-23", ("soon", "Waiver expires tomorrow")),
        ("2027-11-24", ("soon", "Waiver expires today")),
        ("2027-11-25", ("bad", "Waiver expired on 24 Nov 2027")),
    ):
        time_machine.move_to(f"{day} 12:00:00+00:00", tick=False)
        assert list_lines(api, "ada")["Ada King"] == [expected]
    sign(api, waiver)
    api.run("svc_waiver_edit", id=waiver, text="Swim", material=True)
    assert list_lines(api, "ada")["Ada King"] == [("bad", "Signed an older version of the waiver")]


def test_each_state_of_a_certificate_has_a_color_and_a_text(api: Api, time_machine: Any) -> None:
    template = api.run("svc_certs_save_template", name="Aid", title="First-aid certificate", valid_months=12)["id"]
    people = [{"name": "Ada King", "email": "ada@example.com"}, {"name": "Ada Kingsley"}]
    issued = api.run("svc_certs_issue", template_id=template, recipients=people, date="2026-11-24")["items"]
    valid = ("good", "First-aid certificate valid until 24 Nov 2027")
    assert list_lines(api, "king ad") == {"Ada King": [valid], "Ada Kingsley": [valid]}
    assert list_lines(api, "ada@") == {"Ada King": [valid]}
    api.run("svc_certs_edit", ids=[issued[1]["id"]], state="revoked")
    # a corrected certificate replaces the first one
    api.run("svc_certs_edit", ids=[issued[0]["id"]], name="Ada Kingly")
    assert list_lines(api, "king") == {
        "Ada Kingly": [valid],
        "Ada Kingsley": [("bad", "First-aid certificate revoked")],
    }
    for day, expected in (
        ("2027-11-23", ("soon", "First-aid certificate expires tomorrow")),
        ("2027-11-25", ("bad", "First-aid certificate expired on 24 Nov 2027")),
    ):
        time_machine.move_to(f"{day} 12:00:00+00:00", tick=False)
        assert list_lines(api, "kingly")["Ada Kingly"] == [expected]


def test_a_childs_line_is_never_shown_for_the_mother(api: Api, waiver: str, page: dict[str, Any]) -> None:
    sign(api, waiver)
    sign(api, waiver, participants=[waivers.child("Tim King")])
    book(api, page, "2026-11-24T14:00", "A. King", email="ada@example.com")
    book(api, page, "2026-11-24T15:00", "Leo King", email="ada@example.com")
    found = list_lines(api, "king", kinds=("book", "waiver"))
    assert found["Ada King"][0] == ("good", "Booked for 14:00 today") and found["Ada King"][1][0] == "good"
    assert found["Leo King"] == [("good", "Booked for 15:00 today"), ("bad", "No waiver")]
    assert found["Tim King"][0] == ("bad", "No booking today") and found["Tim King"][1][0] == "good"


def test_an_action_calls_the_products_tool_and_can_be_undone(
    api: Api, page: dict[str, Any], waiver: str, chart: str
) -> None:
    client = owner(api)
    booking = book(api, page, "2026-11-24T12:30")
    signature = sign(api, waiver).signatures.get()
    [guest] = api.run("svc_seat_add_guests", event_id=chart, guests=[{"name": "Ada King"}])["items"]
    acts = (("book", booking["id"], "came"), ("waiver", signature.pk, "in"), ("seat", guest["id"], "here"))
    before = client.get("/app/check-in?q=ada").content.decode()
    for kind, id, name in acts:
        assert f'action="/app/check-in/{kind}/{id}/{name}"' in before
        answer = client.post(f"/app/check-in/{kind}/{id}/{name}", {"q": "ada", "who": "Ada King"})
        assert (answer.status_code, answer["Location"]) == (303, "/app/check-in?q=ada")
    after = client.get("/app/check-in?q=ada").content.decode()
    assert "Checked in, booked for 12:30 today" in after
    assert re.search(r"Waiver valid until [^<]*, checked in at 12:00", after)
    assert "No table yet, checked in at 12:00" in after
    assert "/app/undo" in after and 'action="/app/check-in/' not in after.replace('action="/app/check-in/products"', "")
    client.post("/app/undo", {"change_id": api.account.changes.latest("id").pk, "back": "/app/check-in?q=ada"})
    assert Guest.objects.get().checked_in_at is None
    # a second press is refused instead of repeated
    client.post(f"/app/check-in/waiver/{signature.pk}/in", {"q": "ada"})
    assert signature.attendances.count() == 1


def test_another_account_sees_no_one_and_can_do_nothing(
    api: Api, stranger: Api, page: dict[str, Any], waiver: str, chart: str
) -> None:
    booking = book(api, page, "2026-11-24T12:30")
    signature = sign(api, waiver).signatures.get()
    [guest] = api.run("svc_seat_add_guests", event_id=chart, guests=[{"name": "Ada King"}])["items"]
    assert list_lines(stranger, "ada") == {} == list_lines(stranger, "")
    other = owner(stranger)
    for kind, id, name in (
        ("book", booking["id"], "came"),
        ("waiver", signature.pk, "in"),
        ("seat", guest["id"], "here"),
    ):
        assert other.post(f"/app/check-in/{kind}/{id}/{name}").status_code == 404, kind
    assert other.post("/app/check-in/seat/x/none").status_code == 404
    assert Guest.objects.get().checked_in_at is None and not signature.attendances.exists()


def test_check_in_is_offered_to_users_of_two_products_and_the_owner_chooses_what_is_shown(
    api: Api, waiver: str
) -> None:
    client = owner(api)
    line = 'href="/app/check-in"'
    assert line not in client.get("/app").content.decode()
    chart = api.run("svc_seat_create", title="Gala", date="2026-11-24")["chart"]["id"]
    api.run("svc_seat_add_guests", event_id=chart, guests=[{"name": "Ada King"}])
    assert line in client.get("/app").content.decode()
    assert "No waiver" in client.get("/app/check-in?q=ada").content.decode()
    client.post("/app/check-in/products", {"counts": ["seat"]})
    alone = client.get("/app/check-in?q=ada").content.decode()
    assert "No waiver" not in alone and "No table yet" in alone
    assert "No guests found" in client.get("/app/check-in?q=zzz").content.decode()


def test_a_search_takes_the_same_queries_for_any_number_of_results(
    api: Api, page: dict[str, Any], waiver: str, chart: str
) -> None:
    def cost() -> int:
        with CaptureQueriesContext(connection) as asked:
            assert list_lines(api, "ada")
        return len(asked)

    book(api, page, "2026-11-24T12:30")
    sign(api, waiver, "Ada Lang")
    api.run("svc_seat_add_guests", event_id=chart, guests=[{"name": "Ada Kurz"}])
    few = cost()
    for number in range(3):
        book(api, page, f"2026-11-24T1{4 + number}:30", f"Ada {number} Mann")
        sign(api, waiver, f"Ada {number} Lang")
    api.run("svc_seat_add_guests", event_id=chart, guests=[{"name": f"Ada {n} Kurz"} for n in range(20)])
    assert cost() == few
    found = checkin_search.search_people(api.account, "ada", clock.today(), ALL)
    assert len(found.people) == checkin_search.MAX_PEOPLE and found.has_more


def test_names_are_found_by_the_beginnings_of_their_words() -> None:
    ada = CheckinMatch("Zoë O'Brien-Løvås", "zoe@example.com")
    for text in ("zoe", "lov zo", "OBRIEN", "o’br", "zoe@ex", "zoe@EXAMPLE.com"):
        assert CheckinSearch.parse_text(text).matches_person(ada), text
    for text in ("brien", "zoe x", "oe", "@example"):
        assert not CheckinSearch.parse_text(text).matches_person(ada), text
    for number in ("+43 664 123 45 67", "0664 1234567", "0664/123-45-67", "6641234567"):
        cleo = CheckinMatch("Cleo", phone=number)
        for text in ("0664 123", "+43 664 123 4567", "4567", "(0664) 1234567", "٠٦٦٤١٢٣"):
            assert CheckinSearch.parse_text(text).matches_person(cleo), (text, number)
        assert (
            not CheckinSearch.parse_text("0664 999").matches_person(cleo) and not CheckinSearch.parse_text("567").phone
        )
    assert not CheckinSearch.parse_text("1234").matches_person(ada)
    assert CheckinSearch.parse_text("مريم").matches_person(CheckinMatch("السيدة مريم")) and CheckinSearch.parse_text(
        "花"
    ).matches_person(CheckinMatch("山田花子"))
