from workspace.symbols.draw import *  # noqa: F403
