"""A form in an iframe on its owner's website. All of its pages can be embedded there, and on no other website."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from django.test import Client

from workspace.products.form.models import Response
from workspace.products.form.tests.guest import Guest
from workspace.testing.api import Api
from workspace.testing.samples.form import make_form

pytestmark = pytest.mark.django_db


def test_every_response_in_an_iframe_can_be_embedded(api: Api, time_machine: Any) -> None:
    time_machine.move_to(datetime(2026, 4, 2, 12, tzinfo=UTC))
    Guest.clock = time_machine
    thank_you = {"text": "See you!", "redirect_url": "https://www.example.com/thanks"}
    form = make_form(api, hosts=["https://www.example.com/book"], thank_you=thank_you)
    at = f"/f/{form['slug']}"
    may = "frame-ancestors 'self' www.example.com"
    guest = Guest(f"{at}/embed?theme=dark&lang=de")
    steps: list[dict[str, Any]] = [{}, {"menu": "yes"}, {"guests": "4"}, {"go": "back"}, {}, {"name": "Ada"}]
    for answers in steps:
        assert may in guest.response["Content-Security-Policy"] and not guest.response.cookies
        assert guest.sheet.action == f"{at}/embed?theme=dark&lang=de"
        guest.send(**answers)
    [stored] = Response.objects.all()
    assert guest.response["Location"] == f"{at}/embed/thanks?number={stored.reference}&theme=dark&lang=de"
    thanks = guest.client.get(guest.response["Location"])
    html = thanks.content.decode()
    assert may in thanks["Content-Security-Policy"] and "-dark." in html and "See you!" in html
    # another page is not opened in the iframe: there is a link, which the website's script follows
    assert 'href="https://www.example.com/thanks" target="_top" data-onward' in html
    assert "'none'" in guest.client.get(at)["Content-Security-Policy"].partition("frame-ancestors")[2]

    asked = {"sec-fetch-dest": "iframe", "referer": "https://other.example/", "user-agent": "Mozilla/5.0 Firefox/140.0"}
    refused = Client(headers=asked).get(f"{at}/embed")
    assert "be embedded here yet" in refused.content.decode() and "Party" not in refused.content.decode()
    result = api.run("svc_form_get", id=form["id"])
    assert (result["hosts"], result["refused"]) == (["www.example.com"], [{"host": "other.example", "times": 1}])
    assert result["script"] == f'<script src="{form["public_url"]}/widget.js" async></script>'
