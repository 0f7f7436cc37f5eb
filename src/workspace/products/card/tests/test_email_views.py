"""The emailed card, and protection against misuse."""

from __future__ import annotations

from typing import Any

import pytest

from workspace.delivery.mail import parse_message
from workspace.delivery.models import Delivery
from workspace.rate_limits.models import RateCounter
from workspace.testing.api import Api
from workspace.testing.guest_browser import Guest
from workspace.testing.rate_limits import set_limit
from workspace.testing.samples.card import SAMPLES

pytestmark = pytest.mark.django_db


@pytest.fixture
def card(api: Api) -> dict[str, Any]:
    made: dict[str, Any] = api.run("svc_card_create", **SAMPLES["svc_card_create"]({}))
    return made


@pytest.fixture
def path(card: dict[str, Any]) -> str:
    return f"/c/{card['slug']}/mail"


def test_the_guest_gets_the_card_with_its_links(card: dict[str, Any], path: str) -> None:
    sent = Guest().send(path, email="gus@example.org")
    assert (sent.status_code, sent["Location"]) == (303, f"{path}?sent")
    assert "inbox" in Guest().get(sent["Location"]).content.decode()
    letter = parse_message(Delivery.objects.get())
    assert (letter["To"], letter["Reply-To"]) == ("gus@example.org", "jane@example.com")
    assert letter["Subject"] == "Jane Doe’s business card"
    text = letter.get_body(("plain",)).get_content()  # type: ignore[attr-defined]
    page = letter.get_body(("html",)).get_content()  # type: ignore[attr-defined]
    for words in ("Jane Doe", "+43 1 234 56 78", "jane@example.com", card["public_url"], card["vcard_url"]):
        assert words in text
        assert words in page


@pytest.mark.parametrize("email", ["", "nobody", "a@b", "a b@example.org", "x\x00@example.org", "x" * 400, "a@[1.2.3]"])
def test_an_invalid_address_is_rejected(email: str, path: str) -> None:
    answer = Guest().send(path, email=email)
    assert answer.status_code == 400
    assert 'role="alert"' in answer.content.decode()
    assert not Delivery.objects.exists()


def test_an_address_gets_a_card_once_a_day_whoever_requests_it(path: str) -> None:
    for number in range(3):
        guest = Guest(address=f"203.0.113.{number + 1}")
        assert guest.send(path, email="Gus@example.org" if number else "gus@example.org").status_code == 303
    assert Delivery.objects.count() == 1


def test_a_guest_may_request_a_few_per_hour(path: str) -> None:
    guest = Guest(address="203.0.113.60")
    answers = [guest.send(path, email=f"g{n}@example.org").status_code for n in range(7)]
    assert answers == [303] * 5 + [429] * 2
    assert Delivery.objects.count() == 5


def test_a_card_is_emailed_up_to_a_daily_limit_and_again_the_next_day(
    card: dict[str, Any], path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_limit(monkeypatch, "card-mail-daily", 2)
    answers = [Guest(address=f"198.51.100.{n}").send(path, email=f"g{n}@example.org") for n in range(3)]
    assert [answer.status_code for answer in answers] == [303, 303, 429]
    assert "Save the contact instead" in answers[2].content.decode()
    assert Guest(address="198.51.100.9").send(path, after=86_400, email="late@example.org").status_code == 303
    counts = sorted(RateCounter.objects.values_list("count", flat=True))
    assert counts == [1] * 5 + [2], "four guests; two cards on the first day and one on the next"


def test_spam_is_rejected(path: str) -> None:
    assert Guest().send(path, email="gus@example.org", office_fax="1").status_code == 303
    assert Guest().send(path, after=0, email="gus@example.org").status_code == 400
    assert Guest().send(path, headers={"sec-fetch-site": "cross-site"}, email="gus@example.org").status_code == 400
    assert not Delivery.objects.exists()


def test_the_cards_name_cannot_add_headers(api: Api, card: dict[str, Any], path: str) -> None:
    api.run("svc_card_edit", card_id=card["id"], full_name="Jane & Söhne <b>")
    Guest().send(path, email="gus@example.org")
    letter = parse_message(Delivery.objects.get())
    assert letter["Subject"] == "Jane & Söhne <b>’s business card"
    page = letter.get_body(("html",)).get_content()  # type: ignore[attr-defined]
    assert "Jane &amp; Söhne &lt;b&gt;" in page
