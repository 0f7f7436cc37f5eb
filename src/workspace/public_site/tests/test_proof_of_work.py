import base64
import json
import re
import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from altcha.v1 import Payload, solve_challenge
from django.db import connections
from django.http import HttpRequest
from django.test import Client, RequestFactory
from playwright.sync_api import Page, sync_playwright

from workspace.analytics.retention import delete_expired_attempts
from workspace.lib import clock
from workspace.public_site import proof_of_work
from workspace.public_site.spam_protection import consume_with_work, has_proof_of_work, render_hidden_fields
from workspace.rate_limits.models import RateCounter
from workspace.rate_limits.table import DAY
from workspace.testing.api import Api
from workspace.testing.rate_limits import set_limit


def _get_challenge(form: str = "review") -> dict[str, Any]:
    answer = Client().get("/guest/challenge", {"form": form})
    assert answer.status_code == 200
    return answer.json()  # type: ignore[no-any-return]


def _solved(form: str = "review", **changed: object) -> dict[str, Any]:
    """Return a challenge with its solution, computed by the library."""
    asked = _get_challenge(form)
    found = solve_challenge(asked["challenge"], asked["salt"], "SHA-256", asked["maxNumber"], 0)
    assert found is not None
    told = {name: asked[name] for name in ("algorithm", "challenge", "salt", "signature")}
    return {**told, "number": found.number, **changed}


def _encode_solution(solution: object) -> str:
    return base64.b64encode(json.dumps(solution).encode()).decode()


def _request(field: str) -> HttpRequest:
    return RequestFactory().post("/form", {"work": field}, REMOTE_ADDR="203.0.113.9")


def _is_done(field: str, form: str = "review") -> bool:
    return has_proof_of_work(_request(field), form)


def test_anyone_can_get_a_challenge_and_it_is_never_cached() -> None:
    answers = [Client().get("/guest/challenge?form=review") for _ in range(2)]
    for answer in answers:
        assert (answer.status_code, answer["Cache-Control"]) == (200, "no-store")
        assert not answer.cookies
        assert answer.json()["maxNumber"] == proof_of_work.MAX_NUMBER
    assert answers[0].json()["challenge"] != answers[1].json()["challenge"]
    assert Client().post("/guest/challenge?form=review").status_code == 405


@pytest.mark.parametrize("form", ["", "A", "a" * 33, "a\x00", "a&b=1", "ä", "../x"])
def test_an_invalid_form_name_is_rejected(form: str) -> None:
    answer = Client().get("/guest/challenge", {"form": form})
    assert (answer.status_code, answer["Cache-Control"]) == (400, "no-store")


def test_a_form_contains_the_challenge_url_and_an_empty_field() -> None:
    [field] = re.findall(r'<input[^>]* name="work"[^>]*>', render_hidden_fields("card-lead"))
    assert 'type="hidden"' in field
    assert 'data-work="/guest/challenge?form=card-lead"' in field
    assert "value" not in field


@pytest.mark.django_db
def test_a_solution_works_once() -> None:
    field = _encode_solution(_solved())
    assert _is_done(field)
    assert not _is_done(field)
    assert _is_done(_encode_solution(_solved()))


@pytest.mark.django_db
def test_a_used_solution_stays_used_in_another_encoding() -> None:
    solution = _solved()
    assert _is_done(_encode_solution(solution))
    for changed in ({"salt": solution["salt"].removesuffix("&")}, {"more": 1}):
        assert not _is_done(_encode_solution({**solution, **changed}))


@pytest.mark.django_db(transaction=True)
def test_only_one_of_several_parallel_replays_is_accepted() -> None:
    field = _encode_solution(_solved())

    def send(_: int) -> bool:
        try:
            return _is_done(field)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(send, range(24))) == 1


@pytest.mark.django_db
def test_a_solution_is_valid_for_an_hour_and_deleted_afterwards() -> None:
    with time_machine.travel(clock.now().replace(microsecond=0), tick=False) as travel:
        early, late, too_late = (_encode_solution(_solved()) for _ in range(3))
        assert _is_done(early)
        travel.shift(proof_of_work.LIFETIME.total_seconds())
        delete_expired_attempts()
        assert not _is_done(early)
        assert _is_done(late)
        travel.shift(1)
        assert not _is_done(too_late)
        travel.shift(120)
        delete_expired_attempts()
        assert not RateCounter.objects.exists()


@pytest.mark.django_db
def test_a_solution_for_one_form_is_invalid_for_another() -> None:
    field = _encode_solution(_solved("card-mail"))
    assert not _is_done(field, "card-lead")
    assert _is_done(field, "card-mail")


@pytest.mark.django_db
def test_a_modified_solution_is_invalid() -> None:
    true = _solved()
    salt, number = true["salt"], true["number"]
    nonce, _, said = salt.partition("?")
    expires, form = said.rstrip("&").split("&")
    changes: list[dict[str, object]] = [
        {"number": number + 1},
        {"number": str(number)},
        {"number": float(number)},
        {"number": -1},
        {"number": True},
        {"number": None},
        {"number": [number]},
        {"signature": "0" * 64},
        {"signature": None},
        {"challenge": "0" * 64},
        {"algorithm": "SHA-1"},
        {"algorithm": "MD5"},
        {"algorithm": ["SHA-256"]},
        {"salt": f"{nonce}?expires=99999999999&{form}&"},
        {"salt": f"{nonce}?{expires}&", "number": f"{form}&{number}"},
        {"salt": f"{nonce}?expires=1&{said}"},
        {"salt": "\ud800"},
        {"salt": "\0"},
        {"salt": 5},
    ]
    for changed in changes:
        assert not _is_done(_encode_solution({**true, **changed})), changed
    assert not RateCounter.objects.exists()
    assert _is_done(_encode_solution(true)), "what was refused spent nothing"


@pytest.mark.django_db
def test_a_solution_with_another_secret_is_invalid(settings: Any) -> None:
    field = _encode_solution(_solved())
    settings.SECRET_KEY, old = "another", settings.SECRET_KEY
    assert not _is_done(field)
    settings.SECRET_KEY_FALLBACKS = [old]
    assert _is_done(field)


@pytest.mark.parametrize(
    "field",
    [
        "",
        "x",
        "\0",
        "é" * 50,
        "=" * 40,
        _encode_solution([]),
        _encode_solution(None),
        _encode_solution({}),
        _encode_solution(1e308),
        _encode_solution("text"),
        base64.b64encode(b"\xff\xfe").decode(),
        base64.b64encode(b'{"a": "\0"}').decode(),
        base64.b64encode(b"[" * 440).decode(),
        base64.b64encode(b"[" * 1_000_000).decode(),
        base64.b64encode(b'{"number": ' + b"9" * 400 + b"}").decode(),
        base64.b64encode(b'{"number": NaN}').decode(),
        "A" * 2_000_000,
    ],
)
def test_malformed_solutions_are_rejected(field: str) -> None:
    assert not _is_done(field)


@pytest.mark.django_db
def test_proof_of_work_doubles_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    set_limit(monkeypatch, "card-mail", 2, window=DAY)

    def allowed(field: str) -> bool:
        return consume_with_work("card-mail", _request(field), "review").is_granted

    assert [allowed("") for _ in range(3)] == [True, True, False]
    field = _encode_solution(_solved())
    assert [allowed(field), allowed(field), allowed("")] == [True, False, False]
    assert allowed(_encode_solution(_solved()))
    assert not allowed(_encode_solution(_solved())), "twice as many, and no more"


@pytest.mark.django_db
def test_a_solution_is_not_used_below_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    set_limit(monkeypatch, "card-mail", 2, window=DAY)
    field = _encode_solution(_solved())
    assert consume_with_work("card-mail", _request(field), "review")
    assert _is_done(field), "it was not spent"


@pytest.mark.django_db
def test_a_limit_that_does_not_double_stays_at_its_number(monkeypatch: pytest.MonkeyPatch) -> None:
    set_limit(monkeypatch, "report", 1, window=DAY)
    assert consume_with_work("report", _request(""), "review")
    field = _encode_solution(_solved())
    assert not consume_with_work("report", _request(field), "review")
    assert _is_done(field), "it was not spent"


def _send(path: str, number: int, *, form: str = "", after: float = 3, **typed: str) -> int:
    """Open the form at the path and submit it. With `form`, add a solution for the form of that name."""
    guest = Client(REMOTE_ADDR="203.0.113.70")
    # The first minutes of the next hour, so that all of a test is in one window.
    opened = clock.now().replace(minute=0) + timedelta(hours=1, minutes=number)
    with time_machine.travel(opened, tick=False) as travel:
        html = guest.get(path).content.decode()
        assert "public/proof_of_work" in html
        hidden = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', html))
        [asked] = re.findall(r'data-work="/guest/challenge\?form=([^"]+)"', html)
        assert not form or asked == form
        travel.shift(after)
        worked = {"work": _encode_solution(_solved(form))} if form else {}
        return guest.post(path, {**hidden, **worked, **typed}).status_code


def test_a_review_with_proof_of_work_is_not_suspicious(api: Api) -> None:
    slug = api.run("svc_reviews_create", title="How was it?")["slug"]
    given = {"rating": "5", "name": "Ida", "consent": "yes"}
    sent = [("", 3.0), ("", 3.0), ("", 3.0), ("", 3.0), ("review", 3.0), ("", 0.5), ("review", 0.5)]
    for number, (form, after) in enumerate(sent):
        assert _send(f"/r/{slug}", number, form=form, after=after, text=f"Number {number}", **given) == 303
    marks = {item["text"]: item["suspicion"] for item in api.run("svc_reviews_list")["items"]}
    assert [marks[f"Number {number}"] for number in range(7)] == ["", "", "", "many", "", "hasty", ""]


@pytest.mark.parametrize(
    ("page_of", "form", "typed"),
    [
        ("exchange", "card-lead", {"name": "Gus", "email": "gus@example.org", "agreed": "yes"}),
        ("mail", "card-mail", {}),
    ],
)
def test_proof_of_work_doubles_the_limit_of_card_forms(
    page_of: str, form: str, typed: dict[str, str], api: Api
) -> None:
    slug = api.run("svc_card_create", full_name="Jane Doe", email="jane@example.com", lead_capture=True)["slug"]

    def send(number: int, form: str = "") -> int:
        own = {"email": f"g{number}@example.org", "note": str(number)}
        return _send(f"/c/{slug}/{page_of}", number, form=form, **{**typed, **own})

    assert [send(number) for number in range(6)] == [303] * 5 + [429]
    assert [send(number, form) for number in range(6, 12)] == [303] * 5 + [429]
    assert send(12) == 429


@pytest.fixture
def page(monkeypatch: pytest.MonkeyPatch) -> Iterator[Page]:
    monkeypatch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "1")  # playwright runs an event loop in this thread
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = chromium.new_page()
        page.set_default_timeout(60_000)
        yield page
        chromium.close()


@pytest.mark.browser
@pytest.mark.skipif(not shutil.which("chromium"), reason="there is no `chromium`")
@pytest.mark.django_db(transaction=True)
def test_a_browser_solves_the_puzzle_when_a_guest_starts_typing(page: Page, live_server: Any, api: Api) -> None:
    slug = api.run("svc_reviews_create", title="How was it?")["slug"]
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("console", lambda message: problems.append(message.text))
    page.goto(f"{live_server.url}/r/{slug}".replace("localhost", "127.0.0.1"))
    assert page.input_value("[name=work]") == ""
    page.focus("[name=rating]")
    page.wait_for_selector("[name=work][value]:not([value=''])", state="attached")
    field = page.input_value("[name=work]")
    assert Payload.from_base64(field).number <= proof_of_work.MAX_NUMBER
    assert len(field) < proof_of_work.MAX_SOLUTION_LENGTH - 100
    assert _is_done(field)
    assert not problems
