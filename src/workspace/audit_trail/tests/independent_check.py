"""The check from `docs/records.md`, with only Python's standard library and none of our code."""

from __future__ import annotations

import hashlib
import json
from typing import Any


def sha256(value: Any) -> str:
    text = (
        value
        if isinstance(value, str)
        else json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    )
    return hashlib.sha256(text.encode()).hexdigest()


def check(line: dict[str, Any]) -> None:
    """Check a single record."""
    record = line["record"]
    assert sha256(record) == line["hash"], f"record {record['number']} was changed"
    for person, digests in record["people"].items():
        for name, digest in digests.items():
            told = line["people"][person][name]
            if "erased" not in told:
                value = json.dumps(told["value"], sort_keys=True, separators=(",", ":"), ensure_ascii=False)
                assert sha256([told["salt"], f"{person}/{name}", value]) == digest, f"{person}.{name} was changed"


def check_all(lines: list[dict[str, Any]]) -> None:
    """Check a whole export."""
    *records, last = lines
    before = sha256(f"workspace-tools chain {last['end']['chain']}")
    for number, line in enumerate(records, 1):
        check(line)
        assert line["record"]["number"] == number, f"record {number} is missing"
        assert line["record"]["previous"] == before, f"record {number} follows another"
        before = line["hash"]
    assert (last["end"]["count"], last["end"]["head"]) == (len(records), before), "the end is missing"
