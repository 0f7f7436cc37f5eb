from workspace.symbols.outline import *  # noqa: F403
