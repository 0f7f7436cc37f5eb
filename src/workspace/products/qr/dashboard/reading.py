"""Will it scan? Two decoders' verdict on a look with its logo, worked out once for each look."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from workspace.symbols.scancheck import ScanReport, check
from workspace.symbols.style import Style

TESTS = {
    "clean": "As it is",
    "blur": "Out of focus",
    "small": "From far away",
    "tilted": "At an angle",
    "dim": "In dim light",
    "screen": "On a screen",
}


@lru_cache(maxsize=64)
def reading(style: Style, text: str, logo: bytes | None) -> ScanReport:
    """About half a second when it is new: never inside a transaction. Raises UnsafeStyle for what cannot be drawn."""
    return check(style, text, logo=logo)


def told(report: ScanReport) -> dict[str, Any]:
    """The same members as svc_qr_check answers."""
    return {
        "verdict": report.verdict,
        "contrast": report.contrast,
        "advice": list(report.advice),
        "tests": [{"test": test.test, "reader": test.reader, "passed": test.passed} for test in report.tests],
    }


def verdict_of(report: dict[str, Any]) -> dict[str, Any]:
    """What the verdict's part of a page takes, from the answer of svc_qr_check or its like."""
    tests = report["tests"]
    return {"report": report, "readings": _table(tests), "passed": sum(test["passed"] for test in tests)}


def _table(tests: list[dict[str, Any]]) -> list[tuple[str, list[bool]]]:
    """A line a test, with each reader's answer."""
    return [(words, [test["passed"] for test in tests if test["test"] == name]) for name, words in TESTS.items()]
