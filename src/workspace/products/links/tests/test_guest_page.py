"""The guest page: cached, small, complete without scripts, with metadata for link previews."""

from __future__ import annotations

import io
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
import zxingcpp
from django.contrib.staticfiles import finders
from PIL import Image

from workspace.accounts.account_deletion import purge_account
from workspace.products.links.tests.pages import save
from workspace.testing.api import Api
from workspace.testing.links_guest import fetch_html, public_path, visit
from workspace.testing.pictures import picture

pytestmark = pytest.mark.django_db
BUDGET = 20_000  # bytes, without the picture
FIVE = [{"network": key, "url": "@corner"} for key in ("instagram", "facebook", "tiktok", "youtube", "x")]


def upload(api: Api) -> str:
    text: str = api.run("svc_upload_file", content=picture())["upload_id"]
    return text


class Read(HTMLParser):
    """A parser of the page's metadata, style sheets, pictures and scripts."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.meta: dict[str, str] = {}
        self.files: list[str] = []
        self.scripts = 0
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        result = {name: value or "" for name, value in attrs}
        if tag == "meta":
            self.meta[result.get("property") or result.get("name", "")] = result.get("content", "")
        if tag == "link" and result["rel"] in ("stylesheet", "icon"):
            self.files.append(result["href"])
        self.scripts += tag == "script"


def size_of(path: str) -> tuple[int, int]:
    """Return the bytes of the HTML, and of all files that it loads except pictures."""
    html = fetch_html(path)
    files = 0
    for file in Read(html).files:
        if file.startswith("/static/"):
            result = finders.find(file.removeprefix("/static/"))
            assert isinstance(result, str)
            files += Path(result).stat().st_size
        else:
            files += len(visit(file).content)
    return len(html.encode()), files


def test_a_typical_page_with_its_styles_is_under_20_kilobytes(api: Api) -> None:
    page = api.run("svc_links_create", title="Corner Café", bio="Coffee, cake and a quiet courtyard." * 3)
    api.run("svc_links_edit", page_id=page["id"], social_profiles=FIVE)
    for number in range(12):
        api.run("svc_links_add", page_id=page["id"], title=f"Our button number {number}", url="example.com", icon="☕")
    save(api, page["id"], kind="heading", title="Find us")
    html, files = size_of(public_path(page))
    assert html + files < BUDGET, (html, files)


def test_a_page_with_a_hundred_buttons_is_under_20_kilobytes(api: Api) -> None:
    titles = [f"Our button number {number}" for number in range(100)]
    buttons = [{"title": title, "url": "https://example.com", "icon": "☕"} for title in titles]
    page = api.run("svc_links_create", title="Corner Café", bio="Coffee", elements=buttons)
    html, files = size_of(public_path(page))
    assert html + files < BUDGET, (html, files)


def test_the_page_needs_no_scripts_and_sets_no_cookies(api: Api) -> None:
    page = api.run("svc_links_create", title="Links")
    response = visit(public_path(page))
    assert Read(response.content.decode()).scripts == 0
    assert not response.cookies


def test_an_etag_is_valid_until_the_page_changes(api: Api) -> None:
    page = api.run("svc_links_create", title="Links")
    link = api.run("svc_links_add", page_id=page["id"], title="One", url="example.com")
    other = api.run("svc_links_add", page_id=page["id"], title="Two", url="example.com")
    heading = save(api, page["id"], kind="heading", title="Find us")
    ids = {"page_id": page["id"]}
    item = {"id": link["id"]}
    changes: list[tuple[str, dict[str, Any]]] = [
        ("svc_links_edit", {**ids, "title": "New name"}),
        ("svc_links_edit", {**ids, "bio": "New bio"}),
        ("svc_links_edit", {**ids, "theme": "neon"}),
        ("svc_links_edit", {**ids, "social_profiles": FIVE}),
        ("svc_links_edit", {**ids, "share_title": "For sharing"}),
        ("svc_links_add", {**ids, "url": "example.org"}),
        ("svc_links_save", {**ids, "items": [{"kind": "text", "text": "A text"}]}),
        ("svc_links_save", {**ids, "items": [{**item, "title": "Uno"}]}),
        ("svc_links_save", {**ids, "items": [{**item, "is_on": False}]}),
        ("svc_links_save", {**ids, "order": [heading["id"], other["id"]]}),
        ("svc_links_delete", {"ids": [other["id"]]}),
        ("svc_undo", {}),
    ]
    for tool, arguments in changes:
        before = visit(public_path(page))
        assert visit(public_path(page), **{"if-none-match": before["ETag"]}).status_code == 304
        api.run(tool, **arguments)
        after = visit(public_path(page), **{"if-none-match": before["ETag"]})
        assert (after.status_code, after.content != before.content) == (200, True), (tool, arguments)


def test_link_previews_get_title_text_and_picture(api: Api) -> None:
    page = api.run("svc_links_create", title='Café "Corner"', bio="Coffee\nand cake", slug="corner")
    meta = Read(fetch_html("/l/corner")).meta
    assert (meta["og:title"], meta["og:description"]) == ('Café "Corner"', "Coffee and cake")
    assert meta["og:url"] == "http://127.0.0.1:8000/l/corner"
    api.run("svc_links_edit", page_id=page["id"], share_title="Come by", share_description="Open daily")
    meta = Read(fetch_html("/l/corner")).meta
    assert (meta["og:title"], meta["description"]) == ("Come by", "Open daily")
    # a picture chosen for previews fills them; any other picture is shown beside the text
    seen = {meta["og:image"]}
    for fields in ({"avatar_id": upload(api)}, {"share_image_id": upload(api)}):
        api.run("svc_links_edit", page_id=page["id"], **fields)
        url = Read(fetch_html("/l/corner")).meta["og:image"]
        assert url not in seen
        seen.add(url)
        with Image.open(io.BytesIO(visit(url.removeprefix("http://127.0.0.1:8000")).content)) as picture:
            assert picture.size == (1200, 630)
            corners = {picture.getpixel((5, 5)), picture.getpixel((1190, 5)), picture.getpixel((1190, 620))}
            assert (len(corners) == 1) is ("share_image_id" in fields)


def test_the_pages_qr_code_contains_its_printed_address(api: Api) -> None:
    page = api.run("svc_links_create", title="Links", slug="corner")
    response = visit("/l/corner.png")
    with Image.open(io.BytesIO(response.content)) as picture:
        [read] = zxingcpp.read_barcodes(picture)
    assert read.text == page["public_url"].upper() == "HTTP://127.0.0.1:8000/L/CORNER"
    assert visit("/l/corner.svg", **{"if-none-match": visit("/l/corner.svg")["ETag"]}).status_code == 304
    assert visit("/l/nothing.svg").status_code == 404


def test_a_theme_style_sheet_is_cached_permanently_only_at_its_current_url(api: Api) -> None:
    page = api.run("svc_links_create", title="Links", theme="forest")
    [sheet] = re.findall(r'data-sheet="(/l/themes/forest\.[0-9a-f]{10}\.css)"', fetch_html(public_path(page)))
    response = visit(sheet)
    assert "immutable" in response["Cache-Control"] and response["Content-Type"].startswith("text/css")
    assert visit("/l/themes/forest.0000000000.css")["Cache-Control"] == "no-cache"
    assert visit("/l/themes/nothing.0000000000.css").status_code == 404


@pytest.mark.parametrize("path", ["/l/unknown", "/l/" + "x" * 51, "/l/%00", "/l/ä", "/l/a/b/c", "/l/a%2Fb"])
def test_an_unknown_address_returns_a_friendly_404(path: str, db: None) -> None:
    assert visit(path).status_code == 404


def test_anyone_can_report_the_page(api: Api) -> None:
    page = api.run("svc_links_create", title="Links", slug="corner")
    assert 'href="/report/link/corner"' in fetch_html(public_path(page))
    assert visit("/report/link/corner").status_code == 200


def test_the_page_of_a_closed_account_is_gone(api: Api) -> None:
    page = api.run("svc_links_create", title="Links")
    api.run("svc_links_edit", page_id=page["id"], avatar_id=upload(api))
    link = api.run("svc_links_add", page_id=page["id"], url="example.com")
    purge_account(api.account)
    for path in (public_path(page), f"{public_path(page)}/{link['id']}"):
        assert visit(path).status_code == 410, path


def test_a_page_accepts_no_post(api: Api) -> None:
    page = api.run("svc_links_create", title="Links")
    assert visit(public_path(page), method="post").status_code == 405
