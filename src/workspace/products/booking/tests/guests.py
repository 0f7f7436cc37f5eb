"""A guest with a browser without scripts, for tests. Forms are submitted with the fields that the page contains."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

from django.test import Client

from workspace.products.booking.domain.guest_links import link_path
from workspace.products.booking.models import Booking, Service


def page_of(service: Service, step: str = "") -> str:
    return f"/b/{service.page.publication.slug}{step}"


def link_of(booking: Booking, step: str = "") -> str:
    return f"/b/{booking.page.slug}{link_path(booking, step)}"


def hidden(html: str) -> dict[str, str]:
    results = re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)"', html)
    return {name: unescape(value) for name, value in results}


def offered(html: str) -> list[str]:
    return re.findall(r'type="radio" name="start" value="([^"]*)"', html)


def fill_in(service: Service, start: str, time_machine: Any, at: str = "/book", **fields: str) -> Any:
    """Fill in and submit the details for a time, after as many seconds as a person needs."""
    guest = Client()
    shown = guest.get(page_of(service, at), {"service": service.pk, "start": start})
    time_machine.shift(10)
    usual = {"name": "Ada King", "email": "ada@example.com", "question0": "Red"}
    return guest.post(page_of(service, at), {**hidden(shown.content.decode()), **usual, **fields})


def read_page(path: str, **query: str) -> str:
    """Return the HTML of a page. Fail if its status is not 200."""
    response = Client().get(path, query)
    assert response.status_code == 200, (path, response.status_code)
    return str(response.content.decode())
