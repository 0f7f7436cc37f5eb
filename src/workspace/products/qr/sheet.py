from workspace.symbols.sheet import *  # noqa: F403
