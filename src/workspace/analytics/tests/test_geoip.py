from pathlib import Path

import pytest
from pytest_django.fixtures import Settings

from workspace.analytics.geoip import GeoLocation, find_location
from workspace.analytics.tests.city_database import write_database

VIENNA = {"city": {"names": {"en": "Vienna", "de": "Wien"}}, "country": {"iso_code": "AT", "names": {"en": "Austria"}}}
SEA = {"registered_country": {"iso_code": "NO", "names": {"en": "Norway"}}}
PLAIN = {"city": "Osaka", "country": "Japan"}


@pytest.fixture
def database(tmp_path: Path, settings: Settings) -> None:
    records = {"203.0.113.0/24": VIENNA, "2001:db8:1::/48": VIENNA, "198.51.100.0/25": SEA, "192.0.2.0/24": PLAIN}
    settings.GEO_DATABASE = write_database(tmp_path / "cities.mmdb", records)


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("203.0.113.9", ("Vienna", "Austria")),
        ("2001:db8:1::5", ("Vienna", "Austria")),
        ("198.51.100.1", ("Unknown", "Norway")),
        ("192.0.2.1", ("Osaka", "Japan")),
        ("198.51.100.200", ("Unknown", "Unknown")),
        ("not an address", ("Unknown", "Unknown")),
        ("", ("Unknown", "Unknown")),
    ],
)
def test_an_address_is_looked_up_in_the_administrators_database(
    database: None, address: str, expected: tuple[str, str]
) -> None:
    assert find_location(address) == GeoLocation(*expected)


def test_without_a_database_every_place_is_unknown(settings: Settings) -> None:
    settings.GEO_DATABASE = ""
    assert find_location("203.0.113.9") == GeoLocation("Unknown", "Unknown")


@pytest.mark.parametrize("content", [None, b"", b"not a database"])
def test_an_unreadable_database_is_logged_and_stops_nothing(
    tmp_path: Path, settings: Settings, caplog: pytest.LogCaptureFixture, content: bytes | None
) -> None:
    path = tmp_path / "cities.mmdb"
    if content is not None:
        path.write_bytes(content)
    settings.GEO_DATABASE = str(path)
    assert find_location("203.0.113.9") == find_location("203.0.113.10") == GeoLocation("Unknown", "Unknown")
    assert len(caplog.records) == 1
