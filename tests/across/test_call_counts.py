"""No call, page or post runs more statements or commits than recorded, and each case of the benchmark works."""

from __future__ import annotations

import os

import pytest

from tests import call_counts


@pytest.mark.skipif(bool(os.environ.get("WORKSPACE_TEST_DATABASE_URL")), reason="only SQLite reports its statements")
def test_calls_run_no_more_statements_and_commits_than_recorded() -> None:
    limits, found = call_counts.read_limits(), call_counts.count_calls()
    assert list(found) == list(limits)
    assert call_counts.list_excesses(limits, found) == []


def test_one_more_statement_or_commit_is_reported() -> None:
    limits = {"a post": [12, 1], "a page": [3, 0]}
    assert call_counts.list_excesses(limits, {"a post": [12, 1], "a page": [2, 0]}) == []
    assert call_counts.list_excesses(limits, {"a post": [13, 1]}) == [
        "a post: 13 statements and 1 commits, and 12 and 1 are allowed"
    ]
    assert len(call_counts.list_excesses(limits, {"a post": [12, 2], "a page": [3, 1], "a new one": [1, 0]})) == 3
