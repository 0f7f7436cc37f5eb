import re
from datetime import UTC, datetime

import pytest
import time_machine
from django.http import HttpRequest
from django.test import RequestFactory

from workspace.lib.delayed_response import DELAY_KEY, Delay
from workspace.public_site.spam_protection import (
    STAMP_FIELD,
    TRAP_FIELD,
    SpamVerdict,
    check_submission,
    is_same_origin,
    render_hidden_fields,
)

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)


def _request(fields: dict[str, str] | None = None, address: str = "203.0.113.9", **headers: str) -> HttpRequest:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return RequestFactory().post("/form", fields or {}, headers=named, REMOTE_ADDR=address, SERVER_NAME="127.0.0.1")


def _fields(form: str = "report") -> dict[str, str]:
    return dict(re.findall(r'name="(\w+)"(?: value="([^"]*)")?', render_hidden_fields(form)))


@pytest.mark.parametrize(
    ("headers", "own"),
    [
        ({"sec_fetch_site": "same-origin", "origin": "http://127.0.0.1"}, True),
        ({"sec_fetch_site": "same-origin", "origin": "null"}, True),
        ({"sec_fetch_site": "none"}, True),
        ({"origin": "http://127.0.0.1"}, True),
        ({"origin": "HTTP://127.0.0.1"}, True),
        ({}, True),
        ({"sec_fetch_site": "cross-site"}, False),
        ({"sec_fetch_site": "same-site", "origin": "http://127.0.0.1"}, False),
        ({"origin": "https://evil.example"}, False),
        ({"origin": "http://127.0.0.1.evil.example"}, False),
        ({"origin": "https://127.0.0.1"}, False),
        ({"origin": "null"}, False),
        ({"origin": ""}, False),
    ],
)
def test_forms_of_other_sites_are_recognized(headers: dict[str, str], own: bool) -> None:
    request = _request(**headers)
    request.META["SERVER_PORT"] = "80"
    assert is_same_origin(request) is own


def test_a_form_sent_after_the_minimum_time_is_fine() -> None:
    with time_machine.travel(NOW, tick=False) as travel:
        fields = _fields()
        assert fields[TRAP_FIELD] == ""
        assert check_submission(_request(fields), "report") is SpamVerdict.HASTY
        travel.shift(3)
        assert check_submission(_request(fields), "report") is SpamVerdict.FINE
        # A page may have been cached.
        travel.shift(86_400)
        assert check_submission(_request(fields), "report") is SpamVerdict.FINE
        travel.shift(7 * 86_400)
        assert check_submission(_request(fields), "report") is SpamVerdict.STALE


@pytest.mark.parametrize(("waits", "seconds"), [(True, 1.5), (False, 0)])
def test_the_response_to_a_hasty_form_is_delayed(waits: bool, seconds: float) -> None:
    with time_machine.travel(NOW, tick=False) as travel:
        request = _request(_fields())
        request.META[DELAY_KEY] = hold = Delay()
        travel.shift(0.5)
        assert check_submission(request, "report", delays_hasty=waits) is SpamVerdict.HASTY
        assert hold.seconds == seconds


@pytest.mark.parametrize("stamp", ["", "x", "MTc=:1abc:forged", "\ud800"])
def test_a_forged_stamp_is_stale(stamp: str) -> None:
    assert (
        check_submission(_request({STAMP_FIELD: stamp.encode(errors="replace").decode()}), "report")
        is SpamVerdict.STALE
    )


def test_a_stamp_is_valid_only_for_its_form() -> None:
    with time_machine.travel(NOW, tick=False) as travel:
        fields = _fields("lead")
        travel.shift(60)
        assert check_submission(_request(fields), "report") is SpamVerdict.STALE


def test_a_filled_trap_and_a_foreign_site_are_detected() -> None:
    assert check_submission(_request({**_fields(), TRAP_FIELD: "1"}), "report") is SpamVerdict.TRAPPED
    assert check_submission(_request(_fields(), sec_fetch_site="cross-site"), "report") is SpamVerdict.FOREIGN


def test_every_negative_verdict_has_advice() -> None:
    assert all(bool(verdict.advice) is (verdict is not SpamVerdict.FINE) for verdict in SpamVerdict)
