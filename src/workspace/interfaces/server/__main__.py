"""`python -m workspace.interfaces.server TARGET`: serving an ASGI application from a lean process."""

import argparse

from workspace.interfaces.server.access_log import log
from workspace.interfaces.server.granian_server import PortInUseError, run_server


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m workspace.interfaces.server", description=__doc__)
    parser.add_argument("target", help="package.module:name of the ASGI application")
    parser.add_argument("--factory", action="store_true", help="call the target to get the application")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--workers", type=int, default=1, help="number of processes; one on SQLite")
    parser.add_argument("--drain-seconds", type=int, default=20, help="time for open requests to finish")
    given = parser.parse_args()
    try:
        run_server(
            given.target,
            host=given.host,
            port=given.port,
            workers=given.workers,
            factory=given.factory,
            drain_seconds=given.drain_seconds,
        )
    except PortInUseError as error:
        log.error("port_taken", message=f"{error} Choose another with PORT, or stop the other program.")
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
