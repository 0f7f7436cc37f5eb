"""Accounts created by tools with random arguments: variations of the samples within the tools' schemas."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from datetime import timedelta
from random import Random
from typing import Any

from tests.across.samples import PRODUCTS, SAMPLES
from workspace.interfaces.tool_catalog import CATALOG
from workspace.lib import clock
from workspace.testing.api import Api

Schema = dict[str, Any]
TEXTS = [
    "Ágnes Ünal-Öztürk", "日本語のメニュー", "مطعم البحر", "קפה הבוקר", "👩‍🍳 Chef’s special", "ﬁne \u200bprint",
    "a", "0", "Line one\nLine two\n\n- a list\n- of two", "<b>not bold</b> & \"quoted\"", "=HYPERLINK(1)", "é" * 30,
    "x" * 70, "O'Hara \\ back", "{name} {course}", "50 % off — today’s price: €7,80", "ﷺ İıŞş ß ẞ ǅ", "tab\tinside",
    " padded ",
]  # fmt: skip
EMAILS = ["a@example.com", "UPPER.case+tag@Example.CO.UK", "o'hara@example.org", "jörg@example.com", "x@müller.example"]
URLS = ["example.com", "http://example.com/a b", "https://müller.example/ü?q=1&r=%20#top", "https://192.0.2.1:8443/x"]
COLORS = ["#000000", "#FFFFFF", "#1d6b8f", "#abc", "red"]
ZONES = ["UTC", "Europe/Vienna", "America/Argentina/Buenos_Aires", "Asia/Kathmandu", "Pacific/Chatham"]
PHONES = ["+43 660 1234567", "0043 (0)1 234 56 78", "555-0100", "+1 (415) 555-2671 x12"]


def fill(api: Api, random: Random, calls: int = 12) -> tuple[int, int]:
    """Create a product's samples, then call its tools with random arguments.

    Return the number of accepted calls, and the number of all calls.
    """
    product = random.choice(PRODUCTS)
    made = product.create_samples(api)
    tools = [tool for tool in CATALOG if tool.name in product.SAMPLES and not tool.reads]
    accepted = 0
    for _ in range(calls if tools else 0):
        tool = random.choice(tools)
        arguments = vary(deepcopy(SAMPLES[tool.name](made)), tool.input_schema, random)
        status, body = api.post("call", {"name": tool.name, "arguments": arguments})
        assert status < 500, (tool.name, arguments, body)
        accepted += status == 200
    return accepted, calls if tools else 0


def vary(arguments: dict[str, Any], schema: Schema, random: Random) -> dict[str, Any]:
    """Return the arguments with one to three other members."""
    defs = schema.get("$defs", {})
    for _ in range(random.randint(1, 3)):
        at, inner = arguments, schema
        while True:
            names = [name for name in inner.get("properties", {}) if not _is_id(name)]
            if not names:
                break
            name = random.choice(names)
            child = _resolve_schema(inner["properties"][name], defs, random)
            deeper = at.get(name)
            if isinstance(deeper, list) and deeper and isinstance(deeper[0], dict):
                deeper, child = random.choice(deeper), _resolve_schema(child.get("items", {}), defs, random)
            if isinstance(deeper, dict) and child.get("properties") and random.random() < 0.8:
                at, inner = deeper, child
                continue
            at[name] = value(name, child, defs, random)
            break
    return arguments


def value(name: str, schema: Schema, defs: Schema, random: Random, depth: int = 0) -> Any:
    """Return a value that the schema allows."""
    schema = _resolve_schema(schema, defs, random)
    if "const" in schema or "enum" in schema:
        return schema.get("const") if "const" in schema else random.choice(schema["enum"])
    kind = schema.get("type")
    if isinstance(kind, list):
        kind = random.choice(kind)
    if kind == "boolean":
        return random.random() < 0.5
    if kind in ("integer", "number"):
        least, most = schema.get("minimum", 0), schema.get("maximum", 100_000)
        whole = random.choice([least, most, random.randint(int(least), int(most))])
        return whole if kind == "integer" else random.choice([whole, round(random.uniform(least, most), 2)])
    if kind == "array":
        most = min(schema.get("maxItems", 3), 3)
        some = range(random.randint(min(schema.get("minItems", 0), most), most))
        return [value(name, schema.get("items", {}), defs, random, depth + 1) for _ in some]
    if kind == "object" and depth < 4:
        members, needed = schema.get("properties", {}), schema.get("required", ())
        chosen = [key for key in members if key in needed or (random.random() < 0.6 and not _is_id(key))]
        return {key: value(key, members[key], defs, random, depth + 1) for key in chosen}
    return _text(name, schema, random) if kind == "string" else random.choice(TEXTS)


def _text(name: str, schema: Schema, random: Random) -> str:
    soon = clock.now() + timedelta(minutes=random.randint(1, 10**6))
    ways: list[tuple[Callable[[str], bool], list[str]]] = [
        (lambda name: schema.get("format") == "date" or name in ("date", "day", "valid_until"), [f"{soon:%Y-%m-%d}"]),
        (lambda name: "email" in name, EMAILS),
        (lambda name: "url" in name or name in ("website", "hosts"), URLS),
        (lambda name: "colo" in name, COLORS),
        (lambda name: "zone" in name, ZONES),
        (lambda name: "phone" in name or name == "number", PHONES),
        (lambda name: name == "currency", ["EUR", "JPY", "KWD", "usd"]),
        (lambda name: name == "language" or name == "languages", ["de", "es", "en", "pt-br"]),
        (lambda name: name in ("from", "until", "start_time", "end_time"), ["09:30", "23:59", "00:00"]),
        (lambda name: name.endswith("_at") or name in ("start", "end", "closes_at"), [f"{soon:%Y-%m-%dT%H:%M}", ""]),
        (lambda name: name == "slug", [f"s{random.randint(1, 10**9)}"]),
    ]
    for fits, texts in ways:
        if fits(name):
            return random.choice(texts)
    text = random.choice(["", *TEXTS, *(f"{one} {random.randint(1, 99)}" for one in TEXTS)])
    return text[: schema.get("maxLength", 5000)]


def _is_id(name: str) -> bool:
    return (
        name == "id" or name.endswith(("_id", "_ids", "ids")) or name in ("order", "remove", "copy_of", "qr_style_from")
    )


def _resolve_schema(schema: Schema, defs: Schema, random: Random) -> Schema:
    while True:
        if "$ref" in schema:
            schema = defs[schema["$ref"].rsplit("/", 1)[1]]
        elif "anyOf" in schema:
            schema = random.choice(schema["anyOf"])
        else:
            return schema
