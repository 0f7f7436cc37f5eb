"""The real command in a separate process, and a small real HTTP service on loopback."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

SOURCE = Path(__file__).parents[1] / "src"
CATALOGUE = json.loads(Path(__file__).with_name("catalog.json").read_text())
KEY = "svc_live_0123456789abcdefghijABCDEFGHIJ"


@dataclass
class Request:
    method: str
    path: str
    query: dict[str, str]
    headers: dict[str, str]
    body: Any


@dataclass
class Reply:
    """A response of the service: an envelope or raw bytes. `hang_up` closes the connection without a response."""

    body: Any
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    hang_up: bool = False


def ok(data: Any, text: str = "Done.", **headers: str) -> Reply:
    return Reply({"ok": True, "text": text, "data": data}, headers=headers)


def refuse(status: int, error: str, message: str, **more: Any) -> Reply:
    return Reply({"ok": False, "error": error, "message": message, **more}, status)


class Service:
    """A service that answers tools by name from `tools` and other paths from `paths`, and records every request."""

    def __init__(self) -> None:
        self.requests: list[Request] = []
        self.catalogue: dict[str, Any] = json.loads(json.dumps(CATALOGUE))
        self.tools: dict[str, Callable[[dict[str, Any], Request], Reply]] = {
            "svc_me": lambda arguments, request: ok({"name": "Ada", "email": "ada@example.com"})
        }
        self.paths: dict[str, Callable[[Request], Reply]] = {}
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.005,), daemon=True)
        self._thread.start()
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def calls_of(self, name: str) -> list[Request]:
        """Return the calls of a tool, made by its own path or by name."""
        paths = {tool["name"]: tool["path"] for tool in self.catalogue["tools"]}
        return [
            request
            for request in self.requests
            if request.path == paths.get(name) or (request.path == "/api/v1/call" and request.body["name"] == name)
        ]

    def reply_to(self, request: Request) -> Reply:
        if request.path in self.paths:
            return self.paths[request.path](request)
        if request.path == "/api/v1/tools":
            return ok(self.catalogue)
        if request.headers.get("authorization") != f"Bearer {KEY}":
            return refuse(401, "unauthorized", "This key is not valid.")
        name, arguments = None, request.body
        if request.path == "/api/v1/call":
            name, arguments = request.body["name"], request.body["arguments"]
        for tool in self.catalogue["tools"]:
            if request.path == tool["path"]:
                name, arguments = tool["name"], request.body if request.method == "POST" else request.query
        if name not in self.tools:
            return refuse(404, "not_found", "There is no such tool.")
        return self.tools[name](arguments, request)


def _handler(service: Service) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            query = {name: values[0] for name, values in parse_qs(parts.query, keep_blank_values=True).items()}
            raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            headers = {name.lower(): value for name, value in self.headers.items()}
            request = Request(self.command, parts.path, query, headers, json.loads(raw) if raw else None)
            service.requests.append(request)
            reply = service.reply_to(request)
            if reply.hang_up:
                self.close_connection = True
                return
            body = reply.body if isinstance(reply.body, bytes) else json.dumps(reply.body).encode()
            self.send_response(reply.status)
            for name, value in reply.headers.items():
                self.send_header(name.replace("_", "-"), value)
            self.send_header("Content-Length", str(0 if reply.status == 304 else len(body)))
            self.end_headers()
            self.wfile.write(b"" if reply.status == 304 else body)

        do_POST = do_GET

        def log_message(self, *arguments: Any) -> None:
            pass

    return Handler


@dataclass
class Ran:
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


class Command:
    """The `svc` command in a separate process with its own home directory."""

    def __init__(self, home: Path, url: str) -> None:
        self.home = home
        self.env = {
            "PATH": os.environ["PATH"],
            "PYTHONPATH": str(SOURCE),
            "HOME": str(home),
            "XDG_CONFIG_HOME": str(home / "config"),
            "XDG_CACHE_HOME": str(home / "cache"),
            "XDG_STATE_HOME": str(home / "state"),
            "PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring",
            "SVC_BASE_URL": url,
            "SVC_API_KEY": KEY,
        }
        self.argv = [sys.executable, "-P", "-m", "svc"]

    def __call__(self, *arguments: str, stdin: str | bytes = b"", **env: str | None) -> Ran:
        given = stdin.encode() if isinstance(stdin, str) else stdin
        done = subprocess.run(
            [*self.argv, *arguments],
            input=given,
            env=self._env(env),
            capture_output=True,
            cwd=self.home,
            timeout=120,
        )
        return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())

    def write(self, content: str | bytes, name: str = "codes.csv") -> Path:
        """Create a file in the folder where the command runs."""
        path = self.home / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    def on_terminal(self, *arguments: str, typed: str = "", interrupt_at: str = "", **env: str | None) -> Ran:
        """Run with a terminal on all three streams. `out` contains everything shown.

        When the text `interrupt_at` appears, SIGINT is sent.
        """
        if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
            # a shell ignores it for background processes, and a child would inherit that
            signal.signal(signal.SIGINT, signal.default_int_handler)
        leader, follower = pty.openpty()
        process = subprocess.Popen(
            [*self.argv, *arguments],
            stdin=follower,
            stdout=follower,
            stderr=follower,
            env=self._env({"TERM": "xterm", "COLUMNS": "100", "LINES": "30", **env}),
            cwd=self.home,
            start_new_session=True,
        )
        os.close(follower)
        os.write(leader, typed.encode())
        shown = b""
        try:
            while block := os.read(leader, 65536):
                shown += block
                if interrupt_at and interrupt_at.encode() in shown:
                    time.sleep(0.15)  # a signal just before a read starts would be delivered only after it
                    process.send_signal(signal.SIGINT)
                    interrupt_at = ""
        except OSError:
            pass  # Linux returns EIO after the last process has closed its side
        except BaseException:
            process.kill()
            process.wait()
            raise
        finally:
            os.close(leader)
        return Ran(process.wait(120), shown.decode().replace("\r\n", "\n"), "")

    def _env(self, changes: dict[str, str | None]) -> dict[str, str]:
        return {name: value for name, value in {**self.env, **changes}.items() if value is not None}
