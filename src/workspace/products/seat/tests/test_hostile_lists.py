"""Hostile input costs little time and changes nothing."""

from __future__ import annotations

from time import process_time

import pytest
from django.test import Client

from workspace.products.seat.models import Chart
from workspace.testing.api import Api
from workspace.testing.samples.seat import add, make_chart

pytestmark = pytest.mark.django_db


def test_a_cell_of_blanks_and_a_number_of_thousands_of_digits_are_parsed_quickly(api: Api) -> None:
    chart = make_chart(api)["chart"]["id"]
    began = process_time()
    blanks, digits = "a" + " " * 100_000 + "b", "9" * 5_000
    made = api.run("svc_seat_save_guests", event_id=chart, csv=f"name,seat\n{blanks},{digits}\nx {blanks},1\n")
    assert made["added"] == 2
    assert process_time() - began < 20  # seconds; it used to run forever


def test_too_many_tables_are_refused_before_any_is_placed(api: Api) -> None:
    tables = [{"capacity": 8, "count": 100}] * 500
    began = process_time()
    assert api.refuse("svc_seat_create", title="Hall", tables=tables)["error"] == "tool_error"
    assert process_time() - began < 20
    assert not Chart.objects.exists()


def test_a_move_from_a_deleted_table_is_not_undone(api: Api) -> None:
    made = make_chart(api)
    chart, (first, second) = made["chart"]["id"], made["items"]
    [anna] = add(api, chart, {"name": "Anna"})
    api.run("svc_seat_assign", event_id=chart, guest_id=anna["id"], table_id=first["id"])
    moved = api.run("svc_seat_assign", event_id=chart, guest_id=anna["id"], table_id=second["id"])
    api.run("svc_seat_save_tables", event_id=chart, remove=[first["id"]])
    refused = api.refuse("svc_undo", change_id=moved["change"]["id"])
    assert refused["error"] in ("tool_error", "conflict") and "was removed" in refused["message"]


def test_an_invalid_number_finds_no_guest_and_causes_no_error(api: Api) -> None:
    chart = Chart.objects.get(pk=make_chart(api, find_table=True)["chart"]["id"])
    for number in ("²", "٣", "99", "x", "\u0000"):
        assert Client().get(f"/s/{chart.slug}/find", {"q": "zzz", "n": number}).status_code in (200, 400, 404)
