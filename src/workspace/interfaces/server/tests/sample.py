"""The application that the socket tests serve: plain WSGI, and a small Django under /django/."""

import hashlib
import json
import os
import sys
import tempfile
import threading
import time
from pathlib import Path

import django
from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.db import connection
from django.http import FileResponse, HttpResponse, StreamingHttpResponse
from django.urls import path

from workspace.interfaces.server.application import build_application
from workspace.interfaces.server.error_responses import RequestRejectedError
from workspace.interfaces.server.request_reader import Limits
from workspace.interfaces.server.tests.running_server import CAP, POOL_SIZE
from workspace.interfaces.server.thread_pool import Pool

# a file, since Django never closes an in-memory database
DATABASE = tempfile.NamedTemporaryFile(suffix=".sqlite3")  # noqa: SIM115  as long as the process

settings.configure(
    ALLOWED_HOSTS=["*"],
    ROOT_URLCONF=__name__,
    SECRET_KEY="sample",
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": DATABASE.name, "CONN_MAX_AGE": None}},
    DATA_UPLOAD_MAX_MEMORY_SIZE=CAP,
)
django.setup()


class Counters:
    lock = threading.Lock()
    running = most = closed = produced = echoed = 0


def facts(request):
    return HttpResponse(
        json.dumps({"path": request.path, "a": request.GET.getlist("a"), "body": len(request.body)}),
        content_type="application/json",
    )


def file(request):
    return FileResponse(Path(__file__).open("rb"))


urlpatterns = [
    path("django/stream", lambda request: StreamingHttpResponse(f"{i}\n" for i in range(1000))),
    path("django/file", file),
    path("django/boom", lambda request: 1 / 0),
    path("django/<path:rest>", lambda request, rest: facts(request)),
]


def echo(environ, start_response):
    Counters.echoed += 1
    body = environ["wsgi.input"].read()
    plain = {key: value for key, value in environ.items() if isinstance(value, str)}
    answer = json.dumps({"size": len(body), "sha": hashlib.sha256(body).hexdigest(), "environ": plain}).encode()
    start_response("200 OK", [("Content-Type", "application/json"), ("Transfer-Encoding", "chunked")])
    return [answer]


def wait_for(gate):
    """Wait until the file exists, without a time limit."""
    while not Path(gate).exists():
        time.sleep(0.01)


def block(environ, start_response):
    """Occupy the thread until the file named in the query exists."""
    with Counters.lock:
        Counters.running += 1
        Counters.most = max(Counters.most, Counters.running)
    wait_for(environ["QUERY_STRING"])
    with Counters.lock:
        Counters.running -= 1
    start_response("200 OK", [])
    return [b"held"]


def database(environ, start_response):
    """Answer with the thread's id and whether its connection was open.

    The connection becomes too old after the seconds in the query.
    """
    was_open = connection.connection is not None
    connection.ensure_connection()
    connection.close_at = time.monotonic() + float(environ["QUERY_STRING"])
    start_response("200 OK", [])
    return [json.dumps([threading.get_ident(), was_open]).encode()]


class Endless:
    def __iter__(self):
        return self

    def __next__(self):
        Counters.produced += 1
        return b"x" * 65536

    def close(self):
        Counters.closed += 1


def endless(environ, start_response):
    start_response("200 OK", [])
    return Endless()


def held_stream(environ, start_response):
    """Stream two parts, the second when the file named in the query exists."""
    start_response("200 OK", [])

    def chunks():
        yield b"tick0"
        wait_for(environ["QUERY_STRING"])
        yield b"tick1"

    return chunks()


def write_parts(environ, start_response):
    write = start_response("200 OK", [])
    write(b"first ")
    return [b"second"]


def large_file(environ, start_response):
    file = tempfile.TemporaryFile()  # noqa: SIM115  closed by the server
    file.truncate(32 * 1024 * 1024)
    start_response("200 OK", [])
    return environ["wsgi.file_wrapper"](file)


def boom(environ, start_response):
    raise ValueError("secret detail")


def boom_midway(environ, start_response):
    start_response("200 OK", [])

    def chunks():
        yield b"half"
        raise ValueError("secret detail")

    return chunks()


def exit_process(environ, start_response):
    raise SystemExit(3)


def mute(environ, start_response):
    return [b"no start_response"]


ROUTES = {
    "/hold": block,
    "/endless": endless,
    "/held-stream": held_stream,
    "/written": write_parts,
    "/large-file": large_file,
    "/database": database,
    "/boom": boom,
    "/boom-midway": boom_midway,
    "/leave": exit_process,
    "/mute": mute,
}
DJANGO = get_wsgi_application()


def wsgi(environ, start_response):
    if environ["PATH_INFO"].startswith("/django/"):
        return DJANGO(environ, start_response)
    return ROUTES.get(environ["PATH_INFO"], echo)(environ, start_response)


async def front(scope, receive, send):
    if not scope["path"].startswith("/q/"):
        return False
    if scope["path"] == "/q/boom":
        raise ValueError("secret detail")
    await send({"type": "http.response.start", "status": 302, "headers": [(b"location", b"https://example.com/")]})
    await send({"type": "http.response.body", "body": b""})
    return True


def log_line(line):
    sys.stderr.write(line + "\n")


async def mcp(scope, receive, send):
    if scope["type"] == "lifespan":
        await receive()
        scope["state"]["greeting"] = "hello"
        await send({"type": "lifespan.startup.complete"})
        await receive()
        log_line("mcp stopped")
        await send({"type": "lifespan.shutdown.complete"})
        return
    size = len((await receive())["body"])
    told = {"size": size, "greeting": scope["state"].get("greeting")}
    if scope["path"] == "/mcp/counters":
        told = {name: getattr(Counters, name) for name in ("running", "most", "closed", "produced", "echoed")}
    content = json.dumps(told).encode()
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": content})


def wait_at_start(step):
    """Wait until the test lets this process continue, if the test has named this step.

    Tell the test that the step has been reached.
    """
    if folder := os.environ.get(f"SAMPLE_{step}"):
        Path(folder, str(os.getpid())).touch()
        wait_for(Path(folder, "gate"))


class Service:
    def start(self):
        wait_at_start("SERVICES")
        log_line("service started")

    def stop(self):
        log_line("service stopped")


def build():
    wait_at_start("LOADING")
    grace = os.environ.get("SAMPLE_GRACE")
    patient = Limits(
        max_body=CAP, grace_seconds=600, max_body_for=lambda scope: CAP * (1 + (scope["path"] == "/files"))
    )
    return build_application(
        wsgi,
        pool=Pool(POOL_SIZE),
        mcp=mcp,
        fast_path=front,
        services=[Service()],
        trusted_proxies=["127.0.0.0/8"] if os.environ.get("SAMPLE_PROXY") else [],
        is_anonymous=lambda scope: (
            RequestRejectedError(413, "too_large", "Who are you?") if scope["path"] == "/strangers" else None
        ),
        limits=Limits(max_body=CAP, grace_seconds=float(grace), min_rate=16 * 1024 * 1024) if grace else patient,
    )
