"""The demo data of link pages, which is always the same."""

from __future__ import annotations

import pytest

from workspace.products.links.hooks import demo
from workspace.products.links.models import Page
from workspace.testing.api import make_api
from workspace.testing.links_guest import fetch_html

pytestmark = pytest.mark.django_db


def test_the_demo_page_has_buttons_and_weeks_of_clicks() -> None:
    api = make_api()
    demo.fill_account(api.account)
    page = Page.objects.get()
    stats = api.run("svc_links_stats", page_id=page.pk)
    assert stats["total_in_days"] > 300
    assert 0.3 < stats["click_through_rate"] < 0.6
    assert all(row["clicks"] for row in stats["clicks_by_link"][:6])
    assert api.account.name in fetch_html(f"/l/{page.publication.slug}")
