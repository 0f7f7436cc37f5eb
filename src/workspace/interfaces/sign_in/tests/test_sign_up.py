from __future__ import annotations

import re

import pytest
from django.test import Client

from workspace.accounts.models import Account, Person
from workspace.testing.sign_in import PASSWORD, extract_link, make_person

NEW = {
    "person": "Ada Lovelace",
    "name": "Ada's Bakery",
    "trade": "cafe",
    "email": "Ada@Example.com",
    "password1": PASSWORD,
    "time_zone": "Europe/Lisbon",
}


@pytest.mark.django_db
def test_signing_up_verifying_and_signing_in(client, mailoutbox, settings):
    answer = client.post("/sign-up/", NEW, HTTP_ACCEPT_LANGUAGE="pt-PT,de;q=0.5")
    assert (answer.status_code, answer["Location"]) == (302, "/account/verify")
    account = Account.objects.get()
    assert (account.name, account.time_zone, account.owner.email) == (
        "Ada's Bakery",
        "Europe/Lisbon",
        "ada@example.com",
    )

    assert (account.owner.name, account.brand.trade) == ("Ada Lovelace", "cafe")
    assert (account.brand.country, account.brand.currency, account.brand.languages) == ("PT", "EUR", ["pt"])

    [letter] = mailoutbox
    assert letter.to == ["ada@example.com"]
    html, kind = letter.alternatives[0]
    link = extract_link(letter)
    assert kind == "text/html" and f'href="{settings.BASE_URL}{link}"' in html

    # opening the link confirms nothing; the button does
    assert "ada@example.com" in client.get(link).content.decode()
    assert client.get("/app/account").status_code == 302
    assert client.post(link)["Location"] == "/app/welcome"
    assert client.get("/app/account").status_code == 200

    other = Client()
    assert other.post("/sign-in/", {"login": "ada@example.com", "password": PASSWORD})["Location"] == "/app"
    assert "Ada&#x27;s Bakery" in other.get("/app/account").content.decode()


def without_token(html: str) -> str:
    return re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", html)


@pytest.mark.django_db
def test_the_next_page_names_the_email_sends_again_and_links_back_to_the_entered_values(client, mailoutbox, settings):
    client.post("/sign-up/", NEW)
    page = client.get("/account/verify").content.decode()
    assert "ada@example.com" in page and 'href="/sign-up"' in page
    back = client.get("/sign-up/").content.decode()
    for said in (
        'value="Ada Lovelace"',
        'value="Ada&#x27;s Bakery"',
        'value="cafe" selected',
        'value="ada@example.com"',
    ):
        assert said in back
    assert PASSWORD not in back
    client.post("/account/verify/again")
    assert len(mailoutbox) == 1, "one in three minutes"
    settings.ACCOUNT_RATE_LIMITS = {"confirm_email": "9/m/key"}
    assert client.post("/account/verify/again")["Location"] == "/account/verify?again"
    assert [letter.to for letter in mailoutbox] == [["ada@example.com"]] * 2
    stranger = Client()
    stranger.post("/account/verify/again")
    assert len(mailoutbox) == 2 and "ada@" not in stranger.get("/account/verify").content.decode()


@pytest.mark.django_db
def test_an_unverified_person_cannot_sign_in(client, mailoutbox):
    client.post("/sign-up/", NEW)
    other = Client()
    answer = other.post("/sign-in/", {"login": "ada@example.com", "password": PASSWORD})
    assert answer["Location"] == "/account/verify"
    assert other.get("/app/account")["Location"].startswith("/sign-in/")


@pytest.mark.django_db
def test_another_browser_that_verifies_is_not_signed_in(client, mailoutbox):
    client.post("/sign-up/", NEW)
    thief = Client()
    assert thief.post(extract_link(mailoutbox[0]))["Location"] == "/sign-in/"
    assert thief.get("/app/account")["Location"].startswith("/sign-in/")


@pytest.mark.django_db
def test_a_known_email_is_answered_like_a_new_one(client, mailoutbox):
    make_person("known@example.com")
    known = client.post("/sign-up/", NEW | {"email": "known@example.com"})
    other = Client()
    new = other.post("/sign-up/", NEW)
    assert (known.status_code, known["Location"]) == (new.status_code, new["Location"])
    mine, theirs = other.get(new["Location"]).content.decode(), client.get(known["Location"]).content.decode()
    assert without_token(theirs).replace("known@", "ada@") == without_token(mine)
    # nor by the response after sending the link again
    assert client.post("/account/verify/again")["Location"] == other.post("/account/verify/again")["Location"]
    assert [letter.subject for letter in mailoutbox] == ["You already have an account", "Confirm your email address"]
    assert Person.objects.count() == 2


@pytest.mark.django_db
def test_sign_up_creates_nothing_if_the_account_cannot_be_created(client, monkeypatch):
    def fail(*args: object, **kwargs: object) -> None:
        raise RuntimeError("no account")

    monkeypatch.setattr(Account, "open", fail)
    with pytest.raises(RuntimeError):
        client.post("/sign-up/", NEW)
    assert Person.objects.count() == 0


@pytest.mark.django_db
@pytest.mark.parametrize(
    "wrong",
    [
        {"name": ""},
        {"name": "x" * 121},
        {"name": "line\nbreak"},
        {"email": "not an address"},
        {"email": "a" * 250 + "@example.com"},
        {"password1": "short"},
        {"password1": "password123"},
        {"password1": "x" * 201},
        {"person": ""},
        {"trade": ""},
        {"trade": "piracy"},
    ],
    ids=str,
)
def test_an_invalid_sign_up_is_shown_again(client, mailoutbox, wrong):
    answer = client.post("/sign-up/", NEW | wrong)
    assert answer.status_code == 200 and "field-error" in answer.content.decode()
    assert Person.objects.count() == 0 and not mailoutbox


@pytest.mark.django_db
def test_an_instance_with_closed_sign_up_accepts_no_one(client, settings):
    settings.SIGNUP_OPEN = False
    assert "Sign-up is closed" in client.get("/sign-up/").content.decode()
    client.post("/sign-up/", NEW)
    assert Person.objects.count() == 0


@pytest.mark.django_db
def test_urls_work_with_and_without_a_trailing_slash(client):
    assert client.get("/sign-up").status_code == client.get("/sign-up/").status_code == 200
    assert client.get("/sign-in").status_code == client.get("/sign-in/").status_code == 200


@pytest.mark.django_db
@pytest.mark.parametrize("told", ["", "Mars/Olympus"])
def test_a_browser_without_a_known_time_zone_gets_utc(client, told):
    client.post("/sign-up/", NEW | {"time_zone": told})
    assert Account.objects.get().time_zone == "UTC"
