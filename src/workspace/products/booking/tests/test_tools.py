"""The tools for booking pages and bookings."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import override_settings

from workspace.accounts import plans
from workspace.accounts.activity_tools import undo
from workspace.accounts.dispatch import Caller, execute_tool
from workspace.accounts.models import Account
from workspace.delivery.models import Delivery
from workspace.lib.errors import ConflictError, InvalidInputError, NotFoundError, OperationNotAllowedError
from workspace.products.booking.api import availability_tools, booking_tools, export_tools, tools
from workspace.products.booking.models import Booking, Service
from workspace.products.booking.tests.pages import make_booking
from workspace.products.booking.tests.times import window
from workspace.testing.api import make_account

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 6, 1, 8, tzinfo=UTC)  # a Monday
WEEK = [window("09:00–12:00", "mon", "tue", "wed", "thu", "fri")]
CUT = {"name": "Cut", "duration": 30, "price": 45.5, "notice": 0, "buffer_after": 10}


@pytest.fixture(autouse=True)
def _still(time_machine: Any) -> Iterator[None]:
    time_machine.move_to(NOW, tick=False)
    yield
    plans._default_plans.cache_clear()


@pytest.fixture
def account(db: None) -> Account:
    return make_account(time_zone="Europe/Paris")


def run(account: Account, tool: Any, **arguments: Any) -> Any:
    return execute_tool(tool, Caller(account), arguments).data


def run_as_text(account: Account, tool: Any, **arguments: Any) -> str:
    return execute_tool(tool, Caller(account), arguments).text


def make_page(account: Account, **fields: Any) -> Any:
    return run(account, tools.create, **{"name": "Ada’s Hair", "hours": WEEK, "services": [CUT], **fields})


def booked(account: Account, page: Any, start: str, **fields: Any) -> Any:
    item = {"service_id": page["services"][0]["id"], "start": start, "name": "Ada King", **fields}
    [row] = run(account, booking_tools.save_bookings, page_id=page["id"], items=[item])["saved"]
    return row


def mails() -> list[str]:
    return [f"{row.payload['to']}: {row.payload['subject']}" for row in Delivery.objects.order_by("pk")]


def test_a_page_is_created_and_read_back(account: Account) -> None:
    page = make_page(account, place="Main street 1")
    assert page["public_url"].endswith(f"/b/{page['slug']}") and page["time_zone"] == "Europe/Paris"
    [service] = page["services"]
    assert (service["duration"], service["price"], service["interval"], service["daily_cap"]) == (30, 45.5, 30, None)
    [row] = run(account, tools.list_pages)["items"]
    assert row["services"] == [{name: service[name] for name in ("id", "name", "duration", "price")}]
    assert row["upcoming"] == 0
    booked(account, page, "2026-06-02T10:00")
    got = run(account, tools.get, page_id=page["id"])
    assert got["page"]["upcoming"] == 1 and got["bookings"][0]["start"] == "2026-06-02T10:00:00+02:00"
    like = run(account, tools.create, name="Second", copy_of=page["id"])
    assert [service["name"] for service in like["services"]] == ["Cut"] and like["services"][0]["id"] != service["id"]


def test_available_times_have_an_offset_and_other_times_a_cause(account: Account) -> None:
    page = make_page(account)
    ids = {"page_id": page["id"], "service_id": page["services"][0]["id"]}
    booked(account, page, "2026-06-02T10:00")
    result = run(account, availability_tools.get_availability, **ids, date="2026-06-02")
    assert result["times"] == [f"2026-06-02T{clock}:00+02:00" for clock in ("09:00", "11:00", "11:30")]
    many = run(account, availability_tools.find_times, **ids, **{"from": "2026-06-02", "days": 3})
    assert [row["start"] for row in many["times"]][:3] == result["times"] and len(many["times"]) == 15
    explained = run(account, availability_tools.find_times, **ids, **{"from": "2026-06-02"}, explain=True)
    reason = {row["start"][11:16]: row["why"] for row in explained["times"]}
    assert reason["09:00"] == "" and "Ada King" in reason["10:00"]
    assert reason["09:30"].startswith("The buffer of this service overlaps another time: booking of Ada King")
    assert reason["10:30"].startswith("This time overlaps the buffer of another booking: booking of Ada King")
    assert run(account, availability_tools.get_availability, **ids, date="2026-05-29")["times"] == [], "it has passed"
    for far in ("0001-01-01", "9999-12-31"):
        with pytest.raises(InvalidInputError):
            run(account, availability_tools.get_availability, **ids, date=far)
    with pytest.raises(InvalidInputError, match="at most 3 days"):
        run(account, availability_tools.find_times, **ids, **{"from": "2026-06-02"}, explain=True, days=4)


def test_bookings_are_listed_as_the_contract_specifies(account: Account, time_machine: Any) -> None:
    page = make_page(account, services=[CUT, {**CUT, "name": "Color", "approval": True}])
    first, later = booked(account, page, "2026-06-02T09:00"), booked(account, page, "2026-06-04T09:00")
    removed = booked(account, page, "2026-06-03T09:00")
    run(account, booking_tools.cancel, page_id=page["id"], booking_id=removed["id"])
    service = Service.objects.select_related("page__account", "page__resource").get(name="Color")
    request = make_booking(service, "08:00", 4)

    def listed(**arguments: Any) -> list[str]:
        return [row["id"] for row in run(account, booking_tools.list_bookings, **arguments)["items"]]

    assert listed() == [first["id"], later["id"]]
    assert listed(status="cancelled") == [removed["id"]]
    assert listed(status="pending_payment") == [request.pk]
    assert listed(**{"from": "2026-06-03", "to": "2026-06-04"}) == [later["id"]]
    time_machine.move_to(NOW + timedelta(days=1, hours=2))
    assert listed() == [later["id"]]
    assert listed(upcoming=False) == [first["id"], removed["id"], later["id"], request.pk]
    assert listed(status="expired") == [request.pk] and listed(status="pending_payment") == []
    assert run(account, booking_tools.list_bookings, page_id=page["id"], limit=1)["total"] == 1


def test_a_cancellation_emails_the_client_once_and_releases_the_time_at_once(account: Account) -> None:
    page = make_page(account)
    row = booked(account, page, "2026-06-02T10:00", email="ada@example.com")
    ids = {"page_id": page["id"], "booking_id": row["id"]}
    with pytest.raises(NotFoundError):
        run(make_account(), booking_tools.cancel, **ids)
    done = execute_tool(booking_tools.cancel, Caller(account), ids)
    assert (done.data["status"], done.data["mailed"]) == ("cancelled", 1)
    assert "cannot_be_undone" in done.data["change"]
    again = run(account, booking_tools.cancel, **ids)
    assert (again["status"], again["mailed"]) == ("cancelled", 0)
    assert mails() == [
        "ada@example.com: Appointment confirmed: Cut, Tuesday, 2 June 2026, 10:00",
        "ada@example.com: Appointment canceled: Cut, Tuesday, 2 June 2026, 10:00",
    ]
    booked(account, page, "2026-06-02T10:00", name="Ben")


def test_an_owner_books_reschedules_and_adds_notes_and_one_invalid_entry_rejects_all(account: Account) -> None:
    page = make_page(account)
    question = {"label": "Color?", "type": "choice", "options": ["Red", "Blue"]}
    service = page["services"][0]["id"]
    run(account, tools.save_services, page_id=page["id"], items=[{"id": service, "questions": [question]}])

    def save(*items: Any) -> Any:
        return run(account, booking_tools.save_bookings, page_id=page["id"], items=list(items))

    new = {"service_id": service, "start": "2026-06-02T10:00", "name": "Ada", "email": "ada@example.com"}
    [row] = save({**new, "answers": {"Color?": "Red"}, "note": "Tea"})["saved"]
    assert row["answers"] == [{"label": "Color?", "text": "Red"}] and row["note"] == "Tea"
    with pytest.raises(ConflictError) as refused:
        save({**new, "start": "2026-06-02T09:00", "name": "Eve"}, {**new, "name": "Ben"})
    assert refused.value.message.startswith(
        "items.1: 2026-06-02 10:00 isn’t available. This time is taken: booking of Ada"
    )
    assert "Available times nearby: 2026-06-01T11:30, 2026-06-02T11:00, 2026-06-02T11:30" in refused.value.message
    assert Booking.objects.count() == 1
    moved = save({"id": row["id"], "start": "2026-06-03T08:00:00Z", "reason": "I am away"})
    assert moved["saved"][0]["start"] == "2026-06-03T10:00:00+02:00" and moved["mailed"] == 1
    assert mails()[-1] == "ada@example.com: Appointment rescheduled: Cut, Wednesday, 3 June 2026, 10:00"
    saved_bookings = execute_tool(
        booking_tools.save_bookings, Caller(account),
        {"page_id": page["id"], "items": [{"id": row["id"], "note": "Coffee"}]},
    ).data  # fmt: skip
    assert saved_bookings["mailed"] == 0 and "cannot_be_undone" not in saved_bookings["change"]
    with pytest.raises(InvalidInputError) as wrong:
        save({"id": row["id"], "answers": {"Size?": "9"}})
    assert wrong.value.issues[0].path == "items.0.answers.Size?"
    for entry in ({"id": row["id"]}, {**new, "start": "2026-06-04T10:00"}):
        with pytest.raises(OperationNotAllowedError, match="hasn’t started"):
            save({**entry, "outcome": "attended"})
    with pytest.raises(InvalidInputError) as wrong:
        save({**new, "start": "2026-06-04T10:00", "request": "approve"})
    assert wrong.value.issues[0].path == "items.0.request"
    past = {**new, "start": "2026-05-29T10:00", "ignore_rules": True, "outcome": "attended"}
    assert save(past)["saved"][0]["outcome"] == "attended"
    questions = [{"type": "short"}, {"label": "A", "type": "choice", "options": ["x"]}, {"label": "A"}]
    with pytest.raises(InvalidInputError) as wrong:
        run(account, tools.save_services, page_id=page["id"], items=[{"id": service, "questions": questions}])
    at = "items.0.questions"
    assert {issue.path for issue in wrong.value.issues} == {f"{at}.0.label", f"{at}.1.options", f"{at}.2.label"}


def test_approving_or_declining_a_request_sends_an_email(account: Account) -> None:
    page = make_page(account, services=[{**CUT, "approval": True}])
    service = Service.objects.select_related("page__account", "page__resource").get()
    yes, no = make_booking(service, "07:00"), make_booking(service, "09:00")
    items = [{"id": yes.pk, "request": "approve"}, {"id": no.pk, "request": "decline", "reason": "Full"}]
    saved = run(account, booking_tools.save_bookings, page_id=page["id"], items=items)
    assert [row["status"] for row in saved["saved"]] == ["confirmed", "cancelled"] and saved["mailed"] == 2
    assert [mail.split(": ")[1] for mail in mails()] == ["Appointment confirmed", "Request declined"]
    assert "Full" in Delivery.objects.order_by("pk").last().payload["message"]  # type: ignore[union-attr,index]


def test_other_hours_and_blocks_are_added_and_removed(account: Account) -> None:
    page = make_page(account)
    spans = [
        {"from": "2026-06-08", "to": "2026-06-09"},
        {"from": "2026-06-10", "windows": [{"from": "20:00", "until": "21:00"}]},
    ]
    block = {"start": "2026-06-11T09:00", "end": "2026-06-11T10:30", "reason": "Dentist"}
    result = run(account, tools.edit, page_id=page["id"], overrides=spans, blocks=[block])
    assert [row["date"] for row in result["overrides"]] == ["2026-06-08", "2026-06-09", "2026-06-10"]
    ids = {"page_id": page["id"], "service_id": page["services"][0]["id"]}
    free = run(account, availability_tools.find_times, **ids, **{"from": "2026-06-08", "days": 4})["times"]
    assert [row["start"][5:16] for row in free] == [
        "06-10T20:00", "06-10T20:30", "06-11T10:30", "06-11T11:00", "06-11T11:30",
    ]  # fmt: skip
    remove = ["2026-06-09", result["blocks"][0]["id"]]
    result = run(account, tools.edit, page_id=page["id"], remove=remove)
    assert [row["date"] for row in result["overrides"]] == ["2026-06-08", "2026-06-10"] and not result["blocks"]
    for wrong, path in (
        ({"remove": ["2026-01-01"]}, "remove.0"),
        ({"blocks": [{**block, "end": "2026-06-11T09:00"}]}, "blocks.0.end"),
        ({"overrides": [{"from": "2026-06-09", "to": "2026-06-08"}]}, "overrides.0.to"),
        ({"hours": [window("09:00–12:00", "mon"), window("11:59–13:00", "mon", "tue")]}, "hours.1"),
    ):
        with pytest.raises(InvalidInputError) as refused:
            run(account, tools.edit, page_id=page["id"], **wrong)
        assert refused.value.issues[0].path == path
    touching = [window("09:00–12:00", "mon"), window("12:00–13:00"), window("22:00–02:00", "sun")]
    assert run(account, tools.edit, page_id=page["id"], hours=touching)["hours"] == touching


def test_a_new_time_zone_lists_the_bookings_that_change(account: Account) -> None:
    page = make_page(account)
    row = booked(account, page, "2026-06-02T10:00")
    for dry in (True, False):
        result = run(account, tools.edit, page_id=page["id"], time_zone="America/New_York", dry_run=dry)
        assert result["moves"] == [
            {"booking_id": row["id"], "before": "2026-06-02T10:00:00+02:00", "after": "2026-06-02T04:00:00-04:00"}
        ]
    assert booked(account, page, "2026-06-02T10:00")["start"] == "2026-06-02T10:00:00-04:00"


def test_services_are_saved_removed_and_ordered_at_once(account: Account) -> None:
    page = make_page(account)
    cut = page["services"][0]["id"]
    row = booked(account, page, "2026-06-02T10:00")
    items = [{"id": cut, "price": "", "daily_cap": 2, "cancel_until": -1}, {"name": "Color", "duration": 120}]
    result = run(account, tools.save_services, page_id=page["id"], items=items)
    color = result["saved"][1]
    changed = result["services"][0]
    assert (changed["price"], changed["daily_cap"], changed["cancel_until"]) == (None, 2, -1)
    result = run(account, tools.save_services, page_id=page["id"], order=[color, cut])
    assert [service["name"] for service in result["services"]] == ["Color", "Cut"]
    result = run(account, tools.save_services, page_id=page["id"], remove=[cut], items=[{"id": color, "duration": 60}])
    assert [(service["name"], service["duration"]) for service in result["services"]] == [("Color", 60)]
    [stored] = run(account, booking_tools.list_bookings)["items"]
    assert (stored["id"], stored["service"], stored["price"]) == (row["id"], "Cut", 45.5)
    with pytest.raises(InvalidInputError) as refused:
        run(account, tools.save_services, page_id=page["id"], items=[{"duration": 3}, {"id": cut, "price": -1}])
    assert {issue.path for issue in refused.value.issues} == {"items.0.name", "items.1.price"}
    with pytest.raises(InvalidInputError, match="svc_booking_get lists its services"):
        run(account, tools.save_services, page_id=page["id"], items=[{"id": cut, "price": 1}])
    run(account, tools.save_services, page_id=page["id"], items=[{"id": color, "price": 20}])
    with pytest.raises(InvalidInputError, match="prices in another currency"):
        run(account, tools.edit, page_id=page["id"], currency="JPY")


def test_a_page_with_upcoming_bookings_cannot_be_deleted(account: Account) -> None:
    page = make_page(account, services=[CUT, {**CUT, "name": "Fringe"}])
    row = booked(account, page, "2026-06-02T10:00")
    for act in (lambda: run(account, tools.delete, ids=[page["id"]]), lambda: run(account, undo)):
        with pytest.raises(OperationNotAllowedError, match="“Ada’s Hair” has 1 upcoming booking"):
            act()
    Booking.objects.update(status="pending_payment", pending_reason="approval", hold_until=NOW + timedelta(hours=2))
    with pytest.raises(OperationNotAllowedError, match="1 upcoming booking"):
        run(account, tools.delete, ids=[page["id"]])
    run(account, tools.delete, ids=[page["services"][1]["id"]])
    run(account, booking_tools.cancel, page_id=page["id"], booking_id=row["id"])
    run(account, tools.delete, ids=[page["id"]])
    assert run(account, tools.list_pages)["total"] == 0


@override_settings(PAYMENTS=True)
def test_a_plan_limits_pages_and_services(account: Account) -> None:
    plans._default_plans.cache_clear()
    page = make_page(account)
    with pytest.raises(OperationNotAllowedError, match="You’ve reached your plan’s limit of 1 booking page"):
        make_page(account)
    more = [{**CUT, "name": f"Cut {number}"} for number in range(5)]
    with pytest.raises(OperationNotAllowedError, match="You’ve reached your plan’s limit of 5 services"):
        run(account, tools.save_services, page_id=page["id"], items=more)


def test_two_pages_of_a_person_share_their_time(account: Account) -> None:
    first, second = make_page(account), make_page(account, name="Second")
    booked(account, first, "2026-06-02T10:00")
    with pytest.raises(ConflictError, match="taken: booking of Ada"):
        booked(account, second, "2026-06-02T10:00", name="Ben")


def test_bookings_are_exported_as_a_table(account: Account) -> None:
    page = make_page(account)
    booked(account, page, "2026-06-02T10:00", name="=Ada")
    result = run(account, export_tools.export, page_id=page["id"])
    assert result["rows"] == 1
    assert "2026-06-02T10:00:00+02:00" in result["content"] and "'=Ada" in result["content"]
