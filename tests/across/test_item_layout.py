"""The item layout: the same tabs, switch and pages for all products that use it, with a preview of the guest page."""

from __future__ import annotations

import re
from datetime import timedelta
from html import unescape
from importlib import import_module
from types import ModuleType
from typing import Any
from urllib.parse import unquote

import pytest
import time_machine
from django.test import Client
from django.utils.translation import gettext, override

from tests.across.product_urls import samples_of
from workspace.analytics.visit_writer import record_visit
from workspace.dashboard.item_layout import ItemLayout
from workspace.lib import clock
from workspace.products import PRODUCT_NAMES
from workspace.publishing.duplication import copy_fields
from workspace.publishing.models import Publication, VisitCounter
from workspace.qr_symbols.style import PRESETS
from workspace.testing.api import Api
from workspace.testing.publications import build_guest

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


def _frame(name: str) -> ItemLayout | None:
    try:
        module: ModuleType = import_module(f"workspace.products.{name}.dashboard.item_layout")
    except ModuleNotFoundError:
        return None
    frame: ItemLayout = module.LAYOUT
    return frame


FRAMES = {name: frame for name in PRODUCT_NAMES if (frame := _frame(name))}
WITH_PAGES = [name for name, frame in FRAMES.items() if frame.has_page]


@pytest.fixture
def owner(api: Api) -> Client:
    client = Client(HTTP_USER_AGENT="Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0")
    client.force_login(api.account.owner)
    return client


def thing(name: str, api: Api) -> Any:
    samples_of(name).create_samples(api)
    return FRAMES[name].model._default_manager.select_related("publication").first()


def page_of(name: str, found: Any) -> str:
    return f"{FRAMES[name].home}/{found.pk}"


@pytest.mark.parametrize("name", FRAMES)
def test_tabs_have_the_same_order_on_every_page(name: str, api: Api, owner: Client) -> None:
    at = page_of(name, thing(name, api))
    labels = [tab.label for tab in FRAMES[name].tabs if not tab.submissions]
    came = [tab.label for tab in FRAMES[name].tabs if tab.submissions]
    wanted = [*labels, "Share", *came, "Analytics", "Settings"]
    for page in ("", "/share", "/results", "/settings"):
        html = owner.get(at + page).content.decode()
        tabs = re.search(r'<nav class="(?:tab-links|st-tabs)".*?</nav>', html, re.DOTALL)
        assert tabs is not None
        links = re.findall(r"<a [^>]*>(?:<svg.*?</svg>)?(?:<span>)?(.*?)(?:</span>)?</a>", tabs[0], re.DOTALL)
        told = [text.split(" <")[0] for text in links]
        assert told == wanted
        assert tabs[0].count("aria-current") == 1


@pytest.mark.parametrize("name", FRAMES)
def test_an_item_is_paused_and_resumed_from_any_of_its_pages(name: str, api: Api, owner: Client) -> None:
    found = thing(name, api)
    at = page_of(name, found)
    for on, checked in (("no", "false"), ("yes", "true")):
        sent = owner.post(f"{at}/state", {"on": on, "back": f"{at}/results"})
        assert (sent.status_code, sent["Location"]) == (303, f"{at}/results")
        shown = f'role="switch" aria-checked="{checked}"' in owner.get(at).content.decode()
        assert shown is (on == "no" or FRAMES[name].switch.is_offered(found)), (
            "what is on before it is shown needs no switch"
        )
    assert owner.post(f"{at}/state", {"on": "no", "back": "//evil.example"})["Location"] == at


@pytest.mark.parametrize("name", FRAMES)
def test_a_deleted_item_is_in_the_bin_and_can_be_restored(name: str, api: Api, stranger: Api, owner: Client) -> None:
    found = thing(name, api)
    deleted = owner.post(f"{page_of(name, found)}/delete")
    told = _undos(owner.get(deleted["Location"]).content.decode())
    html = owner.get("/app/bin").content.decode()
    assert str(found) in html
    assert _undos(html) == told != [], "the message and the bin offer the same"
    other = Client()
    other.force_login(stranger.account.owner)
    assert "No deleted items" in other.get("/app/bin").content.decode()
    assert owner.post("/app/undo", {"change_id": told[0], "back": "/app/bin"})["Location"] == "/app/bin"
    assert "Item restored." in owner.get("/app/bin").content.decode()
    assert FRAMES[name].model._default_manager.filter(pk=found.pk).exists()
    assert "No deleted items" in owner.get("/app/bin").content.decode()


def _undos(html: str) -> list[str]:
    return re.findall(r'name="change_id" value="([^"]+)"', html)


@pytest.mark.parametrize("name", WITH_PAGES)
def test_the_preview_shows_the_guest_page_only_to_its_owner_and_is_not_counted(
    name: str, api: Api, stranger: Api, owner: Client
) -> None:
    found = thing(name, api)
    path = f"{page_of(name, found)}/preview"
    shown = owner.get(path)
    assert shown.status_code == 200
    assert (
        "frame-ancestors 'self'" in shown["Content-Security-Policy"] and "sandbox" in shown["Content-Security-Policy"]
    )
    assert (shown["X-Frame-Options"], shown["Cache-Control"]) == ("SAMEORIGIN", "no-store")
    assert "<script" not in shown.content.decode()
    assert not VisitCounter.objects.filter(publication=found.publication).exists()
    guests = Client().get(found.public_url)
    assert "frame-ancestors 'none'" in guests["Content-Security-Policy"]
    other = Client()
    other.force_login(stranger.account.owner)
    assert other.get(path).status_code == 404
    assert Client().get(path).status_code == 302


@pytest.mark.parametrize("name", WITH_PAGES)
def test_the_preview_shows_paused_items_but_not_banned_ones(name: str, api: Api, owner: Client) -> None:
    found = thing(name, api)
    path = f"{page_of(name, found)}/preview"
    live = _unstamped(owner.get(path))
    of_this = Publication.objects.filter(pk=found.publication_id)
    of_this.update(paused_at=clock.now(), password="unusable")
    shown = owner.get(path)
    assert (shown.status_code, _unstamped(shown)) == (200, live)
    of_this.update(banned_at=clock.now())
    assert owner.get(path).status_code == 404


def _unstamped(page: Any) -> list[str]:
    """Return the lines of a page that do not change.

    Left out are the form's stamp, which contains the time, and live blocks, which may show this very item.
    """
    html = re.sub(r'<input type="hidden"[^>]*>|<section class="live">(?s:.*?)</section>', "", page.content.decode())
    return [line for line in html.splitlines() if line.strip()]


@pytest.mark.parametrize("name", FRAMES)
def test_a_list_links_to_the_pages_of_its_items(name: str, api: Api, owner: Client) -> None:
    found = thing(name, api)
    html = owner.get(FRAMES[name].home).content.decode()
    assert f'href="{page_of(name, found)}"' in html
    assert f'href="{page_of(name, found)}/share"' in html


@pytest.mark.parametrize("name", WITH_PAGES)
def test_the_qr_code_of_an_item_can_be_designed_like_a_qr_code(
    name: str, api: Api, stranger: Api, owner: Client
) -> None:
    found = thing(name, api)
    plain = Client().get(f"{found.public_url}.svg").content
    style = {f"style.{part}": str(value) for part, value in PRESETS["bistro"].model_dump().items()}
    page = f"/app/qr/styles/{found.pk}"
    assert f'href="{page}"' in owner.get(f"{page_of(name, found)}/share").content.decode()
    assert owner.get(page).status_code == 200
    assert PRESETS["bistro"].caption in unquote(owner.post(f"{page}/preview", style).content.decode())
    assert Client().get(f"{found.public_url}.svg").content == plain, "nothing is saved yet"
    saved = owner.post(page, style)
    assert (saved.status_code, saved["Location"]) == (303, f"{page_of(name, found)}/share")
    dressed = Client().get(f"{found.public_url}.svg").content
    assert dressed == owner.get("/files/qr/print", {"thing": found.pk, "format": "svg"}).content != plain
    api.run("svc_undo", change_id=api.run("svc_activity")["items"][0]["id"])
    assert Client().get(f"{found.public_url}.svg").content == plain
    assert stranger.refuse("svc_qr_style", thing=found.pk, preset="ink")["error"] == "not_found"
    other = Client()
    other.force_login(stranger.account.owner)
    assert other.get(page).status_code == 404


# a product's own copy tool defines other differences of a copy
@pytest.mark.parametrize(
    "name",
    [name for name, frame in FRAMES.items() if frame.copy and frame.copy.result_key != "chart" and name != "bid"],
)
def test_a_duplicate_has_the_same_content_at_a_new_address_and_is_not_more_public(
    name: str, api: Api, owner: Client
) -> None:
    frame, found = FRAMES[name], thing(name, api)
    style = PRESETS["soft"].model_dump()
    shut = {"paused_at": clock.now(), "password": "hash", "code_style": style}
    Publication.objects.filter(pk=found.publication_id).update(**shut)
    VisitCounter.objects.create(publication=found.publication, event="view", total=7)
    there = set(frame.model._default_manager.values_list("pk", flat=True))
    settings = owner.get(page_of(name, found) + "/settings").content.decode()
    assert f'action="{page_of(name, found)}/duplicate"' in settings
    answer = owner.post(page_of(name, found) + "/duplicate")
    [made] = frame.model._default_manager.exclude(pk__in=there).select_related("publication")
    assert answer["Location"] == page_of(name, made)
    page = owner.get(answer["Location"]).content.decode()
    assert "You are viewing the copy" in page and "Undo" in page
    found = frame.model._default_manager.select_related("publication").get(pk=found.pk)
    wanted, copied = copy_fields(found), copy_fields(made)
    assert copied.pop(frame.copy.title_argument) == f"{wanted.pop(frame.copy.title_argument)} (copy)"
    assert copied == wanted
    assert made.slug != found.slug and copied["live"] is False and copied["password"] == "hash"
    assert not VisitCounter.objects.filter(publication=made.publication).exists()
    assert all(
        not came.rows(api.account).filter(**{came.item_column: made.pk}).exists() for came in frame.product.submissions
    )
    Publication.objects.filter(pk=found.publication_id).update(banned_at=clock.now())
    refused = owner.post(page_of(name, found) + "/duplicate")
    assert "This item is blocked" in owner.get(refused["Location"]).content.decode()
    assert frame.model._default_manager.count() == len(there) + 1


@pytest.mark.parametrize("name", WITH_PAGES)
def test_sharing_a_blocked_item_says_that_guests_cannot_see_it(name: str, api: Api, owner: Client) -> None:
    found = thing(name, api)
    for page in (page_of(name, found), f"{page_of(name, found)}/share"):
        assert "Guests can’t see this page." not in owner.get(page).content.decode()
    Publication.objects.filter(pk=found.publication_id).update(banned_at=clock.now())
    for page in (page_of(name, found), f"{page_of(name, found)}/share"):
        assert "Guests can’t see this page." in owner.get(page).content.decode()


@pytest.mark.parametrize("name", FRAMES)
def test_analytics_compare_with_the_previous_days_if_the_plan_covers_them(name: str, api: Api, owner: Client) -> None:
    frame, found = FRAMES[name], thing(name, api)
    with time_machine.travel(clock.now() - timedelta(days=9), tick=False):
        record_visit(found.publication_id, frame.product.visit_event, build_guest("Ann"))
    url = f"{page_of(name, found)}/results"
    assert "1 fewer than in the previous 7 days" in owner.get(url, {"days": "7"}).content.decode()
    if frame.stats is not None:
        told = api.run(frame.stats.name, days=7, **{frame.id: found.pk})
        assert set(told["before"]) == set(frame.counts)
        assert "before" not in api.run(frame.stats.name, days=300, **{frame.id: found.pk})


@pytest.mark.parametrize("name", [name for name, frame in FRAMES.items() if frame.load_rows])
def test_a_list_can_be_searched_and_sorted(name: str, api: Api, owner: Client) -> None:
    frame, found = FRAMES[name], thing(name, api)
    for query in ({"sort": "name"}, {"sort": "changed"}, {"q": str(found)[:4]}, {"q": str(found)[:4], "sort": "name"}):
        answer = owner.get(frame.home, query)
        assert answer.status_code == 200 and f'href="{page_of(name, found)}"' in answer.content.decode(), query
    for query in ({"q": "nobodyiscalledso"}, {"q": "nobodyiscalledso", "sort": "changed"}):
        assert "No results for" in owner.get(frame.home, query).content.decode()
    assert owner.get(frame.home, {"sort": "'; drop", "offset": "99"}).status_code == 200


@pytest.mark.parametrize("name", [name for name, frame in FRAMES.items() if frame.website is not None])
def test_snippets_for_websites_contain_no_scripts_and_use_the_businesss_language(
    name: str, api: Api, owner: Client
) -> None:
    found = thing(name, api)
    api.run("svc_brand_edit", languages=["de"], colors=["#f2b705"])
    page = unescape(owner.get(f"{page_of(name, found)}/share").content.decode())
    assert f'<a href="{found.public_url}"><img src="{found.public_url}.svg"' in page
    if FRAMES[name].website:
        words = found.call_to_action
        with override("de"):
            assert gettext(words) != words
            assert f">{gettext(words)}</a>" in page and "background:#f2b705;color:#000000" in page
