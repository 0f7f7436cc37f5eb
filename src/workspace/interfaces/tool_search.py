"""Search for tools by the words of their titles, descriptions, synonyms and arguments (BM25F).

Robertson, Zaragoza: "The Probabilistic Relevance Framework: BM25 and Beyond" (2009), section 3.5."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from typing_extensions import TypedDict

from workspace.accounts.dispatch import Caller
from workspace.interfaces.tool_search_words import NOUNS, STOP_WORDS, VERBS
from workspace.lib.text import search_key
from workspace.tools.answer import Answer
from workspace.tools.catalog import Catalog
from workspace.tools.tool import Tool

FIND_TOOL = "svc_find_tools"  # every search would find it
MAX_RESULTS = 6
MAX_QUERY_WORDS = 40  # words of a query that are used; further words add nothing
SATURATION = 1.2  # k1 of BM25: how quickly repeated words stop adding to the score
FIELD_WEIGHTS = {"title": 4.0, "name": 2.0, "synonyms": 3.0, "short": 2.0, "description": 1.0, "arguments": 0.4}
LENGTH_SHARES = {"title": 0.3, "name": 0.3, "synonyms": 0.5, "short": 0.3, "description": 0.6, "arguments": 0.8}
PHRASE_WEIGHT = 0.5  # share of the rarity of a synonym's words that is added if the query has all of them
TRANSLATED_WEIGHT = 0.8  # of a word that the query does not contain itself
_WORD = re.compile(r"[^\W_]+")
_ENDINGS = ("ings", "ing", "ies", "ed", "en", "es", "er", "as", "os", "s", "e", "y", "n", "o", "a")


class Argument(TypedDict):
    name: str
    type: str
    required: bool
    description: str


class ToolMatch(TypedDict):
    name: str
    title: str
    description: str
    product: str
    arguments: list[Argument]
    connected: bool
    why_not: str


class ToolMatches(TypedDict):
    tools: list[ToolMatch]


class ToolIndex:
    """An index of a catalog's tools with the weights of their words."""

    def __init__(self, catalog: Catalog) -> None:
        self.weights = _weigh_words([tool for tool in catalog if tool.name != FIND_TOOL])
        counts = Counter(word for weights in self.weights.values() for word in weights)
        total = len(self.weights)
        self.phrases = {tool: list(_synonym_phrases(tool)) for tool in self.weights}
        self.rarity = {word: math.log(1 + (total - count + 0.5) / (count + 0.5)) for word, count in counts.items()}

    def search(self, query: str) -> list[Tool[Any]]:
        """Return the matching tools, best first. The list is empty if no word matches.

        A destructive tool is first only if the query has a verb of its title, in any language.
        """
        words = _expand_words(query)
        stems = {stem for variants in words for stem, share in variants.items() if share == 1}
        scores = {
            tool: self._score(words, weights) + self._phrase_bonus(stems, tool)
            for tool, weights in self.weights.items()
        }
        ranked = sorted(scores, key=lambda tool: -scores[tool])  # ties keep the order of the catalog
        found = [tool for tool in ranked[:MAX_RESULTS] if scores[tool] > 0]
        verbs = {stem for variants in words for stem in variants if stem in _VERB_STEMS}
        harmless = [tool for tool in found if not tool.destructive or verbs & set(_stems(tool.title))]
        return [*harmless[:1], *(tool for tool in found if tool not in harmless[:1])]

    def _phrase_bonus(self, stems: set[str], tool: Tool[Any]) -> float:
        """Return a bonus for the rarest synonym of several words that the query contains."""
        found = [phrase for phrase in self.phrases[tool] if phrase <= stems]
        return PHRASE_WEIGHT * max((sum(self.rarity[stem] for stem in phrase) for phrase in found), default=0)

    def _score(self, words: list[dict[str, float]], weights: Mapping[str, float]) -> float:
        """Return the sum over the query's words. Each counts with the best of its variants."""
        return sum(
            max(
                (share * self.rarity[stem] * weights[stem] for stem, share in variants.items() if stem in weights),
                default=0,
            )
            for variants in words
        )


def _synonym_phrases(tool: Tool[Any]) -> Iterator[frozenset[str]]:
    """Yield the stems of each synonym that has several words."""
    for phrase in tool.synonyms.split(","):
        stems = frozenset(_stems(phrase))
        if len(stems) > 1:
            yield stems


def _weigh_words(tools: list[Tool[Any]]) -> dict[Tool[Any], dict[str, float]]:
    """Return the weight of each word for each tool: BM25F's frequency over all fields, saturated."""
    fields = {tool: {name: Counter(_stems(text)) for name, text in _field_texts(tool).items()} for tool in tools}
    lengths = {
        name: sum(counts[name].total() for counts in fields.values()) / len(tools) or 1 for name in FIELD_WEIGHTS
    }
    found = {}
    for tool, counts in fields.items():
        frequencies: defaultdict[str, float] = defaultdict(float)
        for name, words in counts.items():
            length = 1 + LENGTH_SHARES[name] * (words.total() / lengths[name] - 1)
            for word, count in words.items():
                frequencies[word] += FIELD_WEIGHTS[name] * count / length
        found[tool] = {word: value * (SATURATION + 1) / (value + SATURATION) for word, value in frequencies.items()}
    return found


def _field_texts(tool: Tool[Any]) -> dict[str, str]:
    return {
        "title": f"{tool.title} {tool.product_title}",
        "name": " ".join(tool.name_parts),
        "synonyms": tool.synonyms,
        "short": tool.short,
        "description": tool.description,
        "arguments": " ".join(_argument_names(tool.input_schema)),
    }


def _expand_words(query: str) -> list[dict[str, float]]:
    """Return the stems for each word of the query: its own, and those of words with the same meaning."""
    words = [word for word in _WORD.findall(search_key(query)) if _is_significant(word)][:MAX_QUERY_WORDS]
    found = []
    for word in dict.fromkeys(words):
        stem = _stem(word)
        meant = _MEANINGS.get(word) or _STEM_MEANINGS.get(stem, [])
        found.append({**dict.fromkeys(meant, TRANSLATED_WEIGHT), stem: 1.0})
    return found


def search_answer(tools: list[Tool[Any]], caller: Caller) -> Answer[ToolMatches]:
    rows = [_match_data(tool, caller) for tool in tools]
    if not rows:
        text = "No tool matches. Try other words, or call svc_list_products to see what each product does."
        return Answer({"tools": rows}, text)
    return Answer({"tools": rows}, "\n".join(["Best matches:", "", *map(_format_match, rows)]))


def _match_data(tool: Tool[Any], caller: Caller) -> ToolMatch:
    why_not = caller.product_denial_reason(tool.product, tool.product_title)
    if not why_not and not tool.reads and not caller.can_write:
        why_not = "it makes changes, and this connection is read-only"
    if not why_not:
        why_not = caller.tool_denial_reason(tool)
    return {
        "name": tool.name,
        "title": tool.title,
        "description": " ".join(tool.description.split()),
        "product": tool.product_title,
        "arguments": list(_list_arguments(tool)),
        "connected": not why_not,
        "why_not": why_not,
    }


def _format_match(row: ToolMatch) -> str:
    argument_texts = [
        f"  - {argument['name']} ({argument['type']}{', required' if argument['required'] else ''})"
        + (f": {argument['description']}" if argument["description"] else "")
        for argument in row["arguments"]
    ]
    has = "Available." if row["connected"] else f"Not available to this connection: {row['why_not']}."
    return "\n".join(
        [f"- **{row['name']}**, {row['title']} ({row['product']}). {row['description']} {has}", *argument_texts]
    )


def _list_arguments(tool: Tool[Any]) -> Iterator[Argument]:
    required = tool.input_schema.get("required", [])
    for name, part in tool.input_schema["properties"].items():
        yield {
            "name": name,
            "type": " or ".join(str(choice) for choice in part.get("enum", [])) or part.get("type", "object"),
            "required": name in required,
            "description": part.get("description", ""),
        }


def _argument_names(node: Any) -> Iterator[str]:
    if isinstance(node, dict):
        yield from node.get("properties", {})
        for part in node.values():
            yield from _argument_names(part)
    elif isinstance(node, list):
        for part in node:
            yield from _argument_names(part)


def _stems(text: str) -> Iterator[str]:
    for word in _WORD.findall(search_key(text)):
        if _is_significant(word):
            yield _stem(word)


def _is_significant(word: str) -> bool:
    return len(word) > 1 and word not in STOP_WORDS


def _stem(word: str) -> str:
    """Remove the most frequent endings of any of the languages from a word."""
    return next((word[: -len(end)] for end in _ENDINGS if word.endswith(end) and len(word) > len(end) + 2), word)


def _read_meanings() -> dict[str, list[str]]:
    """Return, for each foreign word, the stems of the words in tools that mean the same."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for meant, text in [*VERBS.items(), *NOUNS.items()]:
        for word in _WORD.findall(search_key(text)):
            found[word].append(_stem(meant))
    return dict(found)


_MEANINGS = _read_meanings()
_STEM_MEANINGS = {_stem(word): meant for word, meant in _MEANINGS.items()}
_VERB_STEMS = frozenset(_stem(verb) for verb in VERBS)
