"""Creation of a code: valid targets, and the answer."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest
from django.conf import settings
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from workspace.lib.ids import SLUG_ALPHABET
from workspace.lib.text import has_control_characters
from workspace.products.qr.rules.code_fields import TargetUrl
from workspace.testing.api import Api

pytestmark = pytest.mark.django_db

HOSTILE = [
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "java\nscript:alert(1)",
    "\x01javascript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "vbscript:x",
    "file:///etc/passwd",
    "ftp://example.com/",
    "intent://example.com#Intent;end",
    "tel:+431234",
    "https://user:password@example.com/",
    "https://example.com@evil.example/",
    "https://example.com\\@evil.example/",
    "https://exa mple.com/",
    "https://example.com/\r\nSet-Cookie: a=b",
    "https://example.com/\x00",
    "https://\u202eexample.com/",
    "https://",
    "https:///menu",
    "https://.",
    "https://example..com",
    "https://example.com:99999/",
    "https://[::1",
    "https://localhost.1",
    "//",
    "",
    "   ",
    "x" * 2049,
    "https://example.com/" + "ä" * 700,
    "http://xn--/",
]


@pytest.mark.parametrize("target", HOSTILE)
def test_a_target_that_is_not_a_plain_web_address_is_refused(target: str, api: Api) -> None:
    body = api.refuse("svc_qr_create", name="Menu", target_url=target)
    assert body["error"] == "invalid_input"
    [issue] = body["issues"]
    assert issue["path"].removeprefix("arguments.") == "target_url"
    assert not api.account.codes.exists()


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("example.com", "https://example.com"),
        ("  https://example.com/menu \n", "https://example.com/menu"),
        ("example.com:8080/a?b=c#d", "https://example.com:8080/a?b=c#d"),
        ("HTTP://Example.COM/Menu", "http://example.com/Menu"),
        ("https://münchen.example/karte", "https://xn--mnchen-3ya.example/karte"),
        ("https://example.com/Käse & Brot".replace(" ", "%20"), "https://example.com/K%C3%A4se%20&%20Brot"),
        ("https://[2001:db8::1]:8443/", "https://[2001:db8::1]:8443/"),
        ("http://192.168.0.9/", "http://192.168.0.9/"),
    ],
)
def test_a_target_is_stored_as_a_full_url(given: str, kept: str, api: Api) -> None:
    assert api.run("svc_qr_create", name="Menu", target_url=given)["target_url"] == kept


@given(st.text(max_size=80) | st.from_regex(r"(https?://)?[a-z.@:/\\?#%\[\] ä-]{1,40}", fullmatch=True))
def test_every_accepted_target_is_a_safe_url_and_is_not_changed_again(text: str) -> None:
    adapter = TypeAdapter(TargetUrl)
    try:
        url = adapter.validate_python(text)
    except ValidationError:
        return
    parts = urlsplit(url)
    assert parts.scheme in ("http", "https") and parts.hostname and "@" not in parts.netloc
    assert url.isascii() and " " not in url and not has_control_characters(url)
    assert adapter.validate_python(url) == url


def test_an_id_as_a_target_is_refused_with_advice(api: Api, code: dict) -> None:
    [issue] = api.refuse("svc_qr_create", name="Loop", target_url=code["id"])["issues"]
    assert issue["path"] == "target_url" and "Enter the public URL" in issue["message"]


@pytest.mark.parametrize("path", ["/q/abc", "/Q/ABC", "/q/", "/q/abc+", "/q/abc?x=1"])
def test_a_code_cannot_open_another_code(path: str, api: Api) -> None:
    body = api.refuse("svc_qr_create", name="Loop", target_url=settings.BASE_URL.upper().replace("HTTP", "http") + path)
    assert "another QR code" in body["issues"][0]["message"]


def test_a_page_of_this_service_is_a_valid_target(api: Api) -> None:
    url = settings.BASE_URL + "/m/corner-cafe"
    assert api.run("svc_qr_create", name="Menu", target_url=url)["target_url"] == url


def test_the_answer_contains_everything_needed_for_printing(code: dict) -> None:
    assert code["public_url"] == f"{settings.BASE_URL}/q/{code['slug']}"
    assert code["printed_url"] == code["public_url"].upper()
    assert code["svg_url"] == code["public_url"] + ".svg" and code["png_url"] == code["public_url"] + ".png"
    assert (code["folder"], code["total_scans"], code["state"]) == ("Tables", 0, "live")


def test_random_slugs_contain_no_lookalike_characters(api: Api) -> None:
    slugs = {api.run("svc_qr_create", name=f"Code {n}", target_url="example.com")["slug"] for n in range(20)}
    assert len(slugs) == 20 and set("".join(slugs)) <= set(SLUG_ALPHABET)


def test_a_repeated_call_with_the_same_key_creates_one_code(api: Api) -> None:
    body = {"name": "Menu", "target_url": "example.com"}
    headers = {"Idempotency-Key": "once"}
    first, second = (api.post("qr/create", body, **headers) for _ in range(2))
    assert first == second and first[0] == 200
    assert api.account.codes.count() == 1


@pytest.mark.parametrize("name", ["", "   ", "x" * 121, "a\nb", "a\x00b", 7, True, ["a"]])
def test_a_name_is_one_line_of_text(name: object, api: Api) -> None:
    body = api.refuse("svc_qr_create", name=name, target_url="example.com")
    assert body["issues"][0]["path"].removeprefix("arguments.") == "name"
