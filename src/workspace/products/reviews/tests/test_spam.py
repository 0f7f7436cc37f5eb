from __future__ import annotations

import pytest
from django.test import Client

from workspace.accounts.models import Account
from workspace.delivery.models import Delivery
from workspace.lib import clock
from workspace.products.reviews import models
from workspace.products.reviews.domain import testimonial_form
from workspace.rate_limits.table import get_limit
from workspace.testing.api import Api
from workspace.testing.rate_limits import set_limit
from workspace.testing.reviews_guest import WORDS, open_page, photo, read_page, send

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("how", "mark"),
    [
        ({"office_fax": "0123"}, "trap"),
        ({"after": 0.5}, "hasty"),
        ({"text": "Visit https://pills.example now"}, "links"),
    ],
)
def test_suspected_spam_is_stored_with_a_mark_and_sends_no_email(
    how: dict[str, object], mark: str, account: Account, api: Api
) -> None:
    page = open_page(account)
    response = send(page, email="ida@example.com", **how)  # type: ignore[arg-type]
    assert response.status_code == 303
    [result] = api.run("svc_reviews_list")["items"]
    assert (result["status"], result["suspicion"]) == ("pending", mark)
    assert not Delivery.objects.exists()
    assert "0 of" not in read_page(f"/r/{page.slug}/wall").text, "it counts nowhere"


def test_an_approved_suspect_counts_and_gets_its_link(account: Account, api: Api) -> None:
    page = open_page(account)
    send(page, after=0.5, email="ida@example.com")
    result = models.Testimonial.objects.get()
    api.run("svc_reviews_approve", page_id=page.pk, item_id=result.pk)
    assert Delivery.objects.get().payload["to"] == "ida@example.com"
    assert "1 of 1 reviews shown" in read_page(f"/r/{page.slug}/wall").text


def test_a_confirmed_address_gets_no_second_link(account: Account, api: Api) -> None:
    page = open_page(account)
    send(page, after=0.5, email="ida@example.com")
    models.Testimonial.objects.update(verified_at=clock.now())
    api.run("svc_reviews_approve", page_id=page.pk, item_id=models.Testimonial.objects.get().pk)
    assert not Delivery.objects.exists()


def test_many_submissions_of_one_client_are_marked_and_too_many_refused(
    account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_limit(monkeypatch, "review", 5)
    page = open_page(account)
    statuses = [send(page, text=f"Number {number}").status_code for number in range(7)]
    assert statuses == [303] * 5 + [429] * 2
    marks = sorted(models.Testimonial.objects.values_list("suspicion", flat=True))
    assert marks == [""] * get_limit("review-unsuspected").count + ["many"] * 2


def test_a_refused_submission_preserves_the_input(account: Account, monkeypatch: pytest.MonkeyPatch) -> None:
    set_limit(monkeypatch, "review", 1)
    page = open_page(account)
    send(page)
    response = send(page, text="My long story")
    assert (response.status_code, b"My long story" in response.content) == (429, True)


def test_a_photo_is_read_only_if_the_form_may_be_accepted(account: Account, monkeypatch: pytest.MonkeyPatch) -> None:
    page = open_page(account)
    set_limit(monkeypatch, "review", 1)
    assert send(page).status_code == 303
    monkeypatch.setattr(testimonial_form, "normalize_image", lambda content: pytest.fail("looked at"))
    assert send(page, photo=photo()).status_code == 429
    assert send(page, photo=photo(), stamp="x").status_code == 400


def test_a_form_on_another_site_is_refused(account: Account) -> None:
    page = open_page(account)
    hidden = read_page(f"/r/{page.slug}").inputs
    for headers in ({"sec-fetch-site": "cross-site"}, {"origin": "https://evil.example"}):
        response = Client(headers=headers).post(f"/r/{page.slug}", {**hidden, **WORDS})
        assert response.status_code == 400
    assert not models.Testimonial.objects.exists()


def test_a_form_without_a_valid_stamp_must_be_sent_again(account: Account) -> None:
    page = open_page(account)
    for stamp in ("", "x", "1:2:3"):
        assert send(page, stamp=stamp).status_code == 400
    assert not models.Testimonial.objects.exists()


def test_emails_to_the_owner_are_limited(account: Account, monkeypatch: pytest.MonkeyPatch) -> None:
    set_limit(monkeypatch, "notification", 2)
    page = open_page(account)
    for number in range(3):
        send(page, text=f"Number {number}")
    assert (models.Testimonial.objects.count(), Delivery.objects.count()) == (3, 2)


def test_emails_to_an_address_typed_by_a_stranger_are_limited(
    account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_limit(monkeypatch, "review-unsuspected", 100)
    page = open_page(account)
    for number in range(6):
        send(page, text=f"Number {number}", email="Victim@example.com")
    sent = [mail.payload["to"] for mail in Delivery.objects.all()]
    assert sent.count("Victim@example.com") == get_limit("guest-link").count
