import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from django.db import OperationalError
from django.test import RequestFactory

from workspace.publishing import front_door, visits
from workspace.publishing.front_door import Follow, FrontDoor, fast, follow_response
from workspace.publishing.models import Publication, Tally, Visit
from workspace.publishing.tests.making import IPHONE, publish

pytestmark = pytest.mark.django_db(transaction=True)
TARGET = "https://example.com/café?x=1"


class Pool:
    async def run(self, func: Callable[..., Any], /, *args: Any) -> Any:
        return func(*args)


@pytest.fixture
def code(transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> Publication:
    code = publish(slug="summer-menu")
    monkeypatch.setattr(front_door, "_answers", {})
    fast("t", lambda slug: Follow(code.pk, "scan", TARGET) if slug.lower() == "summer-menu" else None)
    return code


def _ask(
    path: str, method: str = "GET", *, query: bytes = b"", user_agent: str = IPHONE
) -> tuple[bool, int, dict[str, str]]:
    """Whether it was answered, and with what."""
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {
        "type": "http",
        "method": method,
        "path": path,
        "query_string": query,
        "headers": [(b"user-agent", user_agent.encode()), (b"referer", b"https://news.example/story")],
        "client": ("203.0.113.9", 1),
        "state": {},
    }

    async def receive() -> Any:
        raise AssertionError("the front door reads nothing")

    answered = asyncio.run(FrontDoor(Pool())(scope, receive, send))
    assert answered == bool(sent)
    if not sent:
        return answered, 0, {}
    return answered, sent[0]["status"], {name.decode(): value.decode() for name, value in sent[0]["headers"]}


def _total() -> tuple[int, int]:
    return sum(t.total for t in Tally.objects.all()), sum(t.bots for t in Tally.objects.all())


def test_a_scan_is_sent_on_counted_and_never_cached(code: Publication) -> None:
    answered, status, headers = _ask("/t/summer-menu")
    assert (answered, status) == (True, 302)
    assert headers["location"] == "https://example.com/caf%C3%A9?x=1"
    assert headers["cache-control"] == "no-store"
    assert headers["x-robots-tag"] == "noindex"
    assert _total() == (1, 0)
    assert Visit.objects.get().referrer == "news.example"


@pytest.mark.parametrize("path", ["/T/SUMMER-MENU", "/t/Summer-Menu"])
def test_capitals_lead_to_the_same_place(code: Publication, path: str) -> None:
    assert _ask(path, query=b"utm_source=print")[1] == 302
    assert _total() == (1, 0)


def test_head_is_served_and_not_counted(code: Publication) -> None:
    assert _ask("/t/summer-menu", "HEAD")[1] == 302
    assert _total() == (0, 0)


def test_a_bot_is_sent_on_and_counted_apart(code: Publication) -> None:
    assert _ask("/t/summer-menu", user_agent="WhatsApp/2.23")[1] == 302
    assert _total() == (0, 1)


@pytest.mark.parametrize(
    ("path", "method", "query"),
    [
        ("/t/another", "GET", b""),
        ("/t/summer-menu", "POST", b""),
        ("/t/summer-menu", "GET", b"test=token"),
        ("/t/summer-menu+", "GET", b""),
        ("/t/summer-menu/", "GET", b""),
        ("/t/" + "a" * 51, "GET", b""),
        ("/t/summer_menu", "GET", b""),
        ("/t/sümmer", "GET", b""),
        ("/t/summer-menu\n", "GET", b""),
        ("/other/summer-menu", "GET", b""),
        ("/", "GET", b""),
    ],
)
def test_what_is_not_a_plain_scan_is_left_to_django(code: Publication, path: str, method: str, query: bytes) -> None:
    assert _ask(path, method, query=query)[0] is False
    assert _total() == (0, 0)


def test_a_product_that_fails_leaves_the_guest_to_django(code: Publication, caplog: pytest.LogCaptureFixture) -> None:
    def fail(slug: str) -> Follow | None:
        raise LookupError("a mistake of ours")

    fast("t", fail)
    assert _ask("/t/summer-menu")[0] is False
    assert "front door" in caplog.text


def test_a_visit_that_cannot_be_written_is_logged_and_the_guest_sent_on(
    code: Publication, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def away(arrivals: object) -> None:
        raise OperationalError("away")

    monkeypatch.setattr(visits, "enter", away)
    assert _ask("/t/summer-menu")[1] == 302
    assert "lost" in caplog.text
    response = follow_response(RequestFactory().get("/"), Follow(code.pk, "scan", TARGET))
    assert response.status_code == 302


def test_a_view_redirects_by_the_same_rule(code: Publication) -> None:
    request = RequestFactory().get("/t/summer-menu", headers={"user-agent": IPHONE})
    response = follow_response(request, Follow(code.pk, "scan", TARGET))
    _, status, headers = _ask("/t/summer-menu", "HEAD")
    del headers["content-length"]
    told = {name.lower(): value for name, value in response.items() if name != "Content-Type"}
    assert (response.status_code, told) == (status, headers)
    assert _total() == (1, 0)
    follow_response(RequestFactory().head("/t/summer-menu"), Follow(code.pk, "scan", TARGET))
    assert _total() == (1, 0)


@pytest.mark.parametrize("location", ["mailto:ann@example.com", "tel:+43123", "sms:+43123"])
def test_a_button_may_lead_to_mail_and_telephone(code: Publication, location: str) -> None:
    response = follow_response(RequestFactory().get("/"), Follow(code.pk, "click", location, part="b1"))
    assert response["Location"] == location
    assert Visit.objects.get().part == "b1"


def test_a_line_break_in_a_target_starts_no_header(code: Publication) -> None:
    fast("t", lambda slug: Follow(code.pk, "scan", "https://example.com/\r\nSet-Cookie: a=b"))
    assert "\n" not in _ask("/t/summer-menu")[2]["location"]
