"""Bot detection. Bots are counted separately and never dropped, so that wrong classifications are visible."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from crawlerdetect.providers.crawlers import data as CRAWLERS
from crawlerdetect.providers.exclusions import data as COMMON

from workspace.analytics.pattern_matcher import Patterns
from workspace.lib.lazy import build_at_startup, cache_first_result

MAX_USER_AGENT_LENGTH = (
    200  # characters of a user agent; browsers and crawlers identify themselves earlier, and each character takes time
)

# Every browser uses one of these names; other clients are libraries, scripts or preview fetchers.
_BROWSER = re.compile(r"(?:Mozilla|Opera|UCWEB|Nokia|BlackBerry|SAMSUNG|LG|SonyEricsson|MOT)[-/ \d]", re.IGNORECASE)

# Link preview fetchers, monitors and scanners that look like browsers and that the list does not contain.
_FETCHERS = (
    r"preview|facebookexternalhit|facebookcatalog|meta-external|slackbot|slack-img|telegrambot|discordbot|twitterbot"
    r"|linkedinbot|skypeuri|kakaotalk-scrap|snapchat ?ads|iframely|embedly|outbrain|headless|phantomjs|puppeteer"
    r"|playwright|lighthouse|ms-office|msoffice|outlook-"
)

# People browse inside these apps too; only the name without a browser is the app's own fetcher.
_APPS = re.compile(r"\b(?:WhatsApp|Instagram|Pinterest|Viber|Line|Snapchat)/[\w.]+", re.IGNORECASE)

# A browser sends one of these headers when it prefetches a page that no one has requested to see yet.
PREFETCH_HEADERS = ("sec-purpose", "purpose", "x-purpose", "x-moz")

LOOKAROUND = re.compile(r"\(\?(?:[=!]|<[=!])")


class _PatternLists(NamedTuple):
    """The pattern lists.

    `crawlers` and `rest` together are the list of the crawlerdetect package. `common` are patterns that are removed
    first, because user agents of browsers contain them too.
    """

    fetchers: Patterns
    crawlers: Patterns
    rest: re.Pattern[str]
    common: re.Pattern[str]


def is_bot(user_agent: str, headers: Mapping[str, str]) -> bool:
    """Return whether a request is from a bot. Names in `headers` are in lower case."""
    if any(_is_prefetch(headers[name]) for name in PREFETCH_HEADERS if name in headers):
        return True
    return _is_machine(shorten_user_agent(user_agent))


def shorten_user_agent(user_agent: str) -> str:
    """Return the part of a user agent that is checked, as valid UTF-8."""
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
        return False  # nothing needs to be removed then, and removing is the slowest part
    user_agent = lists.common.sub("", user_agent).strip()
    return lists.crawlers.matches_any(user_agent) or bool(lists.rest.search(user_agent))


@build_at_startup
@cache_first_result
def _load_lists() -> _PatternLists:
    return _PatternLists(
        fetchers=Patterns([_FETCHERS]),
        crawlers=Patterns(pattern for pattern in CRAWLERS if not LOOKAROUND.search(pattern)),
        # these need an engine with backtracking; a test ensures that they stay few and simple
        rest=_join_patterns([pattern for pattern in CRAWLERS if LOOKAROUND.search(pattern)]),
        common=_join_patterns(COMMON),
    )


def _join_patterns(patterns: list[str]) -> re.Pattern[str]:
    return re.compile("|".join(patterns) or r"(?!)", re.IGNORECASE)
