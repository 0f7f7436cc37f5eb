from workspace.symbols.style import *  # noqa: F403
