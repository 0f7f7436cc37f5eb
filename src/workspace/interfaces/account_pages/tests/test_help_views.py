"""Help articles: public, searchable in everyday words, and linked on the pages they are about."""

from __future__ import annotations

import re

import pytest
from django.contrib.staticfiles import finders
from django.test import Client
from django.urls import Resolver404, resolve

from workspace.accounts.models import Account
from workspace.accounts.plans import PRODUCTS
from workspace.interfaces.account_pages.support_views import PRODUCT_NAMES
from workspace.products import list_manifests
from workspace.support import help_articles
from workspace.testing.api import Api

pytestmark = pytest.mark.django_db
PART = {"HX-Request": "true"}


@pytest.fixture
def owner(account: Account) -> Client:
    client = Client()
    client.force_login(account.owner)
    return client


@pytest.mark.any_database
def test_every_product_has_articles_with_unique_slugs() -> None:
    assert {one.product for one in help_articles.list_articles()} == {key for key in PRODUCT_NAMES if key} | {*PRODUCTS}
    slugs = [one.slug for one in help_articles.list_articles()]
    assert len(slugs) == len(set(slugs)) >= 40


@pytest.mark.any_database
def test_an_article_is_short_and_its_links_and_pictures_exist() -> None:
    for one in help_articles.list_articles():
        assert 40 <= len(one.text.split()) <= 250, one.slug
        assert one.words and one.pages, one.slug
        assert re.search(r"^1\. ", one.steps, re.MULTILINE) and one.problems.startswith("- "), one.slug
        assert one.related and one.slug not in one.related, one.slug
        assert len(one.related_articles) == len(one.related), one.related
        assert not one.picture or finders.find(one.picture_file), f"bin/pictures takes {one.slug}"
        own = [url.replace("/app/*/*", "/app/card/some_1") for url in one.pages if not url.endswith("/*")]
        for url in [*own, *re.findall(r"\]\((/[^)]*)\)", one.text)]:
            try:
                resolve(url.replace("*", "some_1").partition("?")[0])
            except Resolver404:
                raise AssertionError(f"{one.slug}: {url} leads nowhere") from None
        linked = re.findall(r"\(/help/([^)]*)\)", one.text)
        assert all(help_articles.find_article(slug) for slug in linked), linked


@pytest.mark.any_database
@pytest.mark.parametrize(
    ("said", "slug"),
    [
        ("How do I change where my printed sticker leads?", "change-where-a-code-leads"),
        ("guest wants her data deleted (GDPR)", "guests-data"),
        ("a dish is sold out today", "sold-out-and-prices"),
        ("why can nobody book at 10:00, it is not free", "why-is-a-time-not-free"),
        ("connect Claude", "connect-an-assistant"),
        ("google calendar", "connect-your-calendar"),
        ("iPad at the counter", "sign-on-a-tablet"),
        ("export responses to excel", "read-the-answers"),
        ("embed reviews in my website", "reviews-on-your-website"),
        ("wedding tables automatic", "seat-everybody"),
        ("I deleted my menu by mistake", "take-something-back"),
        ("participants from a csv, send each a diploma", "issue-certificates"),
        ("passwor", "secure-your-sign-in"),
    ],
)
def test_a_question_in_everyday_words_finds_the_article(said: str, slug: str) -> None:
    assert slug in [one.slug for one in help_articles.search_articles(said, limit=3)]


@pytest.mark.any_database
def test_nonsense_finds_nothing_and_the_longest_question_is_searched_quickly() -> None:
    assert (
        help_articles.search_articles("xyzzy plugh")
        == help_articles.search_articles("")
        == help_articles.search_articles("how do I the")
        == []
    )
    assert help_articles.search_articles("menu code booking " * 2000)


def test_help_is_public_and_inside_the_dashboard_for_owners(owner: Client, api: Api) -> None:
    api.run("svc_card_create", full_name="Jane")
    stranger = Client()
    page = stranger.get("/help")
    assert page.status_code == 200 and "Create a QR code" in page.content.decode()
    assert 'class="side"' not in page.content.decode()
    whole = owner.get("/help/make-a-code")
    text = whole.content.decode()
    assert 'class="side"' in text and 'href="/app/card"' in text and "<ol>" in text and "help/make-a-code" in text
    assert text.index("<ol>") < text.index("help/make-a-code.webp") < text.index("If something goes wrong</h2>")
    assert 'href="/help/change-where-a-code-leads"' in text[text.index("Related articles</h2>") :]
    assert "no-store" in whole["Cache-Control"]
    assert stranger.get("/help/make-a-code").status_code == 200
    assert stranger.get("/help/no-such-thing").status_code == 404
    part = stranger.get("/help", {"q": "sold <out>"}, headers=PART).content.decode()
    assert "/help/sold-out-and-prices" in part and "<h1" not in part
    assert "No articles match your search" in stranger.get("/help", {"q": "xyzzy"}).content.decode()
    assert stranger.get("/help", {"q": "\0"}).status_code == 200


def test_articles_are_linked_on_their_pages_in_support_and_in_search(owner: Client) -> None:
    assert 'href="/help/many-codes-at-once"' in owner.get("/app/qr/bulk").content.decode()
    assert "page-help" not in owner.get("/app/tools").content.decode()
    asking = owner.get("/app/support?about=qr").content.decode()
    assert 'hx-get="/help/suggested"' in asking
    assert re.search(r'<option value="qr"[^>]* selected', asking)
    told = owner.get("/help/suggested", {"subject": "Printed code", "message": "leads to the wrong page"}).content
    assert b"/help/change-where-a-code-leads" in told
    assert owner.get("/help/suggested").content.strip() == b""
    found = owner.get("/app/search", {"q": "sold out"}, headers=PART).content.decode()
    assert "/help/sold-out-and-prices" in found


@pytest.mark.any_database
def test_the_pages_of_every_product_have_help() -> None:
    for product in list_manifests():
        assert help_articles.articles_for_page(product.home), product.key
        assert help_articles.articles_for_page(f"{product.home}/some_1"), product.key


def test_agents_find_articles_on_request(api: Api) -> None:
    rows = api.run("svc_search", q="where does a printed code lead?", kinds=["help"])["items"]
    first = next(one for one in rows if one["id"] == "change-where-a-code-leads")
    assert (first["kind"], first["page"].endswith("/help/change-where-a-code-leads")) == ("help", True)
    assert api.run("svc_search", q="sold out")["items"] == []
    both = api.run("svc_search", q="sold out", kinds=["menu", "help"], limit=1)
    assert (len(both["items"]), both["total"]) == (1, len(help_articles.search_articles("sold out")))
    assert api.run("svc_search", q="", kinds=["help"])["total"] == 0
