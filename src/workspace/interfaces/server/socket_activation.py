"""A listening socket inherited from the parent process, as systemd passes it for a `.socket` unit.

It stays open while the service restarts, so that connections wait and are not refused.

The protocol is that of sd_listen_fds(3).
"""

import os
import socket
from typing import Any

import granian.net

FIRST_DESCRIPTOR = 3


def find_inherited_socket() -> int | None:
    """Return the descriptor of the inherited socket. Return None if the process must open its own."""
    is_for_us = os.environ.get("LISTEN_PID") == str(os.getpid()) and os.environ.get("LISTEN_FDS") == "1"
    return FIRST_DESCRIPTOR if is_for_us else None


def server_on_socket(server: type[Any], number: int) -> type[Any]:
    """Return a subclass of granian's class `server` that listens on the inherited socket."""
    holder: Any = granian.net.SocketHolder  # type: ignore[attr-defined]  # which takes more than its stubs say

    class Handed(server):
        def _init_shared_socket(self) -> None:
            self._shd, self._sfd = holder(number, False, self.backlog), number
            self._sso = socket.socket(fileno=os.dup(number))  # granian keeps it open for its workers

    return Handed
