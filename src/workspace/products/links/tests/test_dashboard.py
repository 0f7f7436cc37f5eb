"""Dashboard pages of link pages: all writes go through the tools, with and without scripts."""

from __future__ import annotations

import io
import re
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from PIL import Image

from workspace.products.links.models import Element, Page
from workspace.products.links.tests.pages import buttons, get_page
from workspace.publishing.models import Visit
from workspace.testing.api import Api, make_account, make_api
from workspace.testing.links_guest import public_path, visit
from workspace.testing.samples import links as samples  # noqa: F401 - its live block shows pages

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}


@pytest.fixture
def owner(api: Api) -> Client:
    client = Client()
    client.force_login(api.account.owner)
    return client


@pytest.fixture
def page(api: Api) -> dict[str, Any]:
    result: dict[str, Any] = api.run("svc_links_create", title="Corner Café", slug="corner")
    for title in ("One", "Two", "Three"):
        api.run("svc_links_add", page_id=result["id"], title=title, url=f"example.com/{title}")
    return dict(get_page(api, result["id"]))


def titles() -> list[str]:
    return [element.title for element in Element.objects.order_by("position")]


def post(client: Client, path: str, data: dict[str, Any] | None = None, **headers: str) -> Any:
    return client.post(path, data or {}, headers=headers)


def test_every_page_requires_a_signed_in_member_of_the_account(page: dict[str, Any]) -> None:
    url = f"/app/links/{page['id']}"
    link = f"{url}/links/{buttons(page)[0]['id']}"
    paths = [
        url,
        *(f"{url}/{tab}" for tab in ("look", "results", "settings", "share", "delete", "preview", "export.json")),
        link,
    ]
    other = Client()
    other.force_login(make_account().owner)
    for path in ("/app/links", "/app/links/new", "/app/links/import", *paths):
        assert Client().get(path).status_code == 302, path
    for path in paths:
        assert other.get(path).status_code == 404, path
    for path in (f"{url}/state", f"{url}/order", f"{link}/up", f"{link}/off", f"{link}/remove"):
        assert post(other, path).status_code == 404, path
    assert Page.objects.get().publication.state == "live" and Element.objects.count() == 3


def test_all_pages_open_for_their_owner(owner: Client, page: dict[str, Any]) -> None:
    url = f"/app/links/{page['id']}"
    link = f"{url}/links/{buttons(page)[0]['id']}"
    for path in ("/app/links", "/app/links/new", "/app/links/import", url, link, f"{link}/remove"):
        assert owner.get(path).status_code == 200, path
    for tab in ("look", "share", "results", "settings", "delete", "preview"):
        assert owner.get(f"{url}/{tab}").status_code == 200, tab


def test_creating_a_page_redirects_to_its_buttons(owner: Client) -> None:
    response = post(owner, "/app/links/new", {"title": "Corner Café", "slug": "corner", "theme": "forest", "bio": ""})
    made = Page.objects.get()
    assert (response.status_code, response["Location"]) == (303, f"/app/links/{made.pk}?made")
    assert (made.theme, made.publication.slug) == ("forest", "corner")
    html = owner.get(response["Location"]).content.decode()
    assert "Ready to share" not in html, "guests would see an empty page"
    post(owner, f"/app/links/{made.pk}/add/link", {"url": "https://example.com", "title": "Website"})
    assert "Ready to share" in owner.get(response["Location"]).content.decode()


def test_an_invalid_form_shows_the_input_and_errors(owner: Client, page: dict[str, Any]) -> None:
    response = post(owner, f"/app/links/{page['id']}/add/link", {"url": "javascript:alert(1)", "title": "Mine"})
    html = response.content.decode()
    assert response.status_code == 422
    assert 'value="Mine"' in html and "Only http and https" in html
    assert titles() == ["One", "Two", "Three"]


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        ("link", {"url": "example.com"}),
        ("heading", {"title": "Find us"}),
        ("text", {"text": "Open daily"}),
    ],
)
def test_every_element_is_added_at_the_end(
    kind: str, data: dict[str, str], owner: Client, page: dict[str, Any]
) -> None:
    assert post(owner, f"/app/links/{page['id']}/add/{kind}", data).status_code == 303
    assert Element.objects.order_by("position").last().kind == kind


def test_arrows_move_a_button_without_scripts(owner: Client, page: dict[str, Any]) -> None:
    url = f"/app/links/{page['id']}/links/{buttons(page)[2]['id']}"
    assert post(owner, f"{url}/up").status_code == 303
    assert titles() == ["One", "Three", "Two"]
    post(owner, f"{url}/down")
    post(owner, f"{url}/down")  # it is at the end already
    assert titles() == ["One", "Two", "Three"]
    post(owner, f"{url}/first")
    assert titles() == ["Three", "One", "Two"]
    post(owner, f"{url}/last")
    assert titles() == ["One", "Two", "Three"]


def test_with_scripts_the_list_is_returned_with_a_message(owner: Client, page: dict[str, Any]) -> None:
    ids = [button["id"] for button in buttons(page)]
    response = post(owner, f"/app/links/{page['id']}/order", {"order": ids[::-1]}, **HTMX)
    html = response.content.decode()
    assert html.lstrip().startswith("<section") and "Order saved." in html
    assert titles() == ["Three", "Two", "One"]


def test_with_scripts_a_button_is_edited_in_place(owner: Client, page: dict[str, Any]) -> None:
    item = buttons(page)[0]["id"]
    url = f"/app/links/{page['id']}/links/{item}"
    form = owner.get(url, headers={"HX-Request": "true"}).content.decode()
    assert "<html" not in form and 'hx-target="#elements"' in form
    refused = post(owner, url, {"url": "javascript:x"}, **HTMX)
    assert (refused.status_code, refused["HX-Retarget"]) == (422, f"#edit-{item}")
    html = post(owner, url, {"url": "example.org", "title": "Uno"}, **HTMX).content.decode()
    assert html.lstrip().startswith("<section") and titles() == ["Uno", "Two", "Three"]
    assert re.search(r"<a [^>]*data-focus>Uno", html), "one goes on where one was"


def test_a_switch_turns_a_button_off_and_on(owner: Client, page: dict[str, Any]) -> None:
    url = f"/app/links/{page['id']}/links/{buttons(page)[0]['id']}"
    html = post(owner, f"{url}/off", **HTMX).content.decode()
    assert 'aria-checked="false"' in html and "is hidden" in html
    assert not Element.objects.get(title="One").is_on
    post(owner, f"{url}/on")
    assert Element.objects.get(title="One").is_on


def test_a_button_is_changed_scheduled_and_removed(owner: Client, page: dict[str, Any]) -> None:
    url = f"/app/links/{page['id']}/links/{buttons(page)[0]['id']}"
    data = {"url": "example.org", "title": "Uno", "icon": "☕", "_has": "is_on", "shows_from": "2030-01-01T10:00"}
    assert post(owner, url, data).status_code == 303
    element = Element.objects.get(pk=buttons(page)[0]["id"])
    assert (element.url, element.title, element.icon, element.is_on) == ("https://example.org", "Uno", "☕", False)
    assert element.shows_from is not None and element.shows_from.year == 2030
    cleared = {**data, "title": "", "icon": "", "shows_from": ""}
    assert post(owner, url, cleared).status_code == 303
    element.refresh_from_db()
    assert (element.url, element.title, element.icon, element.shows_from) == ("https://example.org", "", "", None)
    assert post(owner, f"{url}/remove").status_code == 303
    assert titles() == ["Two", "Three"]


def test_the_design_accepts_a_picture_a_theme_and_profiles(owner: Client, page: dict[str, Any]) -> None:
    out = io.BytesIO()
    Image.new("RGB", (300, 300), "#123456").save(out, "JPEG")
    data = {
        "title": "Corner Café",
        "bio": "Coffee",
        "theme": "neon",
        "avatar": SimpleUploadedFile("me.jpg", out.getvalue(), "image/jpeg"),
        "_has": "social_profiles",
        "social_profiles.0.network": "instagram",
        "social_profiles.0.url": "@corner",
        "social_profiles.1.network": "facebook",
        "social_profiles.1.url": "",
    }
    assert post(owner, f"/app/links/{page['id']}/look", data).status_code == 303
    stored = Page.objects.get()
    assert (stored.bio, stored.theme, stored.avatar.use_count) == ("Coffee", "neon", 1)
    assert stored.social_profiles == [{"network": "instagram", "url": "https://www.instagram.com/corner"}]
    assert f"/pictures/{stored.avatar_id}/192" in Client().get("/l/corner").content.decode()
    post(owner, f"/app/links/{page['id']}/look", {"title": "Corner Café", "avatar_id": ["x", ""]})
    assert Page.objects.get().avatar is None


def test_a_file_that_is_not_a_picture_is_refused(owner: Client, page: dict[str, Any]) -> None:
    data = {"title": "Corner", "avatar": SimpleUploadedFile("me.jpg", b"no picture", "image/jpeg")}
    response = post(owner, f"/app/links/{page['id']}/look", data)
    assert (response.status_code, "Choose a PNG, JPEG" in response.content.decode()) == (422, True)


def test_the_preview_shows_unsaved_input_and_does_not_save_count_or_link(owner: Client, page: dict[str, Any]) -> None:
    url = f"/app/links/{page['id']}/preview"
    assert "frame-ancestors 'self'" in owner.get(url)["Content-Security-Policy"]
    typed = post(owner, url, {"title": "Being typed", "theme": "ocean", "bio": "<b>x"}).content.decode()
    assert "Being typed" in typed and "/l/themes/ocean." in typed and "&lt;b&gt;x" in typed
    added = post(owner, url, {"_element": "new", "url": "example.org/new", "title": "Brand new"}).content.decode()
    assert ">Brand new</a>" in added
    changed = post(owner, url, {"_element": buttons(page)[0]["id"], "title": "Uno"}).content.decode()
    assert ">Uno</a>" in changed and ">One</a>" not in changed
    assert titles() == ["One", "Two", "Three"] and Page.objects.get().title == "Corner Café"
    assert not Visit.objects.exists()


@pytest.mark.parametrize(
    "data",
    [
        {"social_profiles.0.network": "nothing", "social_profiles.0.url": "x"},
        {"_element": "new", "url": "\x00" * 5000},
        {"_element": "lnk_unknown", "title": "x"},
        {"_element": "lnk_unknown", "thing": "\x00"},
        {"theme": "nothing", "title": ""},
        {"social_profiles": "[1, 2]"},
    ],
)
def test_a_preview_of_invalid_input_still_renders(data: dict[str, str], owner: Client, page: dict[str, Any]) -> None:
    assert post(owner, f"/app/links/{page['id']}/preview", data).status_code == 200


def test_settings_move_pause_and_delete_the_page(owner: Client, page: dict[str, Any]) -> None:
    url = f"/app/links/{page['id']}"
    post(owner, f"{url}/settings", {"slug": "corner-cafe"})
    post(owner, f"{url}/look", {"share_title": "Come by", "share_description": ""})
    assert (Page.objects.get().publication.slug, Page.objects.get().share_title) == ("corner-cafe", "Come by")
    post(owner, f"{url}/state", {"on": "no"})
    assert Client().get("/l/corner-cafe").status_code == 404
    post(owner, f"{url}/state", {"on": "yes"})
    assert Client().get("/l/corner").status_code == 200
    assert post(owner, f"{url}/delete").status_code == 303
    assert Client().get("/l/corner").status_code == 410


def test_a_password_and_an_expiry_are_set_and_removed(owner: Client, page: dict[str, Any]) -> None:
    url = f"/app/links/{page['id']}"
    assert post(owner, f"{url}/settings", {"password": "sesame", "expires_at": "2030-01-01T10:00"}).status_code == 303
    html = owner.get(f"{url}/settings").content.decode()
    assert 'value="2030-01-01T10:00"' in html and "Remove password" in html
    assert 'name="password"' in Client().get("/l/corner").content.decode()
    post(owner, f"{url}/password/remove")
    post(owner, f"{url}/settings", {"expires_at": ""})
    assert (Page.objects.get().publication.password, Page.objects.get().publication.expires_at) == ("", None)


def test_the_item_of_a_live_block_is_chosen_and_changed(owner: Client, page: dict[str, Any], api: Api) -> None:
    bistro, bar = (api.run("svc_links_create", title=title)["id"] for title in ("Bistro", "Bar"))
    url = f"/app/links/{page['id']}"
    assert "A sample: Bistro" in owner.get(url).content.decode()
    post(owner, f"{url}/add/live", {"thing": bistro})
    block = Element.objects.get(kind="live")
    assert "Bistro" in Client().get("/l/corner").content.decode()
    assert f'value="{bistro}" selected' in owner.get(f"{url}/links/{block.pk}").content.decode()
    previewed = {"_element": block.pk, "thing": bar}
    assert "<h2>Bar</h2>" in post(owner, f"{url}/preview", previewed).content.decode()
    post(owner, f"{url}/links/{block.pk}", {"thing": bar})
    assert "<h2>Bar</h2>" in Client().get("/l/corner").content.decode()
    api.run("svc_links_delete", ids=[bar])
    assert "Deleted source" in owner.get(f"{url}/links/{block.pk}").content.decode()


@pytest.mark.parametrize("kind", ["heading", "text", "live"])
def test_missing_fields_are_required(kind: str, owner: Client, page: dict[str, Any]) -> None:
    response = post(owner, f"/app/links/{page['id']}/add/{kind}", {})
    assert (response.status_code, "This field is required" in response.content.decode()) == (422, True)


def test_the_free_plan_shows_what_the_larger_plan_includes() -> None:
    api = make_api(make_account(link="free"))
    page = api.run("svc_links_create", title="Links")
    client = Client()
    client.force_login(api.account.owner)
    visit(public_path(page))
    html = client.get(f"/app/links/{page['id']}/results").content.decode()
    assert "Your plan shows views" in html and "Click-through" not in html
    assert "1 of 1" in client.get("/app/links").content.decode()
