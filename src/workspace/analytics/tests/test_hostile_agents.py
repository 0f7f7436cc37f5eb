"""Malicious user agents: each new one is matched against hundreds of patterns."""

from __future__ import annotations

import re
import time

import pytest
from crawlerdetect import CrawlerDetect
from crawlerdetect.providers.crawlers import data as CRAWLERS

from workspace.analytics.bots import LOOKAROUND, is_bot
from workspace.analytics.devices import detect_device
from workspace.analytics.pattern_matcher import Patterns
from workspace.testing.hostile_user_agents import build_near_match, generate_hostile_agents
from workspace.testing.publications import ANDROID, IPHONE, WINDOWS

BROWSER = "Mozilla/5.0 (Linux; Android 13) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36"


def test_no_user_agent_takes_long() -> None:
    agents = list(generate_hostile_agents())
    began = time.thread_time()
    for agent in agents:
        is_bot(agent, {})
        detect_device(agent)
    # 3,000 of them: about 0.3 s, and a minute with backtracking patterns
    assert time.thread_time() - began < 10


def test_an_endless_user_agent_is_classified_by_its_start() -> None:
    assert not is_bot(IPHONE + " x" * 500_000, {})
    assert detect_device(IPHONE + " x" * 500_000) == "phone"
    assert is_bot(IPHONE, {"purpose": "prefetch" + " x" * 500_000})


@pytest.mark.parametrize("form", ["Mozilla/5.0 (compatible; %s)", BROWSER + " %s"])
def test_every_name_on_the_list_is_classified_as_a_bot(form: str) -> None:
    """The list's own detector, which is slow, is used if a name alone is not decisive."""
    detector = CrawlerDetect()
    people = [
        form % build_near_match(pattern) for pattern in CRAWLERS if not is_bot(form % build_near_match(pattern), {})
    ]
    assert [agent for agent in people if detector.is_crawler(agent)] == []
    assert len(people) < 100


def test_common_browser_words_are_not_bot_names() -> None:
    """`Cubot` and `Yandex` are also the names of a manufacturer and an app."""
    for agent in (
        IPHONE,
        ANDROID,
        WINDOWS,
        BROWSER,
        BROWSER.replace("13", "13; CUBOT X30"),
        f"{BROWSER} YandexSearch/9",
    ):
        assert not is_bot(agent, {}), agent
    assert is_bot(f"{BROWSER} YandexDirect/9", {})


def test_patterns_with_lookaround_are_few_and_have_no_repetition() -> None:
    """The standard library's engine backtracks. With a repetition, a stranger's user agent could take minutes."""
    rest = [pattern for pattern in CRAWLERS if LOOKAROUND.search(pattern)]
    assert len(rest) < 10
    assert not any(re.search(r"[*+{]", pattern) for pattern in rest), rest


def test_patterns_match_in_any_case_and_escapes_are_unchanged() -> None:
    found = Patterns([r"Foo\S\d", r"^Bar", r"X\.Y$"]).matches_any
    assert found("a fOOx7") and found("BARE") and found("it is x.y")
    assert not found("foo 7") and not found("a bar") and not found("xzy")
    with pytest.raises(ValueError, match="look-around"):
        Patterns(["a(?!b)"])
