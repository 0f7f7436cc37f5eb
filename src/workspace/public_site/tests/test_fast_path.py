from datetime import timedelta
from typing import Any

import pytest
from django.db import OperationalError, connection
from django.test import RequestFactory

from workspace.accounts.models import Account
from workspace.analytics import visit_writer
from workspace.lib import clock
from workspace.public_site import fast_path
from workspace.public_site.address_lookup import AddressLookup, SqliteReader
from workspace.public_site.fast_path import FollowDecision, RedirectResolver, redirect_response, register_route
from workspace.publishing.models import Address, Publication, State, Visit, VisitCounter
from workspace.testing.api import make_account
from workspace.testing.publications import IPHONE, build_fast_path, publish, run_without_waiting

pytestmark = pytest.mark.django_db
TARGET = "https://example.com/café?x=1"


@pytest.fixture
def code(db: None, monkeypatch: pytest.MonkeyPatch) -> Publication:
    """Publish an item at /t/summer-menu that redirects to a path with its account's name."""
    monkeypatch.setattr(fast_path, "_routes", {})
    register_route("/t/", "qr", RedirectResolver(Address, "publication__account__name", "scan"))
    return publish(make_account(name=TARGET), slug="summer-menu")


def _request(
    path: str, method: str = "GET", *, query: bytes = b"", user_agent: str = IPHONE
) -> tuple[bool, int, dict[str, str]]:
    """Return whether the request was answered, with status and headers."""
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
        raise AssertionError("the fast path reads no body")

    with pytest.MonkeyPatch.context() as patch:
        answered = run_without_waiting(build_fast_path(patch)(scope, receive, send))
    assert answered == bool(sent)
    if not sent:
        return answered, 0, {}
    return answered, sent[0]["status"], {name.decode(): value.decode() for name, value in sent[0]["headers"]}


def _total() -> tuple[int, int]:
    return sum(t.total for t in VisitCounter.objects.all()), sum(t.bots for t in VisitCounter.objects.all())


def test_a_scan_is_redirected_and_counted_and_never_cached(code: Publication) -> None:
    answered, status, headers = _request("/t/summer-menu")
    assert (answered, status) == (True, 302)
    assert headers["location"] == "https://example.com/caf%C3%A9?x=1"
    assert headers["cache-control"] == "no-store"
    assert headers["x-robots-tag"] == "noindex"
    assert _total() == (1, 0)
    assert Visit.objects.get().referrer == "news.example"


@pytest.mark.parametrize("path", ["/T/SUMMER-MENU", "/t/Summer-Menu"])
def test_upper_case_urls_open_the_same_destination(code: Publication, path: str) -> None:
    assert _request(path, query=b"utm_source=print")[1] == 302
    assert _total() == (1, 0)


def test_head_is_answered_and_not_counted(code: Publication) -> None:
    assert _request("/t/summer-menu", "HEAD")[1] == 302
    assert _total() == (0, 0)


def test_a_bot_is_redirected_and_counted_separately(code: Publication) -> None:
    assert _request("/t/summer-menu", user_agent="WhatsApp/2.23")[1] == 302
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
def test_other_requests_are_left_to_django(code: Publication, path: str, method: str, query: bytes) -> None:
    assert _request(path, method, query=query)[0] is False
    assert _total() == (0, 0)


@pytest.mark.parametrize("past", [False, True])
@pytest.mark.parametrize("shut", ["", "paused_at", "deleted_at", "banned_at", "password"])
@pytest.mark.parametrize("ends", [None, timedelta(days=-1), timedelta(days=1)])
def test_access_follows_the_same_rule_as_for_pages(
    code: Publication, shut: str, past: bool, ends: timedelta | None
) -> None:
    if shut:
        setattr(code, shut, "hash" if shut == "password" else clock.now() - timedelta(days=past))
    code.expires_at = None if ends is None else clock.now() + ends
    code.save()
    assert _request("/t/summer-menu")[0] == (code.state is State.LIVE and not code.password)


def test_a_former_slug_still_redirects(code: Publication) -> None:
    code.move("winter-menu")
    assert (_request("/t/summer-menu")[1], _request("/t/winter-menu")[1]) == (302, 302)


def test_an_internal_error_leaves_the_request_to_django(
    code: Publication, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object) -> None:
        raise LookupError("a mistake of ours")

    monkeypatch.setattr(AddressLookup, "find_first", fail)
    assert _request("/t/summer-menu")[0] is False
    assert "fast path" in caplog.text


def test_a_failed_visit_count_is_logged_and_the_guest_redirected(
    code: Publication, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def away(arrivals: object) -> None:
        raise OperationalError("away")

    monkeypatch.setattr(visit_writer, "write_visits", away)
    assert _request("/t/summer-menu")[1] == 302
    assert "lost" in caplog.text
    response = redirect_response(RequestFactory().get("/"), FollowDecision(code.pk, "scan", TARGET))
    assert response.status_code == 302


def test_a_view_redirects_with_the_same_headers(code: Publication) -> None:
    request = RequestFactory().get("/t/summer-menu", headers={"user-agent": IPHONE})
    response = redirect_response(request, FollowDecision(code.pk, "scan", TARGET))
    _, status, headers = _request("/t/summer-menu", "HEAD")
    del headers["content-length"]
    told = {name.lower(): value for name, value in response.items() if name != "Content-Type"}
    assert (response.status_code, told) == (status, headers)
    assert _total() == (1, 0)
    redirect_response(RequestFactory().head("/t/summer-menu"), FollowDecision(code.pk, "scan", TARGET))
    assert _total() == (1, 0)


@pytest.mark.parametrize("location", ["mailto:ann@example.com", "tel:+43123", "sms:+43123"])
def test_a_button_can_open_email_and_phone_links(code: Publication, location: str) -> None:
    response = redirect_response(RequestFactory().get("/"), FollowDecision(code.pk, "click", location, part="b1"))
    assert response["Location"] == location
    assert Visit.objects.get().detail == "b1"


def test_a_line_break_in_a_destination_adds_no_header(code: Publication) -> None:
    Account.objects.update(name="https://example.com/\r\nSet-Cookie: a=b")
    assert "\n" not in _request("/t/summer-menu")[2]["location"]


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(connection.vendor != "sqlite", reason="a reader of its own is SQLite's")
def test_a_reader_sees_the_last_commit_and_reopens_its_file(code: Publication) -> None:
    way, reader = fast_path._routes["t"], SqliteReader()
    assert way.lookup.find_first("Summer-Menu", reader) == (code.pk, TARGET)
    code.pause()
    assert way.lookup.find_first("summer-menu", reader) is None
    code.resume()
    reader.close()
    assert way.lookup.find_first("summer-menu", reader) == (code.pk, TARGET)
    reader.close()
