"""Presenters of codes: the tools' data with fields for display."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from workspace.owner_translation import owner_gettext_lazy
from workspace.products.qr.domain.scan_check import ScanVerdict

TEST_LABELS = {
    "clean": owner_gettext_lazy("Unchanged"),
    "blur": owner_gettext_lazy("Out of focus"),
    "small": owner_gettext_lazy("From far away"),
    "tilted": owner_gettext_lazy("At an angle"),
    "dim": owner_gettext_lazy("In dim light"),
    "screen": owner_gettext_lazy("On a screen"),
}


def svg_data_url(svg: str) -> str:
    """Return a data URL of an SVG for an img element.

    The content security policy allows such URLs, and styles inside them are harmless.
    """
    return "data:image/svg+xml," + quote(svg, safe="/ =:;,!*'()")


def present_verdict(report: ScanVerdict) -> dict[str, Any]:
    """Return the context of a verdict. `readings` has a row for each test, with the results of all readers."""
    tests = report["tests"]
    readings = [
        (words, [test["passed"] for test in tests if test["test"] == name]) for name, words in TEST_LABELS.items()
    ]
    return {"report": report, "readings": readings, "passed": sum(test["passed"] for test in tests)}
