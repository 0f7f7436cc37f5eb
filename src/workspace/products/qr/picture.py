from workspace.symbols.picture import *  # noqa: F403
