from __future__ import annotations

import re
from datetime import timedelta

import pytest
import time_machine
from django.test import Client

from workspace.accounts.models import Account
from workspace.delivery.mail import parse_message
from workspace.delivery.models import Delivery
from workspace.lib import clock
from workspace.products.reviews import models
from workspace.products.reviews.models import ReviewPage
from workspace.testing.api import Api
from workspace.testing.reviews_guest import open_page, read_page, send

pytestmark = pytest.mark.django_db


def mailed_path(page: ReviewPage) -> str:
    send(page, email="ida@example.com")
    [mail] = [delivery for delivery in Delivery.objects.all() if delivery.payload["to"] == "ida@example.com"]
    body = parse_message(mail).get_body(("plain",))
    assert body is not None
    match = re.search(r"(/r/\S+/confirm/\S+)", body.get_content())
    assert match is not None
    return match.group()


def test_the_email_contains_nothing_that_a_stranger_wrote(account: Account) -> None:
    page = open_page(account)
    send(page, email="ida@example.com", text="BUY-PILLS", name="Evil-Name")
    [mail] = [delivery for delivery in Delivery.objects.all() if delivery.payload["to"] == "ida@example.com"]
    assert "BUY-PILLS" not in mail.payload["message"]
    assert "Evil-Name" not in mail.payload["message"]


def test_the_link_asks_and_the_button_confirms_once(account: Account) -> None:
    path = mailed_path(open_page(account))
    client = Client()
    for _ in range(2):  # a link scanner opens it first
        response = client.get(path)
        assert response.status_code == 200
        assert response["Referrer-Policy"] == "no-referrer"
    assert models.Testimonial.objects.get().verified_at is None
    assert client.post(path).status_code == 200
    result = models.Testimonial.objects.get()
    assert result.verified_at is not None
    assert (client.post(path).status_code, client.get(path).status_code) == (404, 404)
    assert models.Testimonial.objects.get().verified_at == result.verified_at


def test_a_link_expires_after_a_week(account: Account) -> None:
    path = mailed_path(open_page(account))
    with time_machine.travel(clock.now() + timedelta(days=7, minutes=1)):
        assert Client().post(path).status_code == 404
    assert models.Testimonial.objects.get().verified_at is None


def test_a_link_works_only_on_its_page_and_from_the_same_origin(account: Account) -> None:
    page, other = open_page(account), open_page(account)
    path = mailed_path(page)
    assert Client().post(path.replace(page.slug, other.slug)).status_code == 404
    assert Client(headers={"origin": "https://evil.example"}).post(path).status_code == 403
    assert models.Testimonial.objects.get().verified_at is None


def test_no_token_is_stored_in_the_database(account: Account) -> None:
    path = mailed_path(open_page(account))
    assert path.rpartition("/")[2] not in repr(list(models.Testimonial.objects.values()))


@pytest.mark.parametrize("token", ["x", "a" * 3000, "%00", "é", "..%2f"])
def test_an_invalid_token_shows_a_friendly_page(token: str, account: Account) -> None:
    page = open_page(account)
    send(page, email="ida@example.com")
    assert Client().get(f"/r/{page.slug}/confirm/{token}").status_code == 404


def test_readers_see_whether_a_review_is_confirmed(account: Account, api: Api) -> None:
    page = open_page(account)
    path = mailed_path(page)
    send(page, name="Otto", text="Fine too.")
    for result in models.Testimonial.objects.all():
        api.run("svc_reviews_approve", page_id=page.pk, item_id=result.pk)
    text = read_page(f"/r/{page.slug}/wall").text
    assert (text.count("Not confirmed"), text.count("Email confirmed")) == (2, 0)
    Client().post(path)
    text = read_page(f"/r/{page.slug}/wall").text
    assert (text.count("Not confirmed"), text.count("Email confirmed")) == (1, 1)
    assert "ida@example.com" not in Client().get(f"/r/{page.slug}/wall").content.decode()
