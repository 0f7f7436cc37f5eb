"""Guests see errors and emails in the language of the card that they read. The owner gets emails in English."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils.translation import get_language

from workspace.delivery.mail import parse_message
from workspace.delivery.models import Delivery
from workspace.products.card.models import Lead
from workspace.testing.api import Api
from workspace.testing.guest_browser import Guest

pytestmark = pytest.mark.django_db


@pytest.fixture
def card(api: Api) -> dict[str, Any]:
    made: dict[str, Any] = api.run("svc_card_create", full_name="Jane Doe")
    return made


def _letters() -> dict[str, Any]:
    return {letter["To"]: letter for letter in map(parse_message, Delivery.objects.all())}


def _email_text(letter: Any, form: str = "plain") -> str:
    return str(letter.get_body((form,)).get_content())


def test_errors_are_in_the_guests_language(card: dict[str, Any]) -> None:
    path = f"/c/{card['slug']}/exchange?lang=de"
    answer = Guest().send(path, phone="12", email="nobody", note="x" * 1001)
    page = answer.content.decode()
    assert (answer.status_code, answer["Content-Language"]) == (400, "de")
    for words in (
        "Bitte geben Sie Ihren Namen an",
        "Bitte geben Sie eine gültige E-Mail-Adresse ein",
        "Geben Sie eine Telefonnummer wie +43 1 234 56 78 ein",
        "Höchstens 1000 Zeichen",
        "Bitte kreuzen Sie an, dass Sie einverstanden sind",
        "Bitte sehen Sie sich die Felder unten noch einmal an.",
    ):
        assert words in page
    hasty = Guest().send(path, after=0, name="Gus", email="gus@example.org", agreed="yes").content.decode()
    assert "Das ging sehr schnell" in hasty


def test_the_thank_you_is_in_the_chosen_language_and_the_consent_is_stored_as_read(card: dict[str, Any]) -> None:
    path = f"/c/{card['slug']}/exchange?lang=de"
    sent = Guest().send(path, headers={"accept-language": "es"}, name="Gus", email="gus@example.org", agreed="yes")
    assert (sent.status_code, sent["Location"]) == (303, f"/c/{card['slug']}/exchange?sent&lang=de")
    assert "Vielen Dank" in Guest().get(sent["Location"], **{"accept-language": "es"}).content.decode()
    assert Lead.objects.get().consent == "Jane Doe darf diese Angaben speichern, um mich zu kontaktieren."


def test_the_owners_email_is_in_english_while_the_guest_uses_another_language(card: dict[str, Any]) -> None:
    agreed = {"name": "Gus", "email": "gus@example.org", "agreed": "yes"}
    Guest().send(f"/c/{card['slug']}/exchange?lang=de", **agreed)
    [letter] = _letters().values()
    assert letter["Subject"] == "Gus left their details on your card"
    assert '<html lang="en">' in _email_text(letter, "html") and "Or open this link" in _email_text(letter, "html")
    assert get_language() == "en"


def test_the_emailed_card_is_in_the_guests_language(card: dict[str, Any]) -> None:
    path = f"/c/{card['slug']}/mail"
    client = Guest()
    client.client.defaults["HTTP_ACCEPT_LANGUAGE"] = "de"
    assert client.send(path, email="gus@example.org").status_code == 303
    letter = _letters()["gus@example.org"]
    assert letter["Subject"] == "Die Visitenkarte von Jane Doe"
    assert "Kontakt speichern:" in _email_text(letter)
    assert '<html lang="de">' in _email_text(letter, "html") and "Oder öffnen Sie diese Adresse" in _email_text(
        letter, "html"
    )
