"""What a caller has already, by If-None-Match."""

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
def test_everything_else_does_not(header: str | None) -> None:
    assert not is_not_modified('"a1"', header)


def test_a_header_made_to_hurt_is_read_in_one_go() -> None:
    assert not is_not_modified('"a1"', 'W/"' * 100_000)
    assert not is_not_modified('"a1"', '"' + "x" * 500_000)
