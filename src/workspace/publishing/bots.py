"""Telling machines from people. A bot is counted apart, never dropped, so a wrong guess can be seen."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache

from crawlerdetect import CrawlerDetect

LONGEST = 512  # of a user agent: what comes after says nothing more, and the lists are slow on long ones

# Every browser calls itself one of these; what does not is a library, a script or a preview fetcher.
_BROWSER = re.compile(r"(?:Mozilla|Opera|UCWEB|Nokia|BlackBerry|SAMSUNG|LG|SonyEricsson|MOT)[-/ \d]", re.IGNORECASE)

# Fetchers of link previews, monitors and scanners that pass for browsers and that the list does not know.
_FETCHERS = re.compile(
    r"preview|facebookexternalhit|facebookcatalog|meta-external|slackbot|slack-img|telegrambot|discordbot|twitterbot"
    r"|linkedinbot|skypeuri|kakaotalk-scrap|snapchat ?ads|iframely|embedly|outbrain|headless|phantomjs|puppeteer"
    r"|playwright|lighthouse|ms-office|msoffice|outlook-",
    re.IGNORECASE,
)

# People read inside these apps as well; only the bare name, without a browser around it, is the app's own fetcher.
_APPS = re.compile(r"\b(?:WhatsApp|Instagram|Pinterest|Viber|Line|Snapchat)/[\w.]+", re.IGNORECASE)

# A browser that loads ahead says so in one of these: nobody has asked to see the page yet.
_AHEAD = ("sec-purpose", "purpose", "x-purpose", "x-moz")


def is_bot(user_agent: str, headers: Mapping[str, str]) -> bool:
    """`headers`: names in lower case."""
    if any(re.search(r"prefetch|prerender|preview", headers.get(name, ""), re.IGNORECASE) for name in _AHEAD):
        return True
    return _is_machine(user_agent[:LONGEST])


@lru_cache(maxsize=4096)  # the list takes milliseconds, and guests share few browsers
def _is_machine(user_agent: str) -> bool:
    if not _BROWSER.match(user_agent):
        return True
    user_agent = _APPS.sub("", user_agent)
    return bool(_FETCHERS.search(user_agent)) or _lists().is_crawler(user_agent)


@cache
def _lists() -> CrawlerDetect:
    return CrawlerDetect()
