"""Reviews are submitted, confirmed and read in the guest's language, even if the email is sent later."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from workspace.delivery.mail import parse_message
from workspace.delivery.models import Delivery
from workspace.products.reviews import models
from workspace.testing.api import Api
from workspace.testing.reviews_guest import open_page, read_page, send

pytestmark = pytest.mark.django_db
SPANISH = Client(headers={"accept-language": "es-MX,es;q=0.9"})


def _letter(to: str) -> Any:
    [message] = [message for message in map(parse_message, Delivery.objects.all()) if message["To"] == to]
    return message


def test_default_texts_are_translated_and_the_owners_texts_are_not(api: Api) -> None:
    page = open_page(api.account, questions=["What did you visit us for?", "Wie war der Kuchen?"])
    text = read_page(f"/r/{page.slug}", SPANISH).text
    assert "¿Por qué viniste?" in text and "Wie war der Kuchen?" in text
    assert "Autorizo a mostrar mis palabras" in text and "You may show my words" not in text
    send(page, client=SPANISH)
    assert models.Testimonial.objects.get().consent_text.startswith("Autorizo a mostrar mis palabras")


def test_the_confirmation_link_is_emailed_in_the_language_of_the_review(api: Api) -> None:
    page = open_page(api.account)
    assert send(page, client=SPANISH, email="ida@example.com")["Location"].endswith("/thanks?mail")
    letter = _letter("ida@example.com")
    assert letter["Subject"] == "Confirma tu reseña de Corner Café"
    said = letter.get_body(("plain",)).get_content()
    assert f"en «{page.title}» de Corner Café" in said
    [link] = [line for line in said.splitlines() if "/confirm/" in line]
    assert link.endswith("?lang=es")
    assert "¿Es tuya esta reseña?" in Client().get(link.removeprefix("http://127.0.0.1:8000")).content.decode()


def test_a_delayed_email_is_sent_in_the_language_of_the_review(api: Api) -> None:
    page = open_page(api.account)
    send(page, client=SPANISH, email="ida@example.com", text="See https://example.com, it was good.")
    assert not Delivery.objects.exists()
    item = models.Testimonial.objects.get()
    api.run("svc_reviews_approve", page_id=page.pk, item_id=item.pk, action="approve")
    assert _letter("ida@example.com")["Subject"] == "Confirma tu reseña de Corner Café"


def test_numbers_and_dates_are_formatted_in_the_language_of_the_page(api: Api) -> None:
    page = open_page(api.account)
    for rating, name in ((5, "Ida"), (4, "Otto"), (5, "Eva")):
        send(page, rating=str(rating), name=name, text=f"Good, says {name}.")
    wall = read_page(f"/r/{page.slug}/wall?lang=de").text
    assert "4,7" in wall and "Durchschnitt aus 3 Bewertungen" in wall
    assert "4.7" in read_page(f"/r/{page.slug}/wall").text
