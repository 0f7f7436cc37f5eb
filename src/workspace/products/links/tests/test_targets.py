"""Valid and invalid targets of buttons."""

from __future__ import annotations

import pytest

from workspace.products.links.api.arguments import clean_profile
from workspace.products.links.models import Element
from workspace.products.links.rules.button_targets import clean_target, format_target
from workspace.products.links.rules.social_networks import NETWORKS
from workspace.testing.api import Api

OWN = "http://127.0.0.1:8000"


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("example.com", "https://example.com"),
        (" HTTP://EXAMPLE.com/Path ", "http://example.com/Path"),
        ("https://münchen.de", "https://xn--mnchen-3ya.de"),
        ("mailto:hello@example.com", "mailto:hello@example.com"),
        ("hello@example.com", "mailto:hello@example.com"),
        (
            "MAILTO:a@example.com?subject=A table&body=For two",
            "mailto:a@example.com?subject=A%20table&body=For%20two",
        ),
        ("tel:+43 (1) 234-5678", "tel:+4312345678"),
        ("+43 1 234 5678", "tel:+4312345678"),
        ("tel:911", "tel:911"),
        ("sms:+4312345678?body=Hi", "sms:+4312345678?body=Hi"),
        (f"{OWN}/m/lunch", f"{OWN}/m/lunch"),
        (f"{OWN}/l/other-page", f"{OWN}/l/other-page"),
    ],
)
def test_a_target_is_stored_in_its_normal_form(given: str, kept: str) -> None:
    assert clean_target(given) == kept
    assert clean_target(kept) == kept


@pytest.mark.parametrize(
    "given",
    [
        "",
        "javascript:alert(1)",
        "JaVaScRiPt:alert(1)",
        "java\nscript:alert(1)",
        "data:text/html,x",
        "vbscript:x",
        "ftp://example.com",
        "intent://x",
        "https://user:pass@example.com",
        "https://user@example.com",
        "https://exa mple.com",
        "https://example.com\\@evil.example",
        "https://\u202eexample.com",
        "x" * 3000,
        "mailto:",
        "mailto:nobody",
        "mailto:a@b.de,c@d.de",
        "mailto:a@b.de?cc=c@d.de",
        "mailto:a@b.de?bcc=c@d.de",
        "mailto:a@b.de?subject=x%0d%0aBcc: c@d.de%00",
        "mailto:a%0ab@c.de",
        "tel:",
        "tel:abc",
        "tel:12",
        "tel:+1234567890123456",
        "tel:+43123;ext=javascript",
        "tel:+43123?x=1",
        "tel:*21*123#",
        "sms:",
        "sms:+43123?to=5",
        f"{OWN}/q/abc",
        f"{OWN}/Q/ABC",
        f"{OWN}/l/page/lnk_1",
        f"{OWN}//l/page/lnk_1",
        f"{OWN}/%6c/page/lnk_1",
        "127.0.0.1:8000/L/PAGE/instagram",
    ],
)
def test_a_hostile_or_broken_target_is_refused(given: str) -> None:
    with pytest.raises(ValueError):
        clean_target(given)


@pytest.mark.django_db
def test_a_refused_target_leaves_nothing_behind(api: Api) -> None:
    page = api.run("svc_links_create", title="Links")
    body = api.refuse("svc_links_add", page_id=page["id"], url="javascript:alert(1)")
    assert (body["error"], [issue["path"] for issue in body["issues"]]) == ("invalid_input", ["url"])
    assert not Element.objects.exists()


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("https://www.example.com/menu/", "example.com/menu"),
        ("tel:+4312345678", "+4312345678"),
        ("sms:+4312345678?body=Hi", "+4312345678"),
        ("mailto:a@example.com?subject=x", "a@example.com"),
    ],
)
def test_a_target_is_formatted_for_people(url: str, told: str) -> None:
    assert format_target(url) == told


@pytest.mark.parametrize(
    ("network", "given", "kept"),
    [
        ("instagram", "@corner.cafe", "https://www.instagram.com/corner.cafe"),
        ("instagram", "corner_cafe", "https://www.instagram.com/corner_cafe"),
        ("instagram", "instagram.com/corner", "https://instagram.com/corner"),
        ("whatsapp", "+4312345678", "https://wa.me/4312345678"),
        ("email", "a@example.com", "mailto:a@example.com"),
        ("phone", "+43 1 234567", "tel:+431234567"),
        ("website", "example.com", "https://example.com"),
    ],
)
def test_a_profile_is_a_url_or_a_handle(network: str, given: str, kept: str) -> None:
    assert clean_profile(NETWORKS[network].handle, given) == kept


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("profiles", "path"),
    [
        ([{"network": "myspace", "url": "@x"}], "social_profiles.0.network"),
        ([{"network": "instagram", "url": "javascript:alert(1)"}], "social_profiles.0.url"),
        ([{"network": "instagram"}], "social_profiles.0.url"),
        ([{"network": "x", "url": "@a"}, {"network": "x", "url": "@b"}], "social_profiles"),
        ([{"network": "x", "url": "@a"}] * 13, "social_profiles"),
        ("x", "social_profiles"),
    ],
)
def test_an_invalid_profile_is_reported_at_its_path(profiles: object, path: str, api: Api) -> None:
    page = api.run("svc_links_create", title="Links")
    body = api.refuse("svc_links_edit", page_id=page["id"], social_profiles=profiles)
    assert [issue["path"] for issue in body["issues"]] == [path]
