"""Modules that a server does not need for guests, and libraries that a command does not need, are not imported.

Each of them takes megabytes, or a part of a second.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest

from workspace.testing.service import PATIENCE, ROOT, Service, running_service

pytestmark = pytest.mark.any_database


HEAVY = {
    "mcp",  # the connector: 37 MB and a third of the start
    "mcp_types",
    "starlette",
    "uvicorn",
    "opentelemetry",
    "httpx2",
    "cv2",  # the scan check: 30 MB
    "numpy",
    "zxingcpp",
    "PIL",  # pictures are processed in a child process
    "icalendar",  # calendars are parsed in a child process: 11 MB
    "recurring_ical_events",
    "python_calamine",  # workbooks are parsed in a child process
    "resvg_py",
    "typst",
    "pyhanko",  # PDF signatures: half a second and 15 MB
    "asn1crypto",
    "rfc8785",
    "babel",  # message catalogs are compiled in advance
    "django.test",
}
# libraries that a command of an administrator imports. The list may only get shorter
OF_COMMANDS = {
    "_argon2_cffi_bindings",
    "_cffi_backend",
    "_distutils_hack",
    "allauth",
    "altcha",
    "annotated_types",
    "argon2",
    "asgiref",
    "blinker",
    "click",
    "crawlerdetect",
    "cryptography",
    "django",
    "h11",
    "idna",
    "jwcrypto",
    "maxminddb",
    "oauth2_provider",
    "oauthlib",
    "psycopg",
    "psycopg_binary",
    "psycopg_pool",
    "pydantic",
    "pydantic_core",
    "segno",
    "sqlparse",
    "typing_extensions",
    "typing_inspection",
    "ua_parser",
    "ua_parser_rs",
    "yaml",
}
COMMAND = """
import json, sys
from pathlib import Path

from workspace.interfaces.admin_cli.lazy_commands import load_module

load_module("moderation").list_reports()
found = {name.partition(".")[0] for name, module in sys.modules.items()
    if "site-packages" in Path(getattr(module, "__file__", None) or "").parts}
print(json.dumps(sorted(found)))
"""
SERVE = """
import asyncio, json, sys

from workspace.asgi import application

app, answers = application(), []


async def get(path):
    async def receive():
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message):
        if message["type"] == "http.response.start":
            answers.append(message["status"])

    headers = [(b"host", b"127.0.0.1"), (b"user-agent", b"Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X)")]
    scope = {"type": "http", "asgi": {}, "http_version": "1.1", "method": "GET", "scheme": "http", "path": path,
        "raw_path": path.encode(), "query_string": b"", "root_path": "", "server": ("127.0.0.1", 8000),
        "client": ("127.0.0.1", 5), "headers": headers}
    await app(scope, receive, send)


async def all():
    for path in sys.argv[1:]:
        await get(path)


asyncio.run(all())
print(json.dumps([answers, sorted(sys.modules)]))
"""


@pytest.fixture
def service() -> Iterator[Service]:
    """Run a service that this module stops."""
    with running_service() as running:
        yield running


def test_serving_scans_and_pages_imports_no_heavy_module(service: Service) -> None:
    key = service.account("lean@example.com")["api_key"]
    code = service.api(key, "svc_qr_create", name="Poster", target_url="https://example.com")
    card = service.api(key, "svc_card_create", full_name="Olive Owner", email="olive@example.com")
    paths = [urlsplit(thing["public_url"]).path for thing in (code, card, card)]
    service.stop()  # SQLite has one server
    command = [sys.executable, "-c", SERVE, *paths]
    done = subprocess.run(command, env=service.env, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    answers, modules = json.loads(done.stdout)
    assert answers == [302, 200, 200]
    assert HEAVY & set(modules) == set()


def test_a_command_imports_no_further_library(service: Service) -> None:
    command = [sys.executable, "-c", COMMAND]
    done = subprocess.run(command, env=service.env, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    assert set(json.loads(done.stdout.splitlines()[-1])) - OF_COMMANDS == set()
