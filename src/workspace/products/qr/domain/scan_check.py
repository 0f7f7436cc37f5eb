"""The scan check: the verdict of two readers on a style, cached.

A check takes about half a second, so it must not run inside a transaction.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from django.conf import settings
from typing_extensions import TypedDict

from workspace.lib.lru_cache import BoundedCache
from workspace.qr_symbols.style import Style

if TYPE_CHECKING:
    from workspace.qr_symbols.scan_test import ScanReport

# The sample text for checking a style, as long as a random URL. The verdict is about the style, not the text.
SAMPLE_SLUG = "H7K3MNP"
_reports: BoundedCache[ScanReport] = BoundedCache(512)


class CheckResult(TypedDict):
    test: str
    reader: str
    passed: bool


class ScanVerdict(TypedDict):
    """The verdict of a scan check.

    `verdict` is good, risky or unsafe, and `score` is the share of readings that succeeded.
    """

    verdict: str
    score: float
    contrast: float
    advice: list[str]
    tests: list[CheckResult]


def get_scan_report(style: Style, text: str, logo: bytes | None) -> ScanReport:
    """Return the report. Raise UnsafeStyleError if the code cannot be rendered."""
    key = (style, text, blake2b(logo).digest() if logo else b"")
    report = _reports.get(key)
    if report is None:
        # imported late, because OpenCV and numpy take 30 MB that few servers need
        from workspace.qr_symbols.scan_test import check_scannability

        report = check_scannability(style, text, logo=logo)
        _reports.put(key, report, 1)
    return report


def get_style_report(style: Style, logo: bytes | None = None) -> ScanReport:
    """Return the report on a style, which does not depend on the URL."""
    return get_scan_report(style, sample_text(), logo)


def sample_text() -> str:
    """Return the text of a dynamic code of typical length."""
    return f"{settings.BASE_URL}/Q/{SAMPLE_SLUG}".upper()


def find_problem(report: ScanReport) -> str:
    """Return the reason why the style is unsafe, or an empty string if it is safe."""
    return report.advice[0] if report.verdict == "unsafe" else ""


def verdict_from_report(report: ScanReport) -> ScanVerdict:
    return {
        "verdict": report.verdict,
        "score": report.score,
        "contrast": report.contrast,
        "advice": list(report.advice),
        "tests": [{"test": test.test, "reader": test.reader, "passed": test.passed} for test in report.tests],
    }


def describe_verdict(verdict: ScanVerdict | Any) -> str:
    passed = sum(test["passed"] for test in verdict["tests"])
    return f"{verdict['verdict']}, {passed} of {len(verdict['tests'])} scans succeeded"
