"""Access to pages, and the account that a person works in."""

from __future__ import annotations

from django.conf import settings
from django.test import Client

from workspace.accounts.models import Account, Membership
from workspace.testing.api import make_account


def session_values(browser: Client) -> list[str]:
    return browser.get("/app/seen").content.decode().split(" ")


def test_a_visitor_is_sent_to_sign_in_and_returns(db: None) -> None:
    response = Client().get("/app/seen?tab=2")
    assert response.status_code == 302
    assert response.headers["Location"] == f"{settings.LOGIN_URL}?next=/app/seen%3Ftab%3D2"


def test_after_a_visitors_form_sign_in_does_not_return_to_its_target(db: None) -> None:
    assert Client().post("/app/seen").headers["Location"] == f"{settings.LOGIN_URL}?next=/app"


def test_a_visitors_request_for_a_part_reloads_the_whole_page(db: None) -> None:
    response = Client().get("/app/seen", headers={"hx-request": "true"})
    assert (response.status_code, response.headers["HX-Refresh"]) == (204, "true")


def test_the_view_uses_the_persons_account_without_a_quota(browser: Client, account: Account) -> None:
    assert session_values(browser) == [account.pk, "None", str(account.owner)]


def test_pages_are_never_stored(browser: Client) -> None:
    assert browser.get("/app/seen").headers["Cache-Control"] == "no-store"


def test_a_member_may_switch_to_another_account(browser: Client, account: Account) -> None:
    other = make_account(name="Other Shop")
    Membership.objects.create(account=other, person=account.owner, role=Membership.EDITOR)
    assert "Other Shop" in browser.get("/app/switch").content.decode()
    response = browser.post("/app/switch", {"account": other.pk})
    assert response.headers["Location"] == "/app"
    assert session_values(browser)[0] == other.pk


def test_no_one_can_switch_to_the_account_of_another(browser: Client, account: Account) -> None:
    other = make_account(name="Other Shop")
    for chosen in (other.pk, "", "x" * 500, "acc\x00"):
        assert browser.post("/app/switch", {"account": chosen}).headers["Location"] == "/app/switch"
    assert session_values(browser)[0] == account.pk


def test_leaving_the_selected_account_falls_back_to_the_first(browser: Client, account: Account) -> None:
    other = make_account()
    membership = Membership.objects.create(account=other, person=account.owner, role=Membership.EDITOR)
    browser.post("/app/switch", {"account": other.pk})
    membership.delete()
    assert session_values(browser)[0] == account.pk


def test_a_person_without_an_account_gets_a_helpful_page(browser: Client, account: Account) -> None:
    Membership.objects.all().delete()
    response = browser.get("/app/seen")
    assert response.status_code == 403
    assert "You don’t belong to an account" in response.content.decode()


def test_an_unknown_page_shows_the_navigation_to_signed_in_people(browser: Client, account: Account) -> None:
    page = browser.get("/app/nothing-here")
    html = page.content.decode()
    assert page.status_code == 404 and "Page not found" in html
    assert account.name in html and 'aria-label="Main"' in html and 'href="/app">Go to Home' in html


def test_an_unknown_page_shows_no_navigation_to_visitors(db: None) -> None:
    html = Client().get("/app/nothing-here").content.decode()
    assert "Page not found" in html and 'aria-label="Main"' not in html
