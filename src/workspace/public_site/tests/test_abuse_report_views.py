import re
from collections.abc import Iterator
from typing import Any

import pytest
import time_machine
from django.core import mail
from django.test import Client
from pytest_django.fixtures import Settings

from workspace.publishing.models import Publication, Report
from workspace.testing.publications import publish

PATH = "/report/qr/summer-menu"


@pytest.fixture
def code(db: None) -> Publication:
    return publish(slug="summer-menu")


@pytest.fixture
def travel() -> Iterator[Any]:
    with time_machine.travel("2026-11-21T12:00:00Z", tick=False) as travel:
        yield travel


@pytest.fixture
def filled(code: Publication, travel: Any) -> dict[str, str]:
    """Return valid form fields, after the minimum time has passed."""
    page = Client().get(PATH).content.decode()
    travel.shift(5)
    hidden = dict(re.findall(r'name="(stamp|office_fax)"(?: value="([^"]*)")?', page))
    return {**hidden, "reason": "phishing", "note": "It asks for\r\nmy PIN <b>", "email": "ann@example.com"}


def _send(fields: dict[str, str], **headers: str) -> Any:
    return Client(enforce_csrf_checks=True).post(PATH, fields, headers=headers)


def test_a_report_is_saved_and_emailed_to_the_administrator(
    code: Publication, filled: dict[str, str], settings: Settings
) -> None:
    settings.OPERATOR_EMAIL = "operator@example.com"
    response = _send(filled, origin="http://testserver", sec_fetch_site="same-origin")
    assert (response.status_code, response["Location"]) == (303, f"{PATH}?sent")
    assert "Thank you" in Client().get(response["Location"]).content.decode()
    report = Report.objects.get()
    assert (report.publication, report.reason, report.note) == (code, "phishing", "It asks for\nmy PIN <b>")
    [message] = mail.outbox
    assert message.to == ["operator@example.com"]
    assert "qr/summer-menu" in message.subject
    assert "my PIN <b>" in message.body and "ann@example.com" in message.body


def test_a_report_is_saved_without_an_administrators_address(filled: dict[str, str], settings: Settings) -> None:
    settings.OPERATOR_EMAIL = ""
    assert _send(filled).status_code == 303
    assert Report.objects.count() == 1
    assert mail.outbox == []


def test_no_cookie_is_set_and_no_response_is_cached(code: Publication) -> None:
    response = Client().get(PATH)
    assert not response.cookies
    assert "no-store" in response["Cache-Control"]


@pytest.mark.parametrize(
    "path", ["/report/qr/other", "/report/card/summer-menu", "/report/qr/" + "a" * 80, "/report/q%00r/a%00b"]
)
def test_an_unknown_address_is_not_found(code: Publication, path: str) -> None:
    assert Client().get(path).status_code == 404
    assert Client().post(path).status_code == 404


@pytest.mark.parametrize("change", ["pause", "retire"])
def test_paused_and_deleted_items_can_be_reported(code: Publication, filled: dict[str, str], change: str) -> None:
    getattr(code, change)()
    assert _send(filled).status_code == 303
    assert Report.objects.count() == 1


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"reason": ""}, "Choose a reason"),
        ({"reason": "<script>"}, "Choose a reason"),
        ({"note": "x" * 2001}, "Use at most 2000 characters"),
        ({"note": "a\x00b"}, "control characters"),
        ({"email": "ann@"}, "Enter a valid email address"),
        ({"stamp": "forged"}, "form has expired"),
    ],
)
def test_problems_of_fields_are_shown_and_values_stay(
    filled: dict[str, str], wrong: dict[str, str], message: str
) -> None:
    response = _send({**filled, **wrong})
    page = response.content.decode()
    assert response.status_code == 400
    assert message in page
    assert "<script>" not in page
    assert wrong.get("email", "ann@example.com") in page
    assert not Report.objects.exists()


def test_a_form_on_another_site_is_rejected(filled: dict[str, str]) -> None:
    assert _send(filled, origin="https://evil.example").status_code == 400
    assert not Report.objects.exists()


def test_a_trapped_form_is_discarded(filled: dict[str, str]) -> None:
    assert _send({**filled, "office_fax": "1"}).status_code == 303
    assert not Report.objects.exists()


def test_reports_by_a_guest_are_limited_by_hour(filled: dict[str, str], travel: Any) -> None:
    assert [_send(filled).status_code for _ in range(6)] == [303] * 5 + [429]
    assert Report.objects.count() == 5
    travel.shift(3600)
    assert _send(filled).status_code == 303


def test_a_report_is_saved_with_an_invalid_administrators_address(
    filled: dict[str, str], settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    settings.EMAIL_BACKEND = "workspace.delivery.mail.OutboxBackend"
    settings.OPERATOR_EMAIL = "nobody"
    assert _send(filled).status_code == 303
    assert Report.objects.count() == 1
    assert "WORKSPACE_OPERATOR_EMAIL" in caplog.text


def test_other_methods_are_not_allowed(code: Publication) -> None:
    assert Client().delete(PATH).status_code == 405
