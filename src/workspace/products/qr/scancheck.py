from workspace.symbols.scancheck import *  # noqa: F403
