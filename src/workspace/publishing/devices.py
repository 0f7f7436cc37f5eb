"""What a guest holds: `phone`, `tablet`, `desktop`, or `other` (a television, a console, a watch)."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from ua_parser import Parser
from ua_parser.loaders import load_builtins
from ua_parser.regex import Resolver

from workspace.publishing.bots import LONGEST

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
_SCREENS = re.compile(
    r"\bTV\b|SMART-?TV|SmartTV|GoogleTV|AppleTV|HbbTV|BRAVIA|\bAFT[A-Z]|CrKey|Roku|Web0S|webOS|Tizen.*TV|PlayStation"
    r"|Xbox|Nintendo|Watch|OculusBrowser|Quest \d",
    re.IGNORECASE,
)


def device(user_agent: str) -> str:
    """An iPad that asks for desktop pages calls itself a Mac, and is told as one."""
    # the parser takes nothing that UTF-8 cannot say
    return _device(user_agent[:LONGEST].encode(errors="replace").decode())


@lru_cache(maxsize=4096)
def _device(user_agent: str) -> str:
    if not user_agent or _SCREENS.search(user_agent):
        return OTHER
    found = _parser().parse_os(user_agent)
    system = found.family if found else ""
    if system == "iOS":
        return TABLET if "iPad" in user_agent else PHONE
    if system == "Android":
        # makers name their models as they like; that phones say Mobile and tablets do not is the platform's own rule
        return PHONE if "Mobile" in user_agent else TABLET
    if system in _PHONES:
        return PHONE
    if system in _DESKTOPS or system in _LINUXES:
        return DESKTOP
    return PHONE if "Mobile" in user_agent else OTHER


@cache
def _parser() -> Parser:
    return Parser(Resolver(load_builtins()))
