"""What the list of tools costs each conversation, by product and by tool, against the same with its full schemas."""

from __future__ import annotations

import os
import tempfile

os.environ.update(WORKSPACE_DATA=tempfile.mkdtemp(prefix="workspace-bench-"), WORKSPACE_OUTBOX="off")
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "workspace.settings")

import django

django.setup()

from workspace.interfaces.tool_catalog import CATALOGUE
from workspace.testing.mcp_budget import FIVE, MOST, MOST_FOR_FIVE, tokens


def main() -> None:
    for product in dict.fromkeys(tool.product for tool in CATALOGUE):
        tools = CATALOGUE.of([product])
        print(f"{product}: {len(tools)} tools, {tokens(tools):,} tokens ({tokens(tools, full=True):,} in full)")
    for tool in sorted(CATALOGUE, key=lambda tool: -tokens([tool]))[:10]:
        print(f"  {tokens([tool]):,} {tool.name}")
    five = CATALOGUE.of(FIVE)
    print(f"account and five products: {tokens(five):,} of {MOST_FOR_FIVE:,} ({tokens(five, full=True):,} in full)")
    print(f"all: {tokens(CATALOGUE):,} of {MOST:,}")


if __name__ == "__main__":
    main()
