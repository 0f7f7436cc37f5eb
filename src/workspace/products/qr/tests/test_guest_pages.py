"""Guest pages of codes that do not redirect."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client

from workspace.lib import clock
from workspace.products.qr.models import Code
from workspace.products.qr.tests.guests import scan
from workspace.publishing.models import Publication
from workspace.testing.api import Api

pytestmark = pytest.mark.django_db


def publication(code: dict) -> Publication:
    return Code.objects.get(pk=code["id"]).publication


def text(response) -> str:
    assert response["X-Robots-Tag"] == "noindex" and response["Cache-Control"] == "no-store"
    assert not response.cookies
    return response.content.decode()


def test_an_unknown_code_shows_the_typed_address(db: None) -> None:
    response = scan("abcd-2345")
    assert response.status_code == 404
    assert "127.0.0.1:8000/q/abcd-2345" in text(response) and "look too similar" not in text(response)
    assert "look too similar" in text(scan("abc0"))


@pytest.mark.parametrize("slug", ["%3Cscript%3E", "%E2%80%AEabc", "a%20b", "%00"])
def test_an_invalid_address_is_not_repeated_on_the_page(slug: str, db: None) -> None:
    response = Client().get(f"/q/{slug}")
    assert response.status_code == 404
    assert "<script>" not in response.content.decode() and 'class="address"' not in response.content.decode()


def test_a_paused_code_names_the_business(api: Api, code: dict) -> None:
    api.run("svc_qr_edit", id=code["id"], live=False)
    response = scan(code)
    assert response.status_code == 404
    assert "Corner Café has paused this page" in text(response)
    assert f"/report/qr/{code['slug']}" in text(response)


def test_an_expired_code_shows_a_notice(code: dict) -> None:
    publication(code).set_expiry(clock.now() - timedelta(seconds=1))
    response = scan(code)
    assert response.status_code == 404 and "This page has expired" in text(response)


def test_a_code_works_until_the_moment_it_expires(code: dict) -> None:
    publication(code).set_expiry(clock.now() + timedelta(minutes=1))
    assert scan(code).status_code == 302


def test_a_banned_code_does_not_redirect_and_names_no_one(code: dict) -> None:
    publication(code).ban("phishing")
    response = scan(code)
    assert response.status_code == 404
    assert "taken down by the administrator" in text(response)
    assert "Corner" not in text(response) and "phishing" not in text(response)
    assert scan(code["slug"] + ".svg").status_code == 404
    assert "example.com" not in text(scan(code["slug"] + "+"))


def test_the_inspect_page_shows_the_host_and_since_when(api: Api, code: dict) -> None:
    api.run("svc_qr_update_target", id=code["id"], target_url="https://xn--mnchen-3ya.example/karte?a=1&b=2")
    response = scan(code["slug"].upper() + "+")
    page = text(response)
    assert response.status_code == 200
    assert "<h1>xn--mnchen-3ya.example</h1>" in page and "münchen.example" in page
    assert "https://xn--mnchen-3ya.example/karte?a=1&amp;b=2" in page and "Continue to" in page
    assert "It has opened this destination since" in page


def test_the_inspect_page_of_an_unchanged_code_shows_only_its_creation_date(code: dict) -> None:
    assert "since" not in text(scan(code["slug"] + "+"))


def test_the_inspect_page_hides_a_protected_destination(api: Api, code: dict) -> None:
    api.run("svc_qr_edit", id=code["id"], password="secret")
    page = text(scan(code["slug"] + "+"))
    assert "example.com" not in page and "password-protected" in page


@pytest.mark.parametrize("method", ["put", "delete", "patch", "options"])
def test_other_methods_are_refused(method: str, code: dict) -> None:
    response = getattr(Client(), method)(f"/q/{code['slug']}")
    assert (response.status_code, response["Allow"]) == (405, "GET, HEAD")


def test_the_report_form_is_available(code: dict) -> None:
    assert Client().get(f"/report/qr/{code['slug']}").status_code == 200
