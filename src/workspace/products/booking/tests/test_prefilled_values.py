"""Prefilled values are passed from step to step, and the page can be embedded on the allowed websites."""

from __future__ import annotations

import re
from html import unescape
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client

from workspace.accounts.models import Account
from workspace.products.booking.models import Booking, Service
from workspace.products.booking.tests.guests import hidden, offered, page_of
from workspace.products.booking.tests.pages import make_service, tomorrow

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
FILLED = {"name": "Zoë & Söhne", "email": "zoe@example.com", "phone": "+43 1 234", "zone": "Asia/Tokyo"}


@pytest.fixture
def service(account: Account) -> Service:
    service = make_service(account)
    make_service(account, page=service.page)
    return Service.objects.select_related("page__publication").get(pk=service.pk)


def _values(html: str) -> dict[str, str]:
    fields = re.findall(r"<input[^>]*>", html)
    result = {re.search(r'name="(\w+)"', field): re.search(r'value="([^"]*)"', field) for field in fields}
    return {name[1]: unescape(value[1]) for name, value in result.items() if name and value}


def test_prefilled_values_are_in_the_form_after_all_steps(service: Service) -> None:
    guest, day = Client(), f"{tomorrow(days=3).date()}"
    led = guest.get(page_of(service), {**FILLED, "service": service.pk, "date": day})
    data = {name: values[0] for name, values in parse_qs(urlsplit(led["Location"]).query).items()}
    assert data == {**FILLED, "service": service.pk, "date": day}
    month = guest.get(led["Location"]).content.decode()
    assert hidden(month)["name"] == FILLED["name"] and "Asia/Tokyo" in month
    later = re.findall(r'href="([^"]*)"[^>]*data-turn', month)
    assert later and all("name=Zo%C3%AB+%26+S%C3%B6hne" in unescape(link) for link in later)
    form = guest.get(page_of(service, "/book"), {**hidden(month), "start": offered(month)[0]}).content.decode()
    values = _values(form)
    assert [values[name] for name in ("name", "email", "phone", "zone")] == list(FILLED.values())


def test_invalid_prefilled_values_are_ignored(service: Service) -> None:
    hostile = {
        "name": "<script>\x00\u202e" + "x" * 5000,
        "email": "no address",
        "zone": "../../etc/passwd",
        "date": "9999-99-99",
    }
    start = tomorrow().isoformat()
    html = Client().get(page_of(service, "/book"), {**hostile, "service": service.pk, "start": start}).content.decode()
    values = _values(html)
    assert values["name"].startswith("<script>x") and len(values["name"]) <= 254
    assert "<script>x" not in html and values["zone"] == "UTC"
    assert Client().get(page_of(service), {"service": "svc_none"}).status_code == 200


@pytest.mark.parametrize(("hosts", "allowed"), [([], False), (["shop.example"], True), (["other.example"], False)])
def test_it_can_be_embedded_only_on_the_allowed_websites(service: Service, hosts: list[str], allowed: bool) -> None:
    service.page.hosts = hosts
    service.page.save()
    around = {
        "HTTP_REFERER": "https://shop.example/",
        "HTTP_SEC_FETCH_DEST": "iframe",
        "HTTP_SEC_FETCH_SITE": "cross-site",
    }
    for step in ("", "/times", "/book"):
        query = {"service": service.pk, "start": tomorrow().isoformat()} if step else {}
        plain = Client().get(page_of(service, step), query)
        assert "frame-ancestors 'none'" in plain["Content-Security-Policy"], "the page itself stands in no frame"
        part: Any = Client().get(
            page_of(service, step) + "/embed" if not step else _framed(service, step), query, **around
        )
        assert part.status_code == 200
        assert ("shop.example" in part["Content-Security-Policy"]) is allowed
        assert (service.name in part.content.decode()) is allowed


def _framed(service: Service, step: str) -> str:
    return page_of(service, f"/embed{step}")


def test_a_form_from_another_origin_books_nothing(service: Service) -> None:
    start = tomorrow().isoformat()
    fields = {"service": service.pk, "start": start, "name": "Ada", "email": "ada@example.com"}
    Client().post(
        page_of(service, "/book"), fields, HTTP_ORIGIN="https://evil.example", HTTP_SEC_FETCH_SITE="cross-site"
    )
    assert not Booking.objects.exists()
