"""The label of a page in the navigation and in the search is the page's title."""

from __future__ import annotations

import html
import re

import pytest
from django.test import Client

from workspace.accounts.models import Account
from workspace.dashboard import navigation
from workspace.dashboard.navigation import SearchablePage

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
# pages with a greeting or the name of the business as a title
NAMED_OTHERWISE = ["/app", "/app/account"]
PAGES = [page for page in navigation.list_searchable_pages() if not page.url.startswith("/help/")]


@pytest.mark.parametrize("page", [pytest.param(page, id=page.url) for page in PAGES])
def test_the_title_of_a_page_is_its_label(page: SearchablePage, account: Account) -> None:
    browser = Client()
    browser.force_login(account.owner)
    answer = browser.get(page.url, follow=True)
    titles = [_strip_markup(title) for title in re.findall(r"<h1[^>]*>(.*?)</h1>", answer.content.decode(), re.DOTALL)]
    if page.url not in NAMED_OTHERWISE:
        assert titles[:1] == [str(page.title)]


def _strip_markup(title: str) -> str:
    return " ".join(html.unescape(re.sub(r"<[^>]+>", "", title)).split())
