from __future__ import annotations

from workspace.interfaces.tool_catalog import CATALOG
from workspace.testing.tool_list_size import FIVE, MOST, MOST_FOR_FIVE, count_tokens


def test_the_tool_list_that_a_model_reads_stays_within_its_token_budget() -> None:
    assert count_tokens(CATALOG.tools_for(FIVE)) <= MOST_FOR_FIVE, "see benchmarks/tool_list_tokens.py"
    assert count_tokens(CATALOG) <= MOST
