"""Time limits, in seconds, for waiting for the database.

An administrator's command can wait. A server must respond to reads within a second and to writes within five.
"""

from __future__ import annotations

WRITE_TIMEOUT_SECONDS = (
    3.5  # a server's write, including the wait for the lock; the rest of the five seconds is for other work
)
READ_TIMEOUT_SECONDS = 0.8  # for a server's read that meets a lock, which is rare on SQLite
COMMAND_TIMEOUT_SECONDS = 20.0
STATEMENT_TIMEOUT_SECONDS = 30.0  # for any statement of a server

_is_server = False


def mark_as_server() -> None:
    """Use the shorter limits of a server in this process. Call it before the first connection is opened."""
    global _is_server
    _is_server = True


def is_server() -> bool:
    return _is_server


def write_timeout() -> float:
    return WRITE_TIMEOUT_SECONDS if _is_server else COMMAND_TIMEOUT_SECONDS


def read_timeout() -> float:
    return READ_TIMEOUT_SECONDS if _is_server else COMMAND_TIMEOUT_SECONDS
