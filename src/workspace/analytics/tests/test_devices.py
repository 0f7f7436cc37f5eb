import pytest

from workspace.analytics.devices import detect_device
from workspace.testing.publications import ANDROID, IPHONE, WINDOWS


@pytest.mark.parametrize(
    ("user_agent", "expected"),
    [
        (IPHONE, "phone"),
        (ANDROID, "phone"),
        (WINDOWS, "desktop"),
        ("Mozilla/5.0 (iPad; CPU OS 16_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1", "tablet"),
        ("Mozilla/5.0 (Linux; Android 13; SM-X900) AppleWebKit/537.36 Chrome/130.0.0.0 Safari/537.36", "tablet"),
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Safari/605.1.15", "desktop"),
        ("Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0", "desktop"),
        ("Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0", "desktop"),
        ("Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 Chrome/130.0.0.0 Safari/537.36", "desktop"),
        ("Mozilla/5.0 (Mobile; Nokia_8110_4G; rv:48.0) Gecko/48.0 Firefox/48.0 KAIOS/2.5", "phone"),
        ("Mozilla/5.0 (Windows Phone 10.0; Android 6.0.1; Microsoft; Lumia 950) Mobile Safari/537.36", "phone"),
        ("Mozilla/5.0 (SMART-TV; Linux; Tizen 5.0) AppleWebKit/537.36 Version/5.0 TV Safari/537.36", "other"),
        ("Mozilla/5.0 (Linux; Android 9; AFTMM) AppleWebKit/537.36 Chrome/80.0 Mobile Safari/537.36", "other"),
        ("Mozilla/5.0 (PlayStation; PlayStation 5/6.50) AppleWebKit/605.1.15", "other"),
        ("Mozilla/5.0", "other"),
        ("", "other"),
        ("\x00\ud800", "other"),
    ],
)
def test_a_device_is_classified_by_kind(user_agent: str, expected: str) -> None:
    assert detect_device(user_agent) == expected
