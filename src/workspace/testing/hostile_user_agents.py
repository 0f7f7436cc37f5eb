"""User agents that are slow to match against a list of patterns, for tests and benchmarks."""

from __future__ import annotations

import random
import re
import string
from collections.abc import Iterator

from crawlerdetect.providers.crawlers import data as CRAWLERS
from crawlerdetect.providers.exclusions import data as COMMON


def build_near_match(pattern: str) -> str:
    """Return text that nearly matches the pattern, or that matches it if the pattern is only words."""
    return re.sub(r"\\d|\[0-9\]", "7", pattern).replace("\\", "").strip("^$")


def generate_hostile_agents() -> Iterator[str]:
    """Yield repeated near matches of the patterns, noise, and repeated beginnings of browsers' user agents."""
    chance = random.Random(20)
    for pattern in CRAWLERS:
        yield "Mozilla/5.0 " + build_near_match(pattern)[:-1] * 2000
    for pattern in COMMON:
        yield "Mozilla/5.0 " + (build_near_match(pattern) + "1.1_") * 2000
    for letters in (string.printable, string.ascii_lowercase, [chr(code) for code in range(32, 0x3000)]):
        for _ in range(500):
            yield "Mozilla/5.0 " + "".join(chance.choices(letters, k=60_000 if chance.random() < 0.01 else 300))
    for letter in string.printable:
        yield "Mozilla/5.0 " + letter * 60_000
