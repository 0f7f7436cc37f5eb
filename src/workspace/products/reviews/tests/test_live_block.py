from __future__ import annotations

import pytest

from workspace.accounts.models import Account
from workspace.products.reviews import models
from workspace.publishing import live_blocks
from workspace.testing.api import Api
from workspace.testing.reviews_guest import open_page, send

pytestmark = pytest.mark.django_db


def test_the_block_shows_the_newest_approved_testimonial(
    account: Account, api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard: list[str] = []
    monkeypatch.setattr(live_blocks, "_listeners", [lambda account, kind: heard.append(kind)])
    page = open_page(account)
    send(page, text="Older.")
    send(page, text="Newer.", rating="4")
    send(page, text="Not approved.")
    assert live_blocks.find_block("review", account, page.pk) is None
    for text in ("Older.", "Newer."):
        api.run("svc_reviews_approve", page_id=page.pk, item_id=models.Testimonial.objects.get(text=text).pk)
    assert "review" in heard
    live_block = live_blocks.find_block("review", account, page.pk)
    assert live_block is not None
    assert live_block.lines == ("“Newer.”", "★★★★☆ 4 out of 5 · Ida Stern")
    assert live_block.url == f"/r/{page.slug}/wall"
    page.pause()
    assert live_blocks.find_block("review", account, page.pk) is None


def test_long_text_is_shortened_at_a_space(account: Account) -> None:
    page = open_page(account)
    send(page, text="lovely " * 60)
    models.Testimonial.objects.update(status="approved")
    live_block = live_blocks.find_block("review", account, page.pk)
    assert live_block is not None
    assert live_block.lines[0].endswith("lovely …”") and len(live_block.lines[0]) < 230
