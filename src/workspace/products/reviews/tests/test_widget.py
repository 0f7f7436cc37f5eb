from __future__ import annotations

import pytest
from django.http import HttpResponse
from django.test import Client

from workspace.accounts.models import Account
from workspace.products.reviews import models
from workspace.testing.api import Api, make_account
from workspace.testing.reviews_guest import Reader, open_page, read_page, send

pytestmark = pytest.mark.django_db


def frame_ancestors(path: str) -> str:
    policy = Client().get(path)["Content-Security-Policy"]
    [text] = [part.strip() for part in policy.split(";") if part.strip().startswith("frame-ancestors")]
    return text.removeprefix("frame-ancestors ")


def test_only_the_widget_can_be_framed_and_only_by_allowed_hosts(account: Account) -> None:
    page = open_page(account, hosts=["www.example.com", "*.example.org", "localhost:3000"])
    assert frame_ancestors(f"/r/{page.slug}/embed") == "'self' www.example.com *.example.org localhost:3000"
    for path in ("", "/wall", "/thanks", "/confirm/x", "/nothing"):
        assert frame_ancestors(f"/r/{page.slug}{path}") == "'none'", path
    assert frame_ancestors("/r/unknown/embed") == "'none'"


def test_new_hosts_are_valid_on_the_next_load(account: Account, api: Api) -> None:
    page = open_page(account)
    first = Client().get(f"/r/{page.slug}/embed")
    api.run("svc_reviews_edit", page_id=page.pk, hosts=["https://shop.example/path?x=1"])
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
def test_a_host_is_extracted_from_a_pasted_url(given: str, kept: str, api: Api) -> None:
    page = api.run("svc_reviews_create", title="Tell us", hosts=[given, given])
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
def test_an_invalid_host_never_reaches_the_policy(host: str, api: Api) -> None:
    body = api.refuse("svc_reviews_create", title="Tell us", hosts=[host])
    assert [issue["path"] for issue in body["issues"]] == ["hosts.0"]


def test_a_frame_shows_selected_testimonials_with_the_average_and_can_submit_nothing(account: Account) -> None:
    page = open_page(account)
    send(page, rating="2", text="Cold.")
    send(page, rating="3", text="Warm.")
    send(page)
    models.Testimonial.objects.filter(rating=5).update(status="approved")
    page.mark_changed()
    response = Client().get(f"/r/{page.slug}/embed")
    text = Reader(response.content.decode()).text
    assert "Selected testimonials · 1 of 3 reviews shown" in text
    assert "3.3 out of 5 · average of 3 ratings" in text
    assert "Cold." not in text and "Made with" not in text
    policy = response["Content-Security-Policy"]
    assert "form-action 'none'" in policy and "default-src 'none'" in policy
    assert "X-Frame-Options" not in response


def test_a_frame_has_three_themes_and_the_pages_or_another_layout(account: Account, api: Api) -> None:
    page = open_page(account)
    send(page, text="The best cake in town. " * 20)
    for text in ("Warm.", "Calm."):
        send(page, rating="4", text=text)
    models.Testimonial.objects.update(status="approved")
    page.mark_changed()

    def frame(asked: str = "") -> str:
        return Client().get(f"/r/{page.slug}/embed?{asked}").content.decode()

    for asked, theme, layout in (
        ("", "light", "grid"),
        ('theme="><b>&layout="><b>', "light", "grid"),
        ("theme=dark&layout=list", "dark", "list"),
        ("theme=dark&layout=list", "dark", "list"),  # from the cache
        ("theme=auto&layout=carousel", "auto", "carousel"),
        ("layout=badge", "light", "badge"),
    ):
        html = frame(asked)
        assert f'class="{theme} worn"' in html and f'<main class="{layout}">' in html
        assert ("<article" in html) is (layout != "badge") and html.count("<h1") == 1
        assert (f"/wall#{models.Testimonial.objects.get(text__startswith='The best').pk}" in html) is (
            layout == "carousel"
        )
    badge = frame("layout=badge")
    assert "<b>4.3</b> out of 5 · average of 3 ratings" in badge and f'href="{page.public_url}/wall"' in badge
    assert '<rect width="104.2" height="24"/>' in badge  # four stars and a third

    api.run("svc_reviews_edit", page_id=page.pk, layout="carousel")
    assert '<main class="carousel">' in frame() and '<main class="grid">' in frame("layout=grid")
    owner = Client()
    owner.force_login(account.owner)
    owner.post(f"/app/reviews/{page.pk}/look", {"layout": "badge"})
    assert '<main class="badge">' in frame()
    assert 'value="badge" checked' in owner.get(f"/app/reviews/{page.pk}/look").content.decode()
    assert 'height="120"' in api.run("svc_reviews_get", page_id=page.pk)["page"]["iframe"]


def test_a_paused_page_shows_a_short_notice_in_the_frame(account: Account) -> None:
    page = open_page(account, hosts=["www.example.com"])
    page.pause()
    assert "page is paused" in read_page(f"/r/{page.slug}/embed").text
    assert "www.example.com" in frame_ancestors(f"/r/{page.slug}/embed")
    page.publication.ban("spam")
    assert frame_ancestors(f"/r/{page.slug}/embed") == "'none'"


def test_a_password_hides_the_testimonials_in_every_frame(account: Account, api: Api) -> None:
    page = open_page(account)
    send(page)
    models.Testimonial.objects.update(status="approved")
    api.run("svc_reviews_edit", page_id=page.pk, password="sesame")
    text = read_page(f"/r/{page.slug}/embed").text
    assert "page is password-protected" in text and "best cake" not in text
    assert Client().get(f"/r/{page.slug}/widget.js").status_code == 404
    api.run("svc_reviews_edit", page_id=page.pk, password="")
    assert "best cake" in read_page(f"/r/{page.slug}/embed").text


def framed(path: str, around: str) -> HttpResponse:
    """Request a frame as a browser does on a website."""
    data = {"sec-fetch-dest": "iframe", "referer": around, "user-agent": "Mozilla/5.0 (X11) Firefox/130.0"}
    return Client(headers=data).get(path)


@pytest.mark.parametrize(
    ("hosts", "around", "may"),
    [
        (["www.example.com"], "http://www.example.com/", True),
        (["www.example.com"], "https://www.example.com/", True),
        (["www.example.com"], "https://example.com/", False),
        (["www.example.com"], "https://www.example.com:8443/", False),
        (["www.example.com:8443"], "https://www.example.com:8443/", True),
        (["*.example.com"], "https://shop.example.com/", True),
        (["*.example.com"], "https://example.com/", False),
        (["*.example.com"], "https://evilexample.com/", False),
        (["localhost:3000"], "http://localhost:3000/", True),
        ([], "http://127.0.0.1:8000/app/reviews/x/widget", True),
        ([], "https://www.example.com/", False),
    ],
)
def test_a_website_that_may_not_frame_the_page_gets_an_explanation_in_the_frame(
    hosts: list[str], around: str, may: bool, account: Account
) -> None:
    page = open_page(account, hosts=hosts)
    response = framed(f"/r/{page.slug}/embed", around)
    text = Reader(response.content.decode()).text
    assert ("Selected testimonials" in text) is may
    assert ("be embedded here yet" in text) is not may
    if not may:
        assert "frame-ancestors *" in response["Content-Security-Policy"] and "Corner Café" not in text
        assert response["Cache-Control"] == "no-store" and "ETag" not in response


def test_the_owner_sees_a_refused_website_and_can_allow_it(account: Account, api: Api) -> None:
    page = open_page(account, hosts=["www.example.com"])
    owner = Client()
    owner.force_login(account.owner)
    path = f"/app/reviews/{page.pk}/share/websites"
    assert "Refused in the last" not in owner.get(path).content.decode()
    for around in ("https://shop.example.org/", "https://shop.example.org/about", "https://www.example.com/"):
        framed(f"/r/{page.slug}/embed", around)
    assert api.run("svc_reviews_get", page_id=page.pk)["page"]["refused"] == [{"host": "shop.example.org", "times": 2}]
    html = owner.get(path).content.decode()
    assert "<b>shop.example.org</b> · 2 times" in html and "<b>www.example.com</b> ·" not in html
    assert owner.post(path, {"hosts": ["www.example.com", "shop.example.org"]}).status_code == 303
    assert "Refused in the last" not in owner.get(path).content.decode()
    assert "Selected testimonials" in framed(f"/r/{page.slug}/embed", "https://shop.example.org/").content.decode()
    assert api.run("svc_reviews_stats", page_id=page.pk)["widget_views"] == 2


@pytest.mark.parametrize(
    "around", ["", "null", "https://", "https://[", "https://a:99999/", "javascript:x", "ftp://a.example/", "x" * 9000]
)
def test_without_a_referrer_only_the_policy_decides(around: str, account: Account) -> None:
    page = open_page(account, hosts=["www.example.com"])
    response = framed(f"/r/{page.slug}/embed", around)
    assert "frame-ancestors 'self' www.example.com" in response["Content-Security-Policy"]


def test_forged_websites_do_not_fill_the_owners_page(account: Account, api: Api) -> None:
    page = open_page(account)
    for number in range(30):
        framed(f"/r/{page.slug}/embed", f"https://made-up-{number}.example/<b>")
    assert len(api.run("svc_reviews_get", page_id=page.pk)["page"]["refused"]) == 10


def test_every_frame_has_a_heading(account: Account) -> None:
    page = open_page(account)
    for response in (Client().get(f"/r/{page.slug}/embed"), framed(f"/r/{page.slug}/embed", "https://a.example/")):
        assert response.content.count(b"<h1") == 1
    page.pause()
    assert Client().get(f"/r/{page.slug}/embed").content.count(b"<h1") == 1


def test_the_loader_is_a_script_that_other_sites_can_load(account: Account) -> None:
    response = Client().get(f"/r/{open_page(account).slug}/widget.js")
    assert response["Content-Type"].startswith("text/javascript")
    assert response["Cross-Origin-Resource-Policy"] == "cross-origin"
    assert b"event.origin !== home.origin || event.source !== frame.contentWindow" in response.content


def test_the_snippets_are_valid_html(api: Api) -> None:
    account = make_account(name='Tom & "Jerry" <b>')
    from workspace.testing.api import make_api

    api = make_api(account)
    page = open_page(account, hosts=["www.example.com"])
    result = api.run("svc_reviews_get", page_id=page.pk)["page"]
    assert result["script"] == f'<script src="{page.public_url}/widget.js" async></script>'
    assert f'src="{page.public_url}/embed"' in result["iframe"] and "script" not in result["iframe"]
    assert "<b>" not in result["iframe"] + result["link"]
    assert result["hosts"] == ["www.example.com"]
