"""Device detection: `phone`, `tablet`, `desktop`, or `other` (a television, a console, a watch)."""

from __future__ import annotations

from functools import lru_cache
from operator import attrgetter

from ua_parser.loaders import load_lazy_builtins
from ua_parser_rs import OSExtractor

from workspace.analytics.bots import shorten_user_agent
from workspace.analytics.pattern_matcher import Patterns
from workspace.lib.lazy import build_at_startup, cache_first_result

PHONE, TABLET, DESKTOP, OTHER = "phone", "tablet", "desktop", "other"

_PHONES = {"Windows Phone", "KaiOS", "BlackBerry OS", "Symbian OS", "Firefox OS", "Sailfish", "HarmonyOS"}
_DESKTOPS = {"Windows", "Mac OS X", "Chrome OS", "FreeBSD", "OpenBSD", "NetBSD", "Solaris"}
_LINUXES = {
    "Linux",
    "Ubuntu",
    "Debian",
    "Fedora",
    "Red Hat",
    "SUSE",
    "Mint",
    "Arch Linux",
    "Gentoo",
    "Mandriva",
}
_SCREEN_PATTERN = (
    r"\bTV\b|SMART-?TV|SmartTV|GoogleTV|AppleTV|HbbTV|BRAVIA|\bAFT[A-Z]|CrKey|Roku|Web0S|webOS|Tizen.*TV|PlayStation"
    r"|Xbox|Nintendo|Watch|OculusBrowser|Quest \d"
)


def detect_device(user_agent: str) -> str:
    """Detect the kind of device. An iPad that requests desktop pages is detected as a Mac."""
    return _detect_device(shorten_user_agent(user_agent))


@lru_cache(maxsize=1024)
def _detect_device(user_agent: str) -> str:
    if not user_agent or _screen_patterns().matches_any(user_agent):
        return OTHER
    found = _system_extractor().extract(user_agent)
    system = found.family if found else ""
    if system == "iOS":
        return TABLET if "iPad" in user_agent else PHONE
    if system == "Android":
        # model names vary, but the platform requires phones to contain Mobile and tablets not to
        return PHONE if "Mobile" in user_agent else TABLET
    if system in _PHONES:
        return PHONE
    if system in _DESKTOPS or system in _LINUXES:
        return DESKTOP
    return PHONE if "Mobile" in user_agent else OTHER


@build_at_startup
@cache_first_result
def _screen_patterns() -> Patterns:
    return Patterns([_SCREEN_PATTERN])


@build_at_startup
@cache_first_result
def _system_extractor() -> OSExtractor:
    """Return the extractor of operating systems, one of ua-parser's three.

    The extractor of devices would take most of a second to load, and the most memory.
    """
    rules = load_lazy_builtins()[1]
    return OSExtractor(map(attrgetter("regex", "family", "major", "minor", "patch", "patch_minor"), rules))
