from __future__ import annotations

import io
from datetime import timedelta

import pytest
import time_machine
from django.contrib.auth.hashers import make_password
from django.test import Client
from PIL import Image

from workspace.accounts.models import Account, Upload
from workspace.delivery.mail import parse_message
from workspace.delivery.models import Delivery
from workspace.lib import clock
from workspace.products.reviews import models
from workspace.testing.reviews_guest import WORDS, open_page, photo, read_page, send

pytestmark = pytest.mark.django_db


def test_a_guests_testimonial_is_pending_until_the_owner_decides(account: Account) -> None:
    page = open_page(account)
    response = send(page, byline="Linz", relationship="gift")
    assert (response.status_code, response["Location"]) == (303, f"/r/{page.slug}/thanks")
    result = models.Testimonial.objects.get()
    assert (result.status, result.rating, result.text, result.name) == (
        "pending",
        5,
        "The best cake in town.",
        "Ida Stern",
    )
    assert (result.byline, result.relationship, result.source, result.suspicion) == ("Linz", "gift", "page", "")
    assert "The best cake" not in read_page(f"/r/{page.slug}/wall").text


def test_the_form_starts_with_stars_and_shows_all_fields_after_an_error(account: Account) -> None:
    page = open_page(account)
    html = Client().get(f"/r/{page.slug}").content.decode().partition("<body>")[2]
    first, then = html.split('<div class="then">')
    assert first.count('name="rating"') == 5 and 'name="text"' in then and "<details>" in then
    wrong = send(page, email="nobody", rating=None).content.decode()
    assert 'id="rating-error"' in wrong and "<details open>" in wrong and "nobody" in wrong


def test_a_testimonial_preserves_the_consent_text_of_its_day(account: Account) -> None:
    page = open_page(account, consent_text="You may print my words.")
    send(page)
    page.change(consent_text="You may do anything at all.")
    result = models.Testimonial.objects.get()
    assert result.consent_text == "You may print my words."
    assert result.consented_at is not None


def test_a_guest_consents_to_the_text_that_they_saw(account: Account) -> None:
    page = open_page(account, consent_text="You may print my words.")
    hidden = read_page(f"/r/{page.slug}").inputs
    page.change(consent_text="You may do anything at all.")
    assert send(page, **hidden).status_code == 303
    assert models.Testimonial.objects.get().consent_text == "You may print my words."
    assert send(page, words="made up").status_code == 400


def test_text_without_consent_is_visible_only_to_the_owner(account: Account) -> None:
    page = open_page(account)
    send(page, consent=None)
    result = models.Testimonial.objects.get()
    assert (result.consented_at, result.consent_text) == (None, "")
    models.Testimonial.objects.update(status="approved")  # even if a bug elsewhere approves it
    for path in ("wall", "embed"):
        assert "The best cake" not in read_page(f"/r/{page.slug}/{path}").text


def test_a_repeated_submission_is_stored_once(account: Account) -> None:
    page = open_page(account)
    client = Client()
    hidden = read_page(f"/r/{page.slug}", client).inputs
    for _ in range(2):
        assert send(page, client=client, photo=photo(), **hidden).status_code == 303
    assert (models.Testimonial.objects.count(), Delivery.objects.count()) == (1, 1)
    assert Upload.objects.count() == 1
    assert send(page, text="And the soup!").status_code == 303
    assert models.Testimonial.objects.count() == 2


def test_the_owner_gets_an_email_with_the_text_and_a_link_to_decide(account: Account) -> None:
    page = open_page(account)
    send(page, text="Tom & Jerry's <b>cake</b>", rating="4")
    mail = Delivery.objects.get()
    assert mail.payload["to"] == account.owner.email
    assert mail.payload["subject"] == "★★★★☆ Ida Stern left you a review"
    letter = parse_message(mail)
    plain = letter.get_body(("plain",))
    page_ = letter.get_body(("html",))
    assert plain is not None and page_ is not None
    assert "Tom & Jerry's <b>cake</b>" in plain.get_content()
    assert "<b>cake</b>" not in page_.get_content()
    assert f"/app/reviews/{page.pk}/items/{models.Testimonial.objects.get().pk}" in plain.get_content()


def test_a_photo_is_reencoded_without_metadata(account: Account) -> None:
    page = open_page(account)
    sent = photo()
    assert b"SECRET-PLACE" in sent.read()
    sent.seek(0)
    send(page, photo=sent)
    upload = Upload.objects.get()
    assert (upload.use_count, models.Testimonial.objects.get().photo_id) == (1, upload.pk)
    assert b"SECRET-PLACE" not in upload.content
    assert not Image.open(io.BytesIO(upload.content)).getexif()


def test_the_thank_you_page_is_the_same_for_every_rating(account: Account) -> None:
    page = open_page(account, thank_you="See you soon!")
    texts = []
    for rating in ("1", "5"):
        response = send(page, rating=rating)
        texts.append(read_page(response["Location"]).text)
    assert texts[0] == texts[1]
    assert "See you soon!" in texts[0]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("rating", ""),
        ("rating", "0"),
        ("rating", "6"),
        ("rating", "5.0"),
        ("rating", "٥"),
        ("rating", "x" * 10_000),
        ("text", ""),
        ("text", " \n "),
        ("text", "x" * 3001),
        ("text", "a\x00b"),
        ("text", "\u202eevil"),
        ("name", ""),
        ("name", "x" * 81),
        ("name", "two\nlines"),
        ("byline", "x" * 81),
        ("email", "nobody"),
        ("email", "a@b@c"),
        ("email", "x" * 250 + "@example.com"),
        ("email", "a\r\nBcc: b@example.com"),
        ("relationship", "king"),
    ],
)
def test_an_invalid_field_is_named_and_no_input_is_lost(field: str, value: str, account: Account) -> None:
    page = open_page(account)
    response = send(page, **{"text": "My long story", field: value})
    html = response.content.decode()
    assert response.status_code == 400
    assert f'id="{field}-error"' in html
    assert ("My long story" in html) is (field != "text")
    assert not models.Testimonial.objects.exists()
    assert not Delivery.objects.exists()


@pytest.mark.parametrize("content", [b"", b"GIF89a", b"<svg onload=alert(1)>", b"\xff\xd8\xff" + b"0" * 500])
def test_a_file_that_is_not_a_picture_is_refused_with_a_reason(content: bytes, account: Account) -> None:
    from django.core.files.uploadedfile import SimpleUploadedFile

    page = open_page(account)
    response = send(page, photo=SimpleUploadedFile("me.jpg", content, "image/jpeg"))
    assert response.status_code == (400 if content else 303)
    assert models.Testimonial.objects.count() == (0 if content else 1)
    assert not Upload.objects.exists()


@pytest.mark.parametrize("state", ["pause", "retire", "ban"])
def test_a_page_that_is_not_live_accepts_nothing(state: str, account: Account) -> None:
    page = open_page(account)
    client = Client()
    hidden = read_page(f"/r/{page.slug}", client).inputs
    page.publication.ban("spam") if state == "ban" else getattr(page.publication, state)()
    response = client.post(f"/r/{page.slug}", {**hidden, "rating": "5", "text": "Hi", "name": "Ida"})
    assert response.status_code in (404, 410)
    assert not models.Testimonial.objects.exists()


def test_a_protected_page_accepts_nothing_without_the_password(account: Account) -> None:
    page = open_page(account)
    client = Client()
    hidden = read_page(f"/r/{page.slug}", client).inputs
    page.publication.set_password(make_password("sesame"))
    with time_machine.travel(clock.now() + timedelta(seconds=20)):
        response = client.post(f"/r/{page.slug}", {**hidden, **WORDS})
        assert (response.status_code, b'name="password"' in response.content) == (200, True)
        assert not models.Testimonial.objects.exists()
        client.post(f"/r/{page.slug}", {"password": "sesame"})
        assert client.post(f"/r/{page.slug}", {**hidden, **WORDS}).status_code == 303


def test_an_address_in_upper_case_finds_the_page(account: Account) -> None:
    page = open_page(account, slug="corner-cafe")
    assert read_page("/R/CORNER-CAFE").inputs["stamp"]
    assert page.title in read_page("/R/CORNER-CAFE").text


def test_the_form_works_for_weeks_although_the_page_is_cached(account: Account) -> None:
    page = open_page(account)
    read_page(f"/r/{page.slug}")
    with time_machine.travel(clock.now() + timedelta(days=20)):
        assert send(page).status_code == 303
