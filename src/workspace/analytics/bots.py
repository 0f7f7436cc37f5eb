"""Telling machines from people. A bot is counted apart, never dropped, so a wrong guess can be seen."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from crawlerdetect.providers.crawlers import data as CRAWLERS
from crawlerdetect.providers.exclusions import data as COMMON

from workspace.analytics.pattern_matcher import Patterns
from workspace.lib.lazy import build_at_startup, build_once

MAX_USER_AGENT_LENGTH = (
    200  # of a user agent: browsers and crawlers have named themselves by then, and every character costs
)

# Every browser calls itself one of these; what does not is a library, a script or a preview fetcher.
_BROWSER = re.compile(r"(?:Mozilla|Opera|UCWEB|Nokia|BlackBerry|SAMSUNG|LG|SonyEricsson|MOT)[-/ \d]", re.IGNORECASE)

# Fetchers of link previews, monitors and scanners that pass for browsers and that the list does not know.
_FETCHERS = (
    r"preview|facebookexternalhit|facebookcatalog|meta-external|slackbot|slack-img|telegrambot|discordbot|twitterbot"
    r"|linkedinbot|skypeuri|kakaotalk-scrap|snapchat ?ads|iframely|embedly|outbrain|headless|phantomjs|puppeteer"
    r"|playwright|lighthouse|ms-office|msoffice|outlook-"
)

# People read inside these apps as well; only the bare name, without a browser around it, is the app's own fetcher.
_APPS = re.compile(r"\b(?:WhatsApp|Instagram|Pinterest|Viber|Line|Snapchat)/[\w.]+", re.IGNORECASE)

# A browser that loads ahead says so in one of these: nobody has asked to see the page yet.
PREFETCH_HEADERS = ("sec-purpose", "purpose", "x-purpose", "x-moz")

LOOKAROUND = re.compile(r"\(\?(?:[=!]|<[=!])")


class _PatternLists(NamedTuple):
    """`crawlers` and `rest` together are the list of the crawlerdetect package; `common` is what it strikes out first,
    since browsers say it too."""

    fetchers: Patterns
    crawlers: Patterns
    rest: re.Pattern[str]
    common: re.Pattern[str]


def is_bot(user_agent: str, headers: Mapping[str, str]) -> bool:
    """`headers`: names in lower case."""
    if any(_is_prefetch(headers[name]) for name in PREFETCH_HEADERS if name in headers):
        return True
    return _is_machine(shorten_user_agent(user_agent))


def shorten_user_agent(user_agent: str) -> str:
    """As much of a user agent as is looked at, without what UTF-8 cannot say."""
    return user_agent[:MAX_USER_AGENT_LENGTH].encode(errors="replace").decode()


def _is_prefetch(purpose: str) -> bool:
    purpose = purpose[:MAX_USER_AGENT_LENGTH].lower()
    return any(word in purpose for word in ("prefetch", "prerender", "preview"))


@lru_cache(maxsize=1024)
def _is_machine(user_agent: str) -> bool:
    if not _BROWSER.match(user_agent):
        return True
    user_agent = _APPS.sub("", user_agent)
    lists = _load_lists()
    if lists.fetchers.matches_any(user_agent):
        return True
    if not (lists.crawlers.matches_any(user_agent) or lists.rest.search(user_agent)):
        return False  # nothing to strike out, then, and that is the slowest part
    user_agent = lists.common.sub("", user_agent).strip()
    return lists.crawlers.matches_any(user_agent) or bool(lists.rest.search(user_agent))


@build_at_startup
@build_once
def _load_lists() -> _PatternLists:
    return _PatternLists(
        fetchers=Patterns([_FETCHERS]),
        crawlers=Patterns(pattern for pattern in CRAWLERS if not LOOKAROUND.search(pattern)),
        # too much for an engine that never goes back; a test sees to it that these stay few and plain
        rest=_join_patterns([pattern for pattern in CRAWLERS if LOOKAROUND.search(pattern)]),
        common=_join_patterns(COMMON),
    )


def _join_patterns(patterns: list[str]) -> re.Pattern[str]:
    return re.compile("|".join(patterns) or r"(?!)", re.IGNORECASE)
