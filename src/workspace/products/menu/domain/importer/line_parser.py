"""Parsing one line of a menu from an email or a text file, such as `Margherita ..... 8,50`.

`text_parser.py` combines the lines into sections, dishes and descriptions.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from workspace.lib.text import search_key
from workspace.products.menu import messages
from workspace.products.menu.domain.importer.dish_mark_parser import (
    AMOUNT_PATTERN,
    MONEY_PATTERN,
    DishMarks,
    parse_mark_group,
    split_price_marks,
    split_trailing_marks,
)
from workspace.products.menu.domain.importer.draft import PriceFormat, parse_choices, parse_price_fields

MAX_LINE_LENGTH = 400  # maximum length of a line with a price; a longer line is text
_LEADER = re.compile(r"\s*(?:\.{2,}|…[.…]*|_{2,}|·{2,}|-{3,}|[–—]{2,}|\s[.·](?:\s[.·])+)\s*")
_SIZE = (
    r"(?:\d{1,4}(?:[.,/]\d{1,3})?\s?(?:l|cl|ml|dl|lt|g|gr|kg|cm|oz|pcs|stk|er)\b\.?|"
    r"(?:klein|mittel|gro(?:ß|ss)|normal|small|medium|regular|large|single|double|glass|bottle|carafe|half|whole|"
    r"glas|flasche|karaffe|krug|portion|peque[ñn][oa]|median[oa]|grande|copa|botella|media|entera|raci[óo]n|tapa|"
    r"copo|garrafa|jarro|caneca|dose|meia dose|ch[áa]vena|fatia|inteir[ao]|unidade|caña|jarra|pinta|pint|cup|mug|"
    r"s|m|l|xl)(?![\w’']))"
)
_NOTES = (
    r"(?:market price|price on request|on request|seasonal price|free|tagespreis|nach tagespreis|zum tagespreis|"
    r"marktpreis|auf anfrage|preis auf anfrage|gratis|kostenlos|inklusive|precio de mercado|precio seg[úu]n mercado|"
    r"seg[úu]n mercado|s/m|consultar|a consultar|preço do dia|"
    r"preço de mercado|preço sob consulta|sob consulta|gr[áa]tis|precio a consultar|m\.p\.)"
)
_NOTE_LINE = re.compile(rf"(.+?)[\s:–—-]+({_NOTES})", re.IGNORECASE)
_FOR_COUNT = r"\d{1,3}\s*(?:por|for|für|x|stk|stück|un|uds?|pcs)?\.?"  # "1.30 / 2 for 2.40"
_ALTERNATIVES = r"([^\W\d_]+)\s+(?:or|oder|o|u|ou)\s+([^\W\d_]+)$"  # "honey or jam 7.50 / 8.50"
_FOR_ALL = r"(?:all|everything|alle|alles|tod[oa]s?|tudo|cada un[oa]|cada|je|jeweils)(?:\s(?:at|for|a|por|um|zu|je))?"
_EACH = r"(?:each|all|je|jeweils|alle|cada un[oa]|cada uma?|cada|por unidade?)"
_YEAR = re.compile(r"(?:19|20)\d\d")
_NOT_A_PRICE = re.compile(r"(?:tel|phone|fax|nr|no|n°|seit|since|desde|§)\.?:?\s*$", re.IGNORECASE)
_NAME_SEPARATOR = re.compile(r"\s+[–—-]\s+|:\s+|\s{2,}")
_HEADING_WORDS = """
    starters appetizers appetisers snacks tapas antipasti soups salads mains main courses course dishes pasta pizza
    pizzas burgers grill sides side desserts dessert sweets drinks beverages hot cold soft coffee tea beer beers wine
    wines red white rosé sparkling cocktails spirits juices breakfast brunch lunch dinner kids specials sandwiches
    vorspeisen suppen salate hauptspeisen hauptgerichte hauptgänge beilagen nachspeisen nachtisch süßes süßspeisen
    kuchen torten getränke heiße warme kalte heißgetränke kaltgetränke alkoholfreie alkoholfreies kaffee tee bier biere
    wein weine rotwein rotweine weißwein weißweine schnaps säfte frühstück mittagstisch kinder fisch fleisch nudeln
    entrantes entradas aperitivos sopas ensaladas principales platos segundos primeros guarniciones postres bebidas
    cafés café té tés cervezas vinos tintos blancos carnes pescados arroces bocadillos desayunos menú niños infantil
    entradas petiscos sopas saladas pratos leves principais peixes peixe carne massas sobremesas acompanhamentos bebidas
    vinhos tinto branco verde cervejas sumos refrigerantes águas cafetaria pastelaria pequeno almoço bolos sandes tostas
    fish meat vegetarian vegan vegetarisch fleischgerichte fischgerichte
"""
_FILLER_WORDS = {"and", "&", "und", "y", "e", "et", "of", "the", "for", "für", "para", "de", "+", "/", "-"}
_KNOWN_WORDS = frozenset(map(search_key, _HEADING_WORDS.split()))


@dataclass(frozen=True, slots=True)
class PricedLine:
    """A line with a price.

    `name` is empty if the line has only a price. `has_only_sizes` means that the line has only sizes of the dish above.
    `marks` are the marks after its prices. `is_unsure` means that words after the price were read as a description.
    """

    name: str
    fields: dict[str, Any] = field(default_factory=dict)
    has_only_sizes: bool = False
    marks: DishMarks = field(default_factory=DishMarks)
    is_unsure: bool = False


def parse_line(text: str, prices: PriceFormat, codes: Collection[str] = ()) -> PricedLine | None:
    """Return the dish in a line, or None for a line without a price.

    Raise ValueError with a human-readable message if the price is ambiguous. `codes` are those in the menu's legend.
    """
    if len(text) > MAX_LINE_LENGTH:
        return None
    if "\t" in text:
        return _parse_cells([cell.strip() for cell in text.split("\t") if cell.strip()], prices)
    # long runs of blanks would make the patterns slow
    line = _LEADER.sub("  ", re.sub(r"\s{3,}", "  ", _replace_apostrophes(text))).strip()
    price = prices.pattern
    line, extra = _split_extra(line, price, prices)
    line, marks = split_price_marks(line, price, codes)
    if (group := re.fullmatch(rf"(.+?[\s:–—-]{_NOTES})\s*[(\[]([^()\[\]]{{1,100}})[)\]]", line, re.IGNORECASE)) and (
        behind := parse_mark_group(group[2])
    ):
        line, marks = group[1], behind
    priced_line, more, unsure = _parse_words(line, price, prices), "", False
    if priced_line is None:
        shorter, more, unsure = _split_after_last_price(line)
        priced_line = _parse_words(shorter, price, prices) if more else None
    if priced_line is None or (not priced_line.name and more):
        return None
    fields, name = {**priced_line.fields, **extra}, priced_line.name
    if more:
        fields["description"] = ", ".join(filter(None, [fields.get("description"), more]))
    if MONEY_PATTERN.search(name) or MONEY_PATTERN.search(fields.get("description", "")):
        raise ValueError(str(messages.SEVERAL_PRICES))
    name, dish_marks = split_trailing_marks(name, codes)
    marks.merge(dish_marks)
    return PricedLine(name, fields, priced_line.has_only_sizes, marks, unsure)


def parse_first_price(text: str, prices: PriceFormat) -> PricedLine | None:
    """Parse a line that `parse_line` cannot parse. The text before the first amount becomes the name.

    Return None if there is no name. Raise ValueError if the price is ambiguous.
    """
    line = _LEADER.sub("  ", re.sub(r"\s{3,}", "  ", _replace_apostrophes(text[:MAX_LINE_LENGTH]))).strip()
    amount = MONEY_PATTERN.search(line) or AMOUNT_PATTERN.search(line)
    if amount is None:
        return None
    before, behind = line[: amount.start()].strip(" –—-:,·|+"), line[amount.end() :].strip(" –—-:,·|+")
    name, about = (before, behind) if before else (behind, "")
    if not name:
        return None
    return PricedLine(
        name, {**parse_price_fields(amount[0], prices), **({"description": about} if about else {})}, is_unsure=True
    )


def parse_common_price(text: str, prices: PriceFormat) -> PricedLine | None:
    """Return section and price from a line that sets the price of all dishes below it: `SIDES - all £3.50`.

    Return None for any other line, and for an ambiguous price.
    """
    line = " ".join(text[:MAX_LINE_LENGTH].split())
    match = re.fullmatch(rf"(.+?)[\s:,(–—-]+{_FOR_ALL}\s+({prices.pattern})\)?", line, re.IGNORECASE)
    if match is None or not (is_heading(match[1]) or could_be_heading(match[1])):
        each = re.fullmatch(rf"(.+?)[\s:,(–—-]+({prices.pattern})\s+{_EACH}\)?", line, re.IGNORECASE)
        match = each if each and is_heading(each[1]) else None
    try:
        return PricedLine(match[1].strip(" :,–—-"), parse_price_fields(match[2], prices)) if match else None
    except ValueError:
        return None


def _replace_apostrophes(text: str) -> str:
    """Replace apostrophes in prices with commas: `21'90€`."""
    return re.sub(r"(?<=\d)['’´](?=\d\d(?!\d))", ",", text)


def _split_extra(line: str, price: str, prices: PriceFormat) -> tuple[str, dict[str, Any]]:
    """Split a paid extra from the end of a line: `Toast £9 add an egg +£2`. Return the line and the extra."""
    *_, last = [None, *re.finditer(r"(?:\s\s|\s?[|·,;]\s?|\s)(?:add|extra|with|mit|con|com)\s", line, re.IGNORECASE)]
    if last is None or not MONEY_PATTERN.search(line[: last.start()]):
        return line, {}
    extra = re.fullmatch(rf"([^+\d]{{1,80}}?)\s\+\s?({price})", line[last.end() :])
    if extra is None:
        return line, {}
    return line[: last.start()], {"add_ons": parse_choices(f"{extra[1].replace(';', ',')} {extra[2]}", prices)}


def _split_after_last_price(line: str) -> tuple[str, str, bool]:
    """Return the line up to its last amount, the words after it, and whether they may be no description."""
    *_, last = [None, *MONEY_PATTERN.finditer(line)]
    tail = line[last.end() :].strip() if last else ""
    if last is None or not tail or len(tail) > 120 or not re.match(r"[(\[\w]", tail):
        return line, "", False
    in_brackets = re.fullmatch(r"[(\[]([^()\[\]]+)[)\]]", tail)
    return line[: last.end()], in_brackets[1] if in_brackets else tail, in_brackets is None


def _parse_words(line: str, price: str, prices: PriceFormat) -> PricedLine | None:
    """Parse a line without marks. Raise ValueError if a price is ambiguous."""
    if priced_line := _parse_sizes(line, price, prices):
        return priced_line
    match = re.fullmatch(rf"(.*?)(\s+|[:–—-]\s*|^)((?:(?:from|ab|desde|da|dès)\s+)?{price})", line, re.IGNORECASE)
    if match and _is_price(match[1], match[2], match[3]):
        return _build_line(match[1], parse_price_fields(match[3], prices))
    first = re.fullmatch(rf"({price})(?:\s+|\s*[:–—-]\s+)(\D.*)", line)
    # a number at the start counts dishes, unless it is written like money
    if first and re.search(r"[.,]\d\d(?!\d)|[^\d.,\s]", first[1]):
        return _build_line(first[2], parse_price_fields(first[1], prices))
    if note := _NOTE_LINE.fullmatch(line):
        return _build_line(note[1], {"price_note": note[2]})
    return None


def is_heading(text: str) -> bool:
    """Return whether a line without a price looks like the name of a section."""
    words = [word.strip(".:()!*") for word in text.split()]
    letters = [char for char in text if char.isalpha()]
    capitals = len(letters) > 2 and all(not char.islower() for char in letters) and any(map(str.isupper, letters))
    known = all(search_key(word) in _KNOWN_WORDS or word.lower() in _FILLER_WORDS for word in words) and len(words) <= 6
    return bool(words) and len(text) <= 80 and (text.endswith(":") or capitals or known)


def could_be_heading(text: str) -> bool:
    """Return whether a line may be the name of a section, although it may also be the description of a dish."""
    bare = re.sub(r"\([^()]*\)", "", text)  # "Children (up to 12)"
    return len(text) <= 40 and len(text.split()) <= 4 and not re.search(r"[,.;\d]", bare) and not text[0].islower()


def _build_line(name: str, fields: dict[str, Any]) -> PricedLine:
    name = name.strip(" .,;:–—-…·*|")
    parts = re.split(r"\s+[–—-]\s+", name, maxsplit=1)
    if len(parts) == 2 and ("," in parts[1] or parts[1][:1].islower()):
        return PricedLine(parts[0], {"description": parts[1], **fields})
    return PricedLine(name, fields, has_only_sizes=bool(re.fullmatch(_SIZE, name, re.IGNORECASE)))


def _is_price(before: str, between: str, price: str) -> bool:
    """Return whether a number at the end of a line is a price.

    It may also be a year, a phone number or one of several numbers.
    """
    if not price.isdigit():
        return True
    if len(price) > 4 or _YEAR.fullmatch(price) or _NOT_A_PRICE.search(before):
        return False
    return len(between) > 1 or not before or not before[-1].isdigit()


def _parse_sizes(line: str, price: str, prices: PriceFormat) -> PricedLine | None:
    """Parse sizes that have a price each: `Cola 0,2 l 2,50 / 0,4 l 3,90`, `Soup: small 4; large 6`.

    Raise ValueError if a price is ambiguous.
    """
    sized = list(re.finditer(rf"(?<![\w,.])({_SIZE})\s*[:=]?\s+({price})(?=\s|[/;|,]|$)", line, re.IGNORECASE))
    if len(sized) > 1 and re.fullmatch(r"[\s/;|,]*", line[sized[-1].end() :]):
        between = [line[match.end() : other.start()] for match, other in pairwise(sized)]
        if all(re.fullmatch(r"[\s/;|,]*", gap) for gap in between):
            return _build_variants(line[: sized[0].start()], [(match[1], match[2]) for match in sized], prices)
    pieces = re.split(r"\s*[/;|]\s*", line)
    ends = [re.fullmatch(rf"(.*?)\s*({price})", piece, re.IGNORECASE) for piece in pieces]
    first = len(ends)
    while first and ends[first - 1]:
        first -= 1
    tail = [match for match in ends[first:] if match]
    if len(tail) < 2:
        return None
    head, _mark, label = _split_size(" / ".join([*pieces[:first], tail[0][1]]))
    labels = [label, *(item[1].strip(" :–—-") for item in tail[1:])]
    if not labels[0] and all(re.fullmatch(_FOR_COUNT, label, re.IGNORECASE) for label in labels[1:]):
        head, labels = tail[0][1], ["1", *(label.split()[0] for label in labels[1:])]
    elif (
        not any(labels) and len(labels) == 2 and (either := re.search(_ALTERNATIVES, tail[0][1].strip(), re.IGNORECASE))
    ):
        head, labels = tail[0][1], [either[1], either[2]]
    if not all(labels):
        raise ValueError(str(messages.SEVERAL_PRICES))
    return _build_variants(head, [(label, match[2]) for label, match in zip(labels, tail, strict=True)], prices)


def _split_size(text: str) -> tuple[str, str, str]:
    """Return the name, the separator and the first size, which is empty if it cannot be determined."""
    if size := re.search(rf"(?<![\w,.])({_SIZE})$", text, re.IGNORECASE):
        return text[: size.start()], "", size[1]
    *_, last = [None, *_NAME_SEPARATOR.finditer(text)]
    return (text[: last.start()], last[0], text[last.end() :]) if last else (text, "", "")


def _build_variants(name: str, sizes: list[tuple[str, str]], prices: PriceFormat) -> PricedLine:
    text = "; ".join(f"{label.strip(' :=')} {price}" for label, price in sizes)
    line = _build_line(name, {"variants": parse_choices(text, prices)})
    return PricedLine(line.name, line.fields, has_only_sizes=not line.name)


def _parse_cells(cells: list[str], prices: PriceFormat) -> PricedLine | None:
    """Parse a row of a spreadsheet: name, description and price in any order."""
    price = prices.pattern
    number, rest = ([cells[0]], cells[1:]) if len(cells) > 2 and cells[0].strip(".)").isdigit() else ([], cells)
    costs = [cell for cell in rest if re.fullmatch(price, cell)]
    words = [cell for cell in rest if cell not in costs]
    if len(costs) > 1:
        raise ValueError(str(messages.SEVERAL_PRICE_COLUMNS))
    marks = DishMarks()
    for cell in words[1:]:
        if (read := parse_mark_group(cell.strip("()[]"), is_bare=True)) is not None:
            marks.merge(read)
            words.remove(cell)
    notes = [cell for cell in words[1:] if re.fullmatch(_NOTES, cell, re.IGNORECASE)]
    if not words or (len(words) == 1 and not costs):
        return None
    data: dict[str, Any] = parse_price_fields(costs[0], prices) if costs else {}
    if notes:
        data["price_note"] = notes[0]
    if about := ", ".join(cell for cell in words[1:] if cell not in notes):
        data["description"] = about
    return PricedLine(" ".join([*number, words[0]]), data, marks=marks)
