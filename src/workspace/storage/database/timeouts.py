"""How long the database may keep somebody waiting, in seconds. A command of the operator's can wait; who asks a server
is answered: what only reads within a second, what writes within five."""

from __future__ import annotations

WRITES = 3.5  # a server's write, from asking for its turn; the rest of the five seconds is for the work around it
READS = 0.8  # a server's statement that meets a lock though it only reads, which on SQLite is rare
COMMANDS = 20.0
STATEMENT = 30.0  # any one statement of a server's

_serving = False


def serve() -> None:
    """From here on this process answers people. Called before it opens its first connection."""
    global _serving
    _serving = True


def serving() -> bool:
    return _serving


def for_writing() -> float:
    return WRITES if _serving else COMMANDS


def for_reading() -> float:
    return READS if _serving else COMMANDS
