"""The PEP 3333 environ of an ASGI request."""

import sys
from collections.abc import Callable
from typing import Any
from urllib.parse import unquote_to_bytes

from workspace.interfaces.server.asgi_types import Environ, Scope
from workspace.interfaces.server.error_responses import CLIENT_ADDRESS, REQUEST_ID
from workspace.interfaces.server.request_reader import Body

# For these headers, only the first value is used. Joined with a comma, the values would mean something else.
_SINGLE_VALUE_HEADERS = frozenset({"CONTENT_TYPE", "HTTP_HOST", "HTTP_AUTHORIZATION", "HTTP_ORIGIN", "HTTP_USER_AGENT"})
_HTTP_VERSIONS = {"1": "HTTP/1.0", "1.0": "HTTP/1.0", "2": "HTTP/2.0"}


def build_environ(scope: Scope, body: Body, file_wrapper: Callable[..., Any]) -> Environ:
    state = scope.get("state", {})
    server, port = scope.get("server") or ("localhost", 80)
    client = scope.get("client") or ("", 0)
    address = state.get(CLIENT_ADDRESS, client[0])
    root = scope.get("root_path", "")
    environ: Environ = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": root.encode().decode("latin-1"),
        "PATH_INFO": _path_info(scope["raw_path"], root.encode()),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_NAME": server,
        "SERVER_PORT": str(port),
        "SERVER_PROTOCOL": _HTTP_VERSIONS.get(scope["http_version"], "HTTP/1.1"),
        "REMOTE_ADDR": address,
        "CONTENT_LENGTH": str(body.size),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope.get("scheme", "http"),
        "wsgi.input": body.file,
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
        "wsgi.file_wrapper": file_wrapper,
        CLIENT_ADDRESS: address,
        REQUEST_ID: state.get(REQUEST_ID, ""),
    }
    for name, value in scope["headers"]:
        # An underscore would give the same key as a hyphen, so a client could forge a proxy's header.
        if b"_" not in name and name not in (b"content-length", b"transfer-encoding", b"expect"):
            _add_header(environ, name.decode("latin-1"), value.decode("latin-1"))
    return environ


def _path_info(raw_path: bytes, root: bytes) -> str:
    path = unquote_to_bytes(raw_path.partition(b"?")[0])
    return path.removeprefix(root).decode("latin-1")


def _add_header(environ: Environ, name: str, value: str) -> None:
    key = name.upper().replace("-", "_")
    if key == "COOKIE" and "\\" in value:
        value = _remove_escaped_cookies(value)
    if key != "CONTENT_TYPE":
        key = "HTTP_" + key
    if key not in environ:
        environ[key] = value
    elif key not in _SINGLE_VALUE_HEADERS:
        environ[key] += ("; " if key == "HTTP_COOKIE" else ",") + value


def _remove_escaped_cookies(cookies: str) -> str:
    """Remove cookies that contain a backslash.

    Our cookies contain none, and before Python 3.11.10 the standard library takes seconds to unquote a long one
    (CVE-2024-7592).
    """
    return ";".join(cookie for cookie in cookies.split(";") if "\\" not in cookie)
