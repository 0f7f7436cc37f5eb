"""The articles of `/help`: one for each task, in `articles/PRODUCT/NUMBER-SLUG.md`. They are loaded once.

# Change the destination of a printed QR code pages: /app/qr/*                  dashboard pages that it is about words:
retarget redirect          additional search words picture: /app/qr/{qr}             page shown in its picture, which
`python -m tests.help_pictures` takes related: make-a-code              slugs of related articles

An introduction and numbered steps, in Markdown. Labels of buttons and pages are bold.

## If something goes wrong

A list of problems with their solutions.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

from workspace.lib.text import search_key

FOLDER = Path(__file__).parent / "articles"
GENERAL_PRODUCT = "account"
PROBLEMS_HEADING = "\n## If something goes wrong\n"
MAX_QUERY_WORDS = 60  # of the text in a search; more words add little
_WORD = re.compile(r"[^\W_]+")
_ENDINGS = ("ings", "ing", "ies", "ied", "ed", "es", "s", "e", "y")
_STOP_WORD_LISTS = (
    "a an and are as at be but by can do does for from have",
    "how i if in is it its me my no not of on or our so that",
    "the their them then there they this to up us want was we",
    "what when where which who why will with would you your",
    "hello hi dear please thanks thank help need problem question",
)
_STOP_WORDS = frozenset(" ".join(_STOP_WORD_LISTS).split())
MAX_SUMMARY_LENGTH = 150
_TITLE_WEIGHT, _KEYWORD_WEIGHT, _TEXT_WEIGHT = 4.0, 3.0, 1.0


@dataclass(frozen=True, slots=True)
class Article:
    slug: str
    title: str
    product: str
    pages: tuple[str, ...]
    words: str
    picture: str
    related: tuple[str, ...]
    steps: str
    problems: str

    @property
    def url(self) -> str:
        return f"/help/{self.slug}"

    @property
    def picture_file(self) -> str:
        """The path of its picture among the static files, or "" if it has none."""
        return f"help/{self.slug}.webp" if self.picture else ""

    @property
    def text(self) -> str:
        """The complete text, used by the search."""
        return f"{self.steps}\n\n{self.problems}"

    @property
    def related_articles(self) -> list[Article]:
        return [article for slug in self.related if (article := find_article(slug))]

    @property
    def summary(self) -> str:
        """The start of its text, without Markdown marks."""
        text = re.sub(r"[*`\[\]]|\(/\S+\)|^(-|\d+\.) ", "", self.steps.partition("\n\n")[0].partition("\n")[0])
        return (
            text
            if len(text) <= MAX_SUMMARY_LENGTH
            else text[:MAX_SUMMARY_LENGTH].rpartition(" ")[0].rstrip(",;:.") + " …"
        )


@cache
def list_articles() -> tuple[Article, ...]:
    """Return all articles, sorted by folder and number."""
    files = sorted(FOLDER.glob("*/*.md"), key=lambda file: (file.parent.name, int(file.stem.partition("-")[0])))
    return tuple(_parse_article(file) for file in files)


def find_article(slug: str) -> Article | None:
    return next((article for article in list_articles() if article.slug == slug), None)


def articles_for_product(product: str) -> list[Article]:
    return [article for article in list_articles() if article.product == product]


def articles_for_page(path: str, limit: int = 3) -> list[Article]:
    """Return the articles about a page of the dashboard. Those with the most specific pattern come first."""
    found = [
        (max((len(one) - one.count("*") for one in article.pages if fnmatchcase(path, one)), default=0), at, article)
        for at, article in enumerate(list_articles())
    ]
    ranked = sorted((one for one in found if one[0]), key=lambda one: (-one[0], one[1]))
    return [article for _, _, article in ranked[:limit]]


def search_articles(text: str, product: str = "", limit: int = 8, *, full_text: bool = False) -> list[Article]:
    """Return the articles that best match the text, or none if no word matches.

    With `full_text`, every word must match. The last word may be incomplete.
    """
    said = [word for word in _WORD.findall(search_key(text[:2000]))[:MAX_QUERY_WORDS] if word not in _STOP_WORDS]
    if not said:
        return []
    index = _build_index()
    wanted = [[_stem(word)] for word in said[:-1]]
    wanted.append([stem for stem in index.article_counts if stem.startswith(_stem(said[-1]))])
    scores: list[tuple[float, int, Article]] = []
    for at, article in enumerate(list_articles()):
        weights = index.weights[article.slug]
        points = [max((weights[stem] * index.rarity(stem) for stem in stems if stem in weights), default=0.0)
                  for stems in wanted]  # fmt: skip
        if any(points) and not (full_text and not all(points)):
            scores.append((sum(points) * (1.5 if article.product == product else 1.0), at, article))
    scores.sort(key=lambda one: (-one[0], one[1]))
    least = scores[0][0] / 3 if scores else 0.0  # much worse matches than the best one would only distract
    return [article for score, _, article in scores[:limit] if score >= least]


@dataclass(frozen=True, slots=True)
class _SearchIndex:
    weights: dict[str, dict[str, float]]
    article_counts: Counter[str]

    def rarity(self, stem: str) -> float:
        return math.log(1 + len(self.weights) / self.article_counts[stem])


@cache
def _build_index() -> _SearchIndex:
    weights: dict[str, dict[str, float]] = {}
    for article in list_articles():
        mine = weights[article.slug] = {}
        for weight, text in (
            (_TEXT_WEIGHT, article.text),
            (_KEYWORD_WEIGHT, article.words),
            (_TITLE_WEIGHT, article.title),
        ):
            mine |= dict.fromkeys(
                (_stem(word) for word in _WORD.findall(search_key(text)) if word not in _STOP_WORDS), weight
            )
    return _SearchIndex(weights, Counter(stem for mine in weights.values() for stem in mine))


def _stem(word: str) -> str:
    return next((word[: -len(end)] for end in _ENDINGS if word.endswith(end) and len(word) > len(end) + 2), word)


def _parse_article(file: Path) -> Article:
    head, _, text = file.read_text(encoding="utf-8").partition("\n\n")
    title, *lines = head.splitlines()
    fields = dict(line.split(": ", 1) for line in lines)
    steps, _, problems = text.partition(PROBLEMS_HEADING)
    return Article(
        slug=file.stem.partition("-")[2],
        title=title.removeprefix("# "),
        product=file.parent.name,
        pages=tuple(fields.get("pages", "").split()),
        words=fields.get("words", ""),
        picture=fields.get("picture", ""),
        related=tuple(fields.get("related", "").split()),
        steps=steps.strip(),
        problems=problems.strip(),
    )
