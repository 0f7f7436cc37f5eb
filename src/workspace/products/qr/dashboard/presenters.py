"""A code as its pages show it: the tool's data with what is only of interest to the eye."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from workspace.products.qr.domain.scan_check import ScanVerdict

TEST_LABELS = {
    "clean": "As it is",
    "blur": "Out of focus",
    "small": "From far away",
    "tilted": "At an angle",
    "dim": "In dim light",
    "screen": "On a screen",
}


def svg_data_url(svg: str) -> str:
    """A drawing for an img element: our policy lets pictures be data, and styles inside them bother nobody."""
    return "data:image/svg+xml," + quote(svg, safe="/ =:;,!*'()")


def present_verdict(report: ScanVerdict) -> dict[str, Any]:
    """What the verdict's part of a page takes: `readings` is a line a test, with each reader's answer."""
    tests = report["tests"]
    readings = [
        (words, [test["passed"] for test in tests if test["test"] == name]) for name, words in TEST_LABELS.items()
    ]
    return {"report": report, "readings": readings, "passed": sum(test["passed"] for test in tests)}
