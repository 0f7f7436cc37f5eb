from __future__ import annotations

import pytest
from django.test import Client

from workspace.accounts.models import Account
from workspace.products.reviews import models
from workspace.products.reviews.tests.guest import Reader, open_page, read, send
from workspace.testing import Api, make_account

pytestmark = pytest.mark.django_db


def frame_ancestors(path: str) -> str:
    policy = Client().get(path)["Content-Security-Policy"]
    [found] = [part.strip() for part in policy.split(";") if part.strip().startswith("frame-ancestors")]
    return found.removeprefix("frame-ancestors ")


def test_the_widget_may_be_framed_by_the_owners_hosts_and_no_other_page_by_anybody(account: Account) -> None:
    page = open_page(account, hosts=["www.example.com", "*.example.org", "localhost:3000"])
    assert frame_ancestors(f"/r/{page.slug}/embed") == "'self' www.example.com *.example.org localhost:3000"
    for path in ("", "/wall", "/thanks", "/confirm/x", "/nothing"):
        assert frame_ancestors(f"/r/{page.slug}{path}") == "'none'", path
    assert frame_ancestors("/r/unknown/embed") == "'none'"


def test_new_hosts_hold_at_the_next_load(account: Account, api: Api) -> None:
    page = open_page(account)
    first = Client().get(f"/r/{page.slug}/embed")
    api.run("svc_reviews_page_edit", page_id=page.pk, hosts=["https://shop.example/path?x=1"])
    later = Client().get(f"/r/{page.slug}/embed", headers={"if-none-match": first["ETag"]})
    assert (later.status_code, "shop.example" in later["Content-Security-Policy"]) == (200, True)


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("www.Example.com", "www.example.com"),
        ("https://www.example.com/about?x=1#y", "www.example.com"),
        ("http://localhost:3000/", "localhost:3000"),
        ("*.example.com", "*.example.com"),
        ("münchen.de", "xn--mnchen-3ya.de"),
        ("127.0.0.1:8341", "127.0.0.1:8341"),
    ],
)
def test_a_host_is_read_out_of_what_was_pasted(given: str, kept: str, api: Api) -> None:
    page = api.run("svc_reviews_page_create", title="Tell us", hosts=[given, given])
    assert page["hosts"] == [kept]


@pytest.mark.parametrize(
    "host",
    [
        "*",
        "*.",
        "'none'",
        "https:",
        "example.com; script-src *",
        "example.com *",
        "a b",
        "javascript:alert(1)",
        "[::1]",
        "*.127.0.0.1",
        "user@example.com",
        "data:",
        "",
        "exa\nmple.com",
    ],
)
def test_what_is_no_host_never_reaches_the_policy(host: str, api: Api) -> None:
    body = api.refuse("svc_reviews_page_create", title="Tell us", hosts=[host])
    assert [issue["path"] for issue in body["issues"]] == ["hosts.0"]


def test_a_frame_shows_selected_words_with_the_average_and_may_send_nothing(account: Account) -> None:
    page = open_page(account)
    send(page, rating="2", text="Cold.")
    send(page)
    models.Testimonial.objects.filter(rating=5).update(status="approved")
    page.tell()
    response = Client().get(f"/r/{page.slug}/embed")
    text = Reader(response.content.decode()).text
    assert "Selected testimonials · 1 of 2 shown" in text
    assert "3.5 of 5 · average of all 2 ratings" in text
    assert "Cold." not in text and "Made with" not in text
    policy = response["Content-Security-Policy"]
    assert "form-action 'none'" in policy and "default-src 'none'" in policy
    assert "X-Frame-Options" not in response


@pytest.mark.parametrize("theme", ["light", "dark", "auto"])
def test_a_frame_comes_in_three_looks(theme: str, account: Account) -> None:
    page = open_page(account)
    for _ in range(2):  # the second is the one that was kept
        html = Client().get(f"/r/{page.slug}/embed?theme={theme}").content.decode()
        assert f'class="{theme}"' in html
    assert 'class="light"' in Client().get(f'/r/{page.slug}/embed?theme="><b>').content.decode()


def test_a_paused_page_leaves_a_calm_line_in_the_frame(account: Account) -> None:
    page = open_page(account, hosts=["www.example.com"])
    page.pause()
    assert "taking a short break" in read(f"/r/{page.slug}/embed").text
    assert "www.example.com" in frame_ancestors(f"/r/{page.slug}/embed")
    page.publication.ban("spam")
    assert frame_ancestors(f"/r/{page.slug}/embed") == "'none'"


def test_the_loader_is_a_script_that_other_sites_may_load(account: Account) -> None:
    response = Client().get(f"/r/{open_page(account).slug}/widget.js")
    assert response["Content-Type"].startswith("text/javascript")
    assert response["Cross-Origin-Resource-Policy"] == "cross-origin"
    assert b"event.origin !== home.origin || event.source !== frame.contentWindow" in response.content


def test_the_code_to_copy_is_whole_html(api: Api) -> None:
    account = make_account(name='Tom & "Jerry" <b>')
    from workspace.testing import make_api

    api = make_api(account)
    page = open_page(account, hosts=["www.example.com"])
    found = api.run("svc_reviews_widget", page_id=page.pk)
    assert found["script"] == f'<script src="{page.url}/widget.js" async></script>'
    assert f'src="{page.url}/embed"' in found["iframe"] and "script" not in found["iframe"]
    assert "<b>" not in found["iframe"] + found["link"]
    assert found["hosts"] == ["www.example.com"]
