from __future__ import annotations

from django.core.cache import cache
from django.test import Client

from workspace.testing.sign_in import PASSWORD, extract_link, go_stale, make_person, sign_in


def wrong_sign_in(client, email):
    answer = client.post("/sign-in/", {"login": email, "password": "not the password"})
    return answer.status_code, answer.content.decode().replace(email, "")


def test_a_wrong_password_and_an_unknown_address_look_alike(client, person):
    known = wrong_sign_in(client, person.email)
    unknown = wrong_sign_in(client, "x" * len(person.email[:-12]) + "@example.com")
    assert known[0] == unknown[0] == 200
    assert "don’t match" in known[1] and "don’t match" in unknown[1]


def test_guessing_is_limited_for_the_account_and_not_for_others(client, person):
    for _ in range(5):
        wrong_sign_in(client, person.email)
    # while the limit applies, the right password is rejected too
    answer = client.post("/sign-in/", {"login": person.email, "password": PASSWORD})
    assert "Too many attempts" in answer.content.decode()
    sign_in(make_person("bea@example.com"))


def test_limits_count_by_the_address_from_the_bridge(person):
    def knock(address: str) -> int:
        knocking = Client(**{"workspace.client_address": address, "HTTP_X_FORWARDED_FOR": "9.9.9.9"})
        return knocking.post("/sign-in/", {"login": "nobody@example.com", "password": "x"}).status_code

    assert [knock("192.0.2.1") for _ in range(31)][-1] == 429
    assert knock("192.0.2.2") == 200


def test_too_many_attempts_get_a_page_that_explains_it(person):
    knocking = Client()
    for _ in range(31):
        answer = knocking.post("/sign-in/", {"login": "nobody@example.com", "password": "x"})
    assert answer.status_code == 429 and "Wait a few minutes" in answer.content.decode()


def test_signing_in_continues_to_the_requested_page(client, person):
    assert client.get("/app/keys")["Location"] == "/sign-in/?next=/app/keys"
    answer = client.post("/sign-in/?next=/app/keys", {"login": person.email, "password": PASSWORD})
    assert answer["Location"] == "/app/keys"


def test_signing_in_never_redirects_to_another_site(client, person):
    answer = client.post("/sign-in/?next=https://evil.example/", {"login": person.email, "password": PASSWORD})
    assert answer["Location"] == "/app"


def test_signing_out(browser):
    assert browser.get("/sign-out/").status_code == 200
    assert browser.post("/sign-out/")["Location"] == "/sign-in/"
    assert browser.get("/app/account")["Location"].startswith("/sign-in/")


def test_a_password_reset_by_email_ends_every_session(client, person, browser, mailoutbox):
    client.post("/account/reset", {"email": person.email})
    landed = client.get(extract_link(mailoutbox[0]), follow=True)
    where = landed.request["PATH_INFO"]
    assert "set-password" in where
    client.post(where, {"password1": "another long password"})
    assert browser.get("/app/account")["Location"].startswith("/sign-in/")
    fresh = Client()
    assert "don’t match" in fresh.post("/sign-in/", {"login": person.email, "password": PASSWORD}).content.decode()
    assert fresh.post("/sign-in/", {"login": person.email, "password": "another long password"}).status_code == 302
    # it can be used once
    assert "Link expired" in Client().get(extract_link(mailoutbox[0]), follow=True).content.decode()
    assert mailoutbox[1].subject == "Your password was changed"


def test_without_a_mail_server_the_outbox_is_linked(client, person, settings):
    settings.LOOPBACK, settings.SMTP_HOST = True, ""
    sent = client.post("/account/reset", {"email": person.email}, follow=True).content.decode()
    assert 'href="/outbox"' in sent and "spam" not in sent
    settings.SMTP_HOST = "mail.example.com"
    sent = client.post("/account/reset", {"email": person.email}, follow=True).content.decode()
    assert "/outbox" not in sent and "spam" in sent


def test_without_access_to_the_outbox_the_administrator_is_named(client, person, settings):
    settings.LOCAL, settings.SMTP_HOST = True, ""
    make_person("ben@example.com", "Ben's Bar")
    new = {"person": "Cleo", "name": "Cleo's Bar", "trade": "cafe", "email": "cleo@example.com"}
    new |= {"password1": PASSWORD, "time_zone": "Europe/Lisbon"}
    for page, typed in (("/sign-up/", new), ("/account/reset", {"email": person.email})):
        sent = client.post(page, typed, follow=True).content.decode()
        assert "/outbox" not in sent and "Ask the administrator for a sign-in link" in sent
    assert client.get("/outbox").status_code == 404


def test_an_email_contains_a_button_and_its_url(client, person, mailoutbox):
    client.post("/account/reset", {"email": person.email})
    html = mailoutbox[0].alternatives[0][0]
    assert html.count(f'{extract_link(mailoutbox[0])}" style=') == 2 and "overflow-wrap:anywhere" in html


def test_requesting_a_reset_reveals_nothing_about_an_address(client, person, mailoutbox):
    known = client.post("/account/reset", {"email": person.email})
    unknown = client.post("/account/reset", {"email": "nobody@example.com"})
    assert (known.status_code, known["Location"]) == (unknown.status_code, unknown["Location"])
    assert [letter.subject for letter in mailoutbox] == ["Reset your password", "No account with this address"]


def test_changing_the_password_keeps_this_session_and_ends_the_others(person, browser, mailoutbox):
    other = sign_in(person)
    answer = browser.post("/account/password", {"oldpassword": PASSWORD, "password1": "another long password"})
    assert answer.status_code == 302, answer.content.decode()
    assert browser.get("/app/account").status_code == 200
    assert other.get("/app/account").status_code == 302
    assert mailoutbox[0].subject == "Your password was changed"


def test_the_email_changes_when_the_new_one_is_confirmed(person, browser, mailoutbox):
    browser.post("/account/email", {"action_add": "", "email": "new@example.com"})
    person.refresh_from_db()
    assert person.email == "ada@example.com"
    assert mailoutbox[0].to == ["new@example.com"]
    browser.post(extract_link(mailoutbox[0]))
    person.refresh_from_db()
    assert person.email == "new@example.com"
    # the old address is notified
    assert mailoutbox[1].to == ["ada@example.com"]


def test_an_email_that_another_person_signed_up_with_cannot_be_taken_over(client, person, browser, mailoutbox):
    new = {"person": "Bea", "name": "Bea", "trade": "other", "email": "bea@example.com", "password1": PASSWORD}
    client.post("/sign-up/", new)  # this email is never verified
    cache.clear()  # an address gets one such email in three minutes
    browser.post("/account/email", {"action_add": "", "email": "bea@example.com"})
    browser.post(extract_link(mailoutbox[-1]))
    assert "can’t use this address" in browser.get("/account/email").content.decode()
    person.refresh_from_db()
    assert person.email == "ada@example.com"


def test_changing_the_email_requires_a_recent_sign_in(person, browser, mailoutbox):
    go_stale(browser)
    answer = browser.post("/account/email", {"action_add": "", "email": "new@example.com"})
    assert answer["Location"].startswith("/account/confirm?") and not mailoutbox
    answer = browser.post(answer["Location"], {"password": PASSWORD})
    assert answer.status_code == 302 and mailoutbox[0].to == ["new@example.com"]
