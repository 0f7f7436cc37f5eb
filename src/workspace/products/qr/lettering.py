from workspace.symbols.lettering import *  # noqa: F403
