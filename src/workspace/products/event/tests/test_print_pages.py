"""The print version of a program, and the copy that a phone stores."""

from __future__ import annotations

import json
import re

import pytest
from django.contrib.auth.hashers import make_password
from django.test import Client

from workspace.accounts.models import Account
from workspace.products.event.models import Block
from workspace.products.event.tests.programs import SATURDAY, program, session

pytestmark = pytest.mark.django_db


def test_the_print_version_has_days_and_a_qr_code_and_no_ads(account: Account, guest: Client) -> None:
    event = program(account)
    for number in range(7):
        session(event, f"Talk {number}", "09:00", "10:00", room=f"Room {number}")
    session(event, "Lunch", "12:00", "13:00")
    session(event, "One", "09:00", day=SATURDAY, room="Hall")
    session(event, "Two", "09:00", day=SATURDAY, room="Yard")
    Block.objects.create(event=event, kind="ad", title="Two for one", place="top")
    html = guest.get(f"/e/{event.slug}/print").content.decode()
    assert "Two for one" not in html
    assert f'src="/e/{event.slug}.svg"' in html
    assert 'class="wide paper a4"' in html
    friday, _, saturday = html.partition("<body>")[2].partition("Saturday, 16 May")
    assert 'class="slots n2"' in saturday and "across" not in saturday
    sheets = friday.split('<section class="day across"')[1:]
    heads = [re.findall(r"auto\">(Room \d|Lunch)<", sheet) for sheet in sheets]
    assert heads == [
        [*(f"Room {n}" for n in range(3)), "Lunch"],
        [*(f"Room {n}" for n in range(3, 7)), "Lunch"],
    ], "seven rooms lie on two sheets, and what has none on both"
    assert ["Talk 2" in sheet for sheet in sheets] == [True, False]
    assert re.findall(r'data-n="(\d)"><td><div><h3>([\d:]+)', sheets[1]) == [("0", "09:00"), ("1", "12:00")]
    listed = guest.get(f"/e/{event.slug}/print?list=1").content.decode().partition("<body>")[2]
    assert "across" not in listed and "slots n" not in listed and listed.count("Lunch") == 1
    letter = guest.get(f"/e/{event.slug}/print?paper=letter&day=2026-05-16").content.decode()
    assert 'class="wide paper letter"' in letter
    assert "Talk 0" not in letter


def test_the_scope_of_the_service_worker_is_its_program(account: Account, guest: Client) -> None:
    event = program(account)
    item = session(event, "Talk", "09:00", description="Said of it")
    worker = guest.get(f"/e/{event.slug}/sw.js")
    assert worker["Service-Worker-Allowed"] == f"/e/{event.slug}"
    assert worker["Content-Type"] == "text/javascript; charset=utf-8"
    assert guest.get(f"/E/{event.slug.upper()}/sw.js")["Service-Worker-Allowed"] == f"/E/{event.slug.upper()}"
    assert json.loads(guest.get(f"/e/{event.slug}.json").content) == {item.pk: "Said of it"}
    event.publication.set_password(make_password("sesame"))
    assert guest.get(f"/e/{event.slug}.json").headers["Content-Type"].startswith("text/html"), "asks for the password"
