"""The guest page of a form. Without scripts, each page is submitted, evaluated and answered with the next."""

from __future__ import annotations

import io
import re
from datetime import UTC, datetime
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from PIL import Image

from workspace.delivery.models import Delivery
from workspace.products.form.models import INBOX, PARTIAL, GuestFile, Response
from workspace.products.form.tests.guest import Guest
from workspace.storage.files import store
from workspace.testing.api import Api
from workspace.testing.samples.form import make_form

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _people_take_their_time(time_machine: Any) -> None:
    time_machine.move_to(datetime(2026, 4, 2, 12, tzinfo=UTC))
    Guest.clock = time_machine


def open_form(api: Api, *fields: dict[str, Any], **more: Any) -> Guest:
    return Guest(_path(make_form(api, fields=list(fields), **more)))


def _path(form: dict[str, Any]) -> str:
    return f"/f/{form['slug']}"


def test_pages_follow_one_another_and_answers_are_passed_on(api: Api) -> None:
    guest = Guest(_path(make_form(api)))
    assert guest.visible_fields == ["menu", "which"]  # a field that depends on an answer is not shown yet
    guest.send(menu="yes", which="Garden")
    assert guest.response.status_code == 200
    assert guest.visible_fields == ["menu", "guests", "which"] and "The form has changed" in guest.sheet.text
    guest.send(guests="4")
    assert guest.visible_fields == ["name", "email"]
    assert ("f-guests", "4") in guest.sheet.sent
    guest.send(go="back")
    assert guest.visible_fields == ["menu", "guests", "which"] and ("f-guests", "4") in guest.sheet.sent
    guest.send()
    guest.send(name="Ada Berger", email="ada@example.com")
    assert guest.response.status_code == 303
    [stored] = Response.objects.all()
    assert stored.answers == {
        "menu": True,
        "guests": 4,
        "which": "Garden",
        "total": 114,
        "name": "Ada Berger",
        "email": "ada@example.com",
    }
    thanks = guest.client.get(guest.response["Location"]).content.decode()
    assert stored.reference in thanks


def test_a_jump_ends_the_form_and_later_answers_are_dropped(api: Api) -> None:
    guest = Guest(_path(make_form(api)))
    guest.send(menu="yes")
    guest.send(guests="4")
    guest.sheet.sent.append(("f-name", "Ada"))  # typed, then the guest goes back
    guest.send(go="back")
    guest.send(menu="no")
    assert guest.response.status_code == 303
    assert Response.objects.get().answers == {"menu": False, "total": 0}


def test_a_total_is_shown_before_submission(api: Api) -> None:
    guest = open_form(
        api,
        {"label": "Tickets", "key": "n", "type": "integer", "required": True},
        {"label": "Price", "key": "price", "type": "calculated", "formula": "{n} * 12.5"},
    )
    guest.send(n="3")
    assert guest.response.status_code == 200 and "37.50" in guest.sheet.text
    guest.send()
    assert guest.response.status_code == 303 and Response.objects.get().answers["price"] == 37.5


def test_errors_are_shown_above_the_form_and_at_the_fields(api: Api) -> None:
    guest = open_form(
        api,
        {"label": "Email", "key": "email", "type": "email", "required": True},
        {"label": "Guests", "key": "n", "type": "number", "min": 2, "max": 8},
        {"label": "When", "key": "day", "type": "date", "min": "2026-05-01"},
        {"label": "I agree", "key": "ok", "type": "consent", "required": True},
    )
    guest.send(email="ada at home", n="9", day="2026-04-30")
    html = guest.response.content.decode()
    assert guest.response.status_code == 400
    assert re.search(r'role="alert"[^>]*autofocus', html)
    for key, text in {
        "email": "Enter an email address like name@example.com",
        "n": "Enter 8 or less",
        "day": "Choose a date no earlier than 1 May 2026",
        "ok": "Check this box to send your answers",
    }.items():
        assert f'href="#f-{key}"' in html and guest.sheet.text.count(text) == 2, (key, text)
        assert re.search(rf'id="f-{key}"[^>]*aria-invalid="true"[^>]*aria-describedby="f-{key}-e"', html), key
    assert ("f-email", "ada at home") in guest.sheet.sent  # the answers remain
    assert not Response.objects.exists()


def test_every_type_of_field_is_submitted(api: Api) -> None:
    options = ["Garden", "Grill", "Fish"]
    fields = [
        {"label": "a", "key": "long", "type": "long_text"},
        {"label": "a", "key": "phone", "type": "phone"},
        {"label": "a", "key": "site", "type": "url"},
        {"label": "a", "key": "n", "type": "number"},
        {"label": "a", "key": "day", "type": "date"},
        {"label": "a", "key": "time", "type": "time"},
        {"label": "a", "key": "yn", "type": "yes_no"},
        {"label": "a", "key": "tick", "type": "checkbox"},
        {"label": "a", "key": "one", "type": "single_choice", "options": options, "other": True},
        {"label": "a", "key": "drop", "type": "dropdown", "options": options},
        {"label": "a", "key": "many", "type": "multi_choice", "options": options, "other": True},
        {"label": "a", "key": "stars", "type": "rating"},
        {"label": "a", "key": "nps", "type": "scale"},
        {"label": "a", "key": "home", "type": "address"},
        {"label": "a", "key": "sign", "type": "signature"},
        {"label": "Read this", "key": "told", "type": "text"},
    ]
    guest = open_form(api, *fields)
    guest.sheet.sent = [(name, value) for name, value in guest.sheet.sent if name != "f-sign-drawn"]
    guest.sheet.sent += [("f-one-other", "Soup"), ("f-many-other", "Bread"), ("f-sign-drawn", "[[0,0,500,200]]")]
    empty = (("f-one-other", ""), ("f-many-other", ""))
    guest.sheet.sent = [pair for pair in guest.sheet.sent if pair not in empty]
    guest.send(
        long="Two\r\nlines",
        phone="+43 1 234 56 78",
        site="example.com",
        n="1,5",
        day="2026-05-01",
        time="14:30",
        yn="no",
        tick="yes",
        one="-other",
        drop="Grill",
        many=["Fish", "Garden", "-other"],
        stars="4",
        nps="0",
        home="Ring 1\nWien",
        sign="Ada Berger",
    )
    assert guest.response.status_code == 303, guest.sheet.text
    assert Response.objects.get().answers == {
        "long": "Two\nlines",
        "phone": "+43 1 234 56 78",
        "site": "https://example.com",
        "n": 1.5,
        "day": "2026-05-01",
        "time": "14:30",
        "yn": False,
        "tick": True,
        "one": "Soup",
        "drop": "Grill",
        "many": ["Garden", "Fish", "Bread"],
        "stars": 4,
        "nps": 0,
        "home": "Ring 1\nWien",
        "sign": {"name": "Ada Berger", "drawn": [[0, 0, 500, 200]]},
    }


def _picture() -> SimpleUploadedFile:
    buffer, exif = io.BytesIO(), Image.Exif()
    exif[0x010E] = "taken at home"
    Image.new("RGB", (60, 40), "teal").save(buffer, "JPEG", exif=exif)
    return SimpleUploadedFile("me.jpg", buffer.getvalue(), "image/jpeg")


def test_a_file_is_stored_while_an_error_is_corrected_and_then_belongs_to_the_response(api: Api) -> None:
    guest = open_form(
        api,
        {"label": "Photo", "key": "photo", "type": "file", "accept": ["image"], "required": True},
        {"label": "Name", "key": "name", "required": True},
    )
    guest.send(photo=SimpleUploadedFile("me.jpg", b"%PDF-1.7 not a picture", "image/jpeg"), name="Ada")
    assert guest.response.status_code == 400 and "content doesn’t match its type" in guest.sheet.text
    guest.send(photo=_picture(), name="")
    assert guest.response.status_code == 400 and "me.jpg" in guest.sheet.text
    [file] = GuestFile.objects.all()
    assert b"taken at home" not in store.get(file.pk)
    assert file.pk not in file.name and file.response is None
    guest.sheet.sent.append(("f-photo", ""))  # sent by browsers if no other file is chosen
    guest.send(name="Ada")
    assert guest.response.status_code == 303
    assert Response.objects.get().answers["photo"] == [file.pk]
    file.refresh_from_db()
    assert file.response == Response.objects.get()


def test_no_file_is_stored_for_a_hidden_field(api: Api) -> None:
    guest = open_form(
        api,
        {"label": "Any?", "key": "any", "type": "yes_no"},
        {"label": "Photo", "key": "photo", "type": "file", "show_if": {"field": "any", "is": True}},
    )
    assert guest.visible_fields == ["any"]
    guest.sheet.visible_names.append("f-photo")
    guest.send(any="no", photo=_picture())
    assert guest.response.status_code == 303
    assert not GuestFile.objects.exists() and Response.objects.get().answers == {"any": False}


def test_a_second_click_creates_no_second_response_but_two_guests_do(api: Api) -> None:
    form = make_form(api, fields=[{"label": "Coming?", "key": "yes", "type": "yes_no"}])
    first, second = Guest(_path(form)), Guest(_path(form))
    first.send(yes="yes")
    again = first.client.post(first.sheet.action, dict([*first.sheet.sent, ("f-yes", "yes")]))
    assert again.status_code == 303 and again["Location"] == first.response["Location"]
    assert Response.objects.count() == 1
    second.client.defaults["HTTP_USER_AGENT"] = "Mozilla/5.0 Chrome/140.0"
    second.sheet.sent = [(name, "c" * 32 if name == "token" else value) for name, value in second.sheet.sent]
    second.send(yes="yes")
    assert Response.objects.count() == 2


def test_the_url_prefills_answers_and_cleared_answers_stay_cleared(api: Api) -> None:
    form = make_form(
        api,
        fields=[
            {"label": "Source", "key": "source", "type": "hidden"},
            {"label": "Name", "key": "name"},
            {"label": "Letter", "key": "letter", "type": "checkbox", "default": True},
            {"type": "page", "label": "Then"},
            {"label": "Town", "key": "town", "required": True},
        ],
    )
    guest = Guest(f"{_path(form)}?source=poster&name=Ada&letter=yes&unknown=1")
    assert ("f-name", "Ada") in guest.sheet.sent and ("f-letter", "yes") in guest.sheet.sent
    guest.sheet.sent = [(name, value) for name, value in guest.sheet.sent if name != "f-letter"]
    guest.send()
    guest.send(town="Wien")
    assert Response.objects.get().answers == {"source": "poster", "name": "Ada", "town": "Wien"}


def test_a_closed_form_says_so_in_the_guests_language(api: Api) -> None:
    form = make_form(api, fields=[{"label": "Name", "key": "name"}], max_responses=1)
    guest, late = Guest(_path(form)), Guest(_path(form))
    guest.send(name="Ada")
    assert guest.response.status_code == 303
    late.send(name="Bo")
    assert late.response.status_code == 409 and "maximum number of responses" in late.sheet.text
    assert ("f-name", "Bo") in late.sheet.sent
    assert "<form" not in Client().get(_path(form)).content.decode().partition("<main")[2]


def test_the_forms_language_applies_unless_the_guest_chooses_another(api: Api) -> None:
    form = make_form(api, fields=[{"label": "Name", "key": "name", "required": True}], language="de")
    guest = Guest(_path(form), language="en")
    assert '<html lang="de"' in guest.sheet.html and "Absenden" in guest.sheet.text
    assert guest.response["Content-Language"] == "de"
    guest.send(name="")
    assert "Bitte beantworten Sie diese Frage" in guest.sheet.text
    assert '<html lang="es"' in Guest(f"{_path(form)}?lang=es").sheet.html


def test_answers_that_still_fit_remain_when_the_version_was_deleted(api: Api) -> None:
    guest = open_form(api, {"label": "Name", "key": "name"})
    guest.sheet.sent = [(name, "7" if name == "version" else value) for name, value in guest.sheet.sent]
    guest.send(name="Ada")
    assert guest.response.status_code == 409 and ("f-name", "Ada") in guest.sheet.sent


def test_a_request_that_is_too_large_is_rejected_before_parsing(api: Api) -> None:
    guest = open_form(api, {"label": "Name", "key": "name"})
    assert guest.client.post(guest.sheet.action, {"f-name": "x" * 120_000}).status_code == 413
    huge = guest.client.post(guest.sheet.action, {"f-name": "x" * 1_100_000})
    assert huge.status_code == 413 and not Response.objects.exists()


def test_a_guest_resumes_with_an_emailed_link(api: Api) -> None:
    guest = Guest(_path(make_form(api)))
    guest.send(menu="yes", which="Garden")
    guest.send(go="later", guests="4", later="ada at home")
    assert guest.response.status_code == 400 and "Enter an email address like" in guest.sheet.text
    guest.send(go="later", guests="4", later="ada@example.com")
    assert guest.response.status_code == 200 and "ada@example.com" in guest.sheet.text
    [mail] = [
        delivery.payload
        for delivery in Delivery.objects.all()
        if delivery.payload and delivery.payload["to"] == "ada@example.com"
    ]
    match = re.search(r"/f/[^/]+/later/[\w-]+", str(mail))
    assert match is not None and Response.objects.get().folder == PARTIAL
    elsewhere = Guest(match.group(), language="de")
    assert "no-referrer" in elsewhere.response["Referrer-Policy"]
    assert ("f-guests", "4") in elsewhere.sheet.sent and ("f-menu", "yes") in elsewhere.sheet.sent
    elsewhere.send()
    elsewhere.send(name="Ada")
    stored = Response.objects.get()
    assert (stored.folder, stored.answers["guests"], stored.answers["name"]) == (INBOX, 4, "Ada")
    assert guest.client.get(match.group()).status_code == 404  # the response has been sent
