"""Redirects of a calendar server, and the hosts that get the password."""

from __future__ import annotations

import pytest

from workspace.delivery.calendars.connection import clean_url
from workspace.delivery.dav.client import DavError, DavSession

pytestmark = pytest.mark.any_database


@pytest.mark.parametrize(
    ("home", "url", "goes_along"),
    [
        ("caldav.icloud.com", "https://caldav.icloud.com/", True),
        ("caldav.icloud.com", "https://p42-caldav.icloud.com/1/", True),
        ("caldav.icloud.com", "https://icloud.com.evil.example/", False),
        ("dav.one.co.uk", "https://dav.two.co.uk/", False),
        ("dav.one.co.uk", "https://cal.one.co.uk/", True),
        ("192.0.2.1", "https://198.0.2.1/", False),
        ("caldav.icloud.com", "http://caldav.icloud.com/", False),
    ],
)
def test_a_password_is_sent_only_to_the_host_it_was_entered_for(
    home: str, url: str, goes_along: bool, settings
) -> None:
    settings.CALENDAR_NETWORKS = []
    talk = DavSession(("olive", "s3cret"), credential_host=home)
    if goes_along:
        assert talk._authorization(url)["Authorization"].startswith("Basic ")
    else:
        with pytest.raises(DavError):
            talk._authorization(url)


def test_a_redirect_never_leads_to_a_less_secure_address() -> None:
    talk = DavSession()
    assert talk.resolve_url("https://a.example/b/", "../c/d") == "https://a.example/c/d"
    for href in ("http://a.example/", "file:///etc/passwd", "https://user:pass@a.example/"):
        with pytest.raises(DavError):
            talk.resolve_url("https://a.example/", href)


def test_webcal_addresses_are_stored_as_https() -> None:
    assert clean_url(" WEBCAL://calendar.example.com/a.ics ") == "https://calendar.example.com/a.ics"
