"""The webhooks page and its help article list exactly the events that exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.test import Client

from workspace import support
from workspace.accounts import plans
from workspace.delivery import webhooks
from workspace.testing.api import make_account

ARTICLE = Path(support.__file__).parent / "articles" / "account" / "19-push-to-other-programs.md"
PROMISED = {"form": "answers a form", "waiver": "signs a waiver"}


@pytest.mark.django_db
def test_the_page_names_each_event() -> None:
    client = Client()
    client.force_login(make_account().owner)
    page = client.get("/app/account/webhooks").content.decode()
    lead = re.search(r'<p class="lead">(.*?)</p>', page)
    assert lead is not None
    for event in webhooks.list_events():
        assert event.title.lower() in lead[1]


def test_the_article_names_exactly_the_products_that_send_events() -> None:
    text = ARTICLE.read_text().partition("\n\n")[2]
    sending = {event.product for event in webhooks.list_events()}
    assert sending == set(PROMISED), "a product that sends events is named in the article, and here"
    assert all(words in text for words in PROMISED.values())
    assert not re.search(r"\b(?:lead|booking|review|certificate)s?\b", text)
    assert sending < set(plans.PRODUCTS)
