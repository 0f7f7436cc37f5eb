"""User agents made to hurt: a list of hundreds of patterns is looked through for each new one."""

from __future__ import annotations

import re
import time

import pytest
from crawlerdetect import CrawlerDetect
from crawlerdetect.providers.crawlers import data as CRAWLERS

from workspace.analytics.bots import LOOKAROUND, is_bot
from workspace.analytics.devices import detect_device
from workspace.analytics.pattern_matcher import Patterns
from workspace.testing.hostile_agents import example, hostile
from workspace.testing.publications import ANDROID, IPHONE, WINDOWS

BROWSER = "Mozilla/5.0 (Linux; Android 13) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36"


def test_no_user_agent_costs_more_than_a_moment() -> None:
    agents = list(hostile())
    began = time.thread_time()
    for agent in agents:
        is_bot(agent, {})
        detect_device(agent)
    # 3,000 of them: about 0.3 s, and a minute with patterns that go back and try again
    assert time.thread_time() - began < 10


def test_an_endless_user_agent_is_told_by_its_beginning() -> None:
    assert not is_bot(IPHONE + " x" * 500_000, {})
    assert detect_device(IPHONE + " x" * 500_000) == "phone"
    assert is_bot(IPHONE, {"purpose": "prefetch" + " x" * 500_000})


@pytest.mark.parametrize("form", ["Mozilla/5.0 (compatible; %s)", BROWSER + " %s"])
def test_every_name_on_the_list_is_a_bots(form: str) -> None:
    """The list's own detector, which takes its time, is asked where a name alone does not settle it."""
    detector = CrawlerDetect()
    people = [form % example(pattern) for pattern in CRAWLERS if not is_bot(form % example(pattern), {})]
    assert [agent for agent in people if detector.is_crawler(agent)] == []
    assert len(people) < 100


def test_what_every_browser_says_is_no_machines_name() -> None:
    """`Cubot` and `Yandex` are also a maker's and an app's name."""
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


def test_patterns_that_need_looking_around_are_few_and_cannot_repeat() -> None:
    """The standard library takes these, and it goes back: a repetition in one of them could cost a stranger nothing and
    the service minutes."""
    rest = [pattern for pattern in CRAWLERS if LOOKAROUND.search(pattern)]
    assert len(rest) < 10
    assert not any(re.search(r"[*+{]", pattern) for pattern in rest), rest


def test_patterns_are_found_whatever_their_case_and_escapes_keep_their_meaning() -> None:
    found = Patterns([r"Foo\S\d", r"^Bar", r"X\.Y$"]).matches_any
    assert found("a fOOx7") and found("BARE") and found("it is x.y")
    assert not found("foo 7") and not found("a bar") and not found("xzy")
    with pytest.raises(ValueError, match="look-around"):
        Patterns(["a(?!b)"])
