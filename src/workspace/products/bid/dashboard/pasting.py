"""Lines out of a spreadsheet: columns apart by tabs, semicolons or commas. The first column that is no number is the
name; of the numbers, one is the price, two are quantity and price, of three the last is their product."""

from __future__ import annotations

import csv
import re
from decimal import Decimal
from io import StringIO
from typing import Any

from workspace.toolkit import numerals
from workspace.toolkit.errors import InvalidInput

MOST = 500
_SIGNS = re.compile(r"[€$£¥]|\b[A-Z]{3}\b")


def lines_of(text: str) -> list[dict[str, Any]]:
    """As `svc_bid_edit` takes them. Raises InvalidInput at `text` for what has no lines in it."""
    rows = [row for row in _table(text) if any(cell.strip() for cell in row)]
    found = [line for row in rows if (line := _line([cell.strip() for cell in row])) is not None]
    if not found:
        raise InvalidInput.at("text", "No line has a name and a price: copy these two columns at least")
    if len(found) > MOST:
        raise InvalidInput.at("text", f"At most {MOST} lines")
    return found


def _table(text: str) -> list[list[str]]:
    first = next((line for line in text.splitlines() if line.strip()), "")
    sign = "\t" if "\t" in first else ";" if ";" in first else ","
    try:
        return list(csv.reader(StringIO(text), delimiter=sign))
    except csv.Error:
        raise InvalidInput.at("text", "These are no rows of a spreadsheet") from None


def _line(cells: list[str]) -> dict[str, Any] | None:
    name, numbers, words = "", [], []
    for cell in cells:
        number = _number(cell)
        if number is not None:
            numbers.append(number)
        elif cell and not name:
            name = cell
        elif cell:
            words.append(cell)
    if not name or not numbers:
        return None  # a heading, or a total
    quantity, price = (numbers[0], numbers[1]) if len(numbers) > 1 else (Decimal(1), numbers[0])
    unit = words.pop(0) if len(numbers) > 1 and words and len(words[0]) <= 12 else ""
    return {
        "name": name[:200],
        "quantity": float(quantity),
        "unit_price": float(price),
        **({"unit": unit} if unit else {}),
        **({"description": " · ".join(words)[:2000]} if words else {}),
    }


def _number(cell: str) -> Decimal | None:
    plain = _SIGNS.sub("", cell).strip()
    if not any(char.isdigit() for char in plain):
        return None
    for decimals in (2, 4):  # 1,250 with two decimals is a thousand
        try:
            return numerals.read(plain, decimals)
        except ValueError:
            continue
    return None
