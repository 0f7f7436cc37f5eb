"""The cost of the list of tools in each conversation, by product and tool, compared with full schemas."""

from __future__ import annotations

import os
import tempfile

os.environ.update(WORKSPACE_DATA=tempfile.mkdtemp(prefix="workspace-bench-"), WORKSPACE_BACKGROUND_WORKER="off")
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "workspace.settings")

import django

django.setup()

from workspace.interfaces.tool_catalog import CATALOG
from workspace.testing.tool_list_size import FIVE, MOST, MOST_FOR_FIVE, count_tokens


def main() -> None:
    for product in dict.fromkeys(tool.product for tool in CATALOG):
        tools = CATALOG.tools_for([product])
        full = count_tokens(tools, full=True)
        print(f"{product}: {len(tools)} tools, {count_tokens(tools):,} tokens ({full:,} in full)")
    for tool in sorted(CATALOG, key=lambda tool: -count_tokens([tool]))[:10]:
        print(f"  {count_tokens([tool]):,} {tool.name}")
    five = CATALOG.tools_for(FIVE)
    full = count_tokens(five, full=True)
    print(f"account and five products: {count_tokens(five):,} of {MOST_FOR_FIVE:,} ({full:,} in full)")
    print(f"all: {count_tokens(CATALOG):,} of {MOST:,}")


if __name__ == "__main__":
    main()
