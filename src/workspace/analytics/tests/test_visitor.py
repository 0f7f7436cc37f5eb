import pytest

from workspace.analytics.visitor import Visitor, build_visitor, parse_referrer_host
from workspace.storage.client_address import truncate_address
from workspace.testing.publications import ANDROID, IPHONE


def _visitor(address: str = "203.0.113.9", user_agent: str = IPHONE, **headers: str) -> Visitor:
    return build_visitor(address=address, user_agent=user_agent, referrer="", headers=headers)


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("203.0.113.9", "203.0.113.9"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
        ("fe80::1%eth0", "fe80::"),
        ("::ffff:203.0.113.9", "203.0.113.9"),
        ("nonsense", ""),
        ("", ""),
    ],
)
def test_an_ipv6_address_is_truncated_to_its_household(address: str, expected: str) -> None:
    assert truncate_address(address) == expected


def test_a_visitor_is_identified_by_household_and_browser() -> None:
    assert _visitor("2001:db8::1").address_key == _visitor("2001:db8::2").address_key
    assert _visitor("2001:db8::1").address_key != _visitor("2001:db8:0:1::1").address_key
    assert _visitor(user_agent=IPHONE).address_key != _visitor(user_agent=ANDROID).address_key


def test_a_visitor_does_not_contain_the_ip_address() -> None:
    assert "203.0.113.9" not in repr(_visitor())


@pytest.mark.parametrize(
    ("referrer", "expected"),
    [
        ("https://Example.com/path?secret=1", "example.com"),
        ("http://user:pass@news.example:8080/", "news.example"),
        ("android-app://com.slack/", "com.slack"),
        ("https://codes.example/q/abc", ""),
        ("https://CODES.example:443/q/abc", ""),
        ("javascript:alert(1)", ""),
        ("https://[bad", ""),
        ("https://=cmd/", ""),
        ("https://" + "a" * 200 + ".example/", ""),
        ("https://a\x00b.example/", ""),
        ("", ""),
    ],
)
def test_only_the_host_of_another_site_is_stored_of_a_referrer(referrer: str, expected: str) -> None:
    assert parse_referrer_host(referrer, own="codes.example") == expected
    assert parse_referrer_host(referrer, own="codes.example:443") == expected


def test_a_prefetch_is_a_bot() -> None:
    assert _visitor(**{"sec-purpose": "prefetch"}).bot
    assert not _visitor().bot
