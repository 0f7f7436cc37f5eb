"""Comparison of ETags with If-None-Match."""

from __future__ import annotations

import pytest

from workspace.lib.etags import is_not_modified


@pytest.mark.parametrize(
    "header",
    ['"a1"', 'W/"a1"', '"b2", "a1"', '"b2",W/"a1" , "c3"', "*", " * ", '"a1" ', '"", "a1"', '"b, c", "a1"'],
)
@pytest.mark.parametrize("tag", ['"a1"', 'W/"a1"'])
def test_weak_tags_lists_and_the_star_match(tag: str, header: str) -> None:
    assert is_not_modified(tag, header)


@pytest.mark.parametrize(
    "header", [None, "", "a1", '"a"', '"A1"', '"a1', 'a1"', '"b2", "c3"', '"*"', 'w/"b2"', '"xa1"']
)
def test_other_values_do_not_match(header: str | None) -> None:
    assert not is_not_modified('"a1"', header)


def test_a_malicious_header_is_parsed_in_linear_time() -> None:
    assert not is_not_modified('"a1"', 'W/"' * 100_000)
    assert not is_not_modified('"a1"', '"' + "x" * 500_000)
