"""How long the database may keep somebody waiting, in seconds.

A command of the operator's can wait; who asks a server is answered: what only reads within a second, what writes within
five."""

from __future__ import annotations

WRITE_TIMEOUT_SECONDS = (
    3.5  # a server's write, from asking for its turn; the rest of the five seconds is for the work around it
)
READ_TIMEOUT_SECONDS = 0.8  # a server's statement that meets a lock though it only reads, which on SQLite is rare
COMMAND_TIMEOUT_SECONDS = 20.0
STATEMENT_TIMEOUT_SECONDS = 30.0  # any one statement of a server's

_is_server = False


def mark_as_server() -> None:
    """From here on this process answers people. Called before it opens its first connection."""
    global _is_server
    _is_server = True


def is_server() -> bool:
    return _is_server


def write_timeout() -> float:
    return WRITE_TIMEOUT_SECONDS if _is_server else COMMAND_TIMEOUT_SECONDS


def read_timeout() -> float:
    return READ_TIMEOUT_SECONDS if _is_server else COMMAND_TIMEOUT_SECONDS
