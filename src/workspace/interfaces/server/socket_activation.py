"""A listening socket that was handed over by who started this process, as systemd does for a `.socket` unit: it stays
open while the service is started anew, so that connections wait where they would be refused.

The protocol is that of sd_listen_fds(3).
"""

import os
import socket
from typing import Any

import granian.net

FIRST_DESCRIPTOR = 3


def find_inherited_socket() -> int | None:
    """The number of the socket that this process was given; None where it has to open one by itself."""
    is_for_us = os.environ.get("LISTEN_PID") == str(os.getpid()) and os.environ.get("LISTEN_FDS") == "1"
    return FIRST_DESCRIPTOR if is_for_us else None


def server_on_socket(server: type[Any], number: int) -> type[Any]:
    """granian's `server`, listening on that socket."""
    holder: Any = granian.net.SocketHolder  # type: ignore[attr-defined]  # which takes more than its stubs say

    class Handed(server):
        def _init_shared_socket(self) -> None:
            self._shd, self._sfd = holder(number, False, self.backlog), number
            self._sso = socket.socket(fileno=os.dup(number))  # which granian keeps open for its workers

    return Handed
