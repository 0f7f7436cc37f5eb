from workspace.symbols.symbol import *  # noqa: F403
