"""The source of the commands (snapshot, cache, background refresh), and network failures."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from loopback import Command, Reply, Request, Service, ok

SOURCE = Path(__file__).parents[1] / "src"


def cached(svc: Command) -> list[Path]:
    return list((svc.home / "cache" / "svc").glob("catalogue-*.json"))


def wait_for(condition: object, seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not condition():  # type: ignore[operator]
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.02)


def test_the_bundled_snapshot_is_a_valid_catalog() -> None:
    from svc.catalog import Catalog
    from svc.catalog_cache import SNAPSHOT_PATH

    Catalog(json.loads(SNAPSHOT_PATH.read_text())["tools"])


def test_an_unknown_command_is_looked_up_once(bare_svc: Command, service: Service) -> None:
    new = {**service.catalogue["tools"][0], "name": "svc_qr_sing", "path": "/api/v1/qr/sing"}
    service.catalogue["tools"].append(new)
    service.tools["svc_qr_sing"] = lambda arguments, request: ok({"song": "la"})
    assert bare_svc("qr", "sing").json == {"song": "la"}
    assert len(cached(bare_svc)) == 1
    assert bare_svc("qr", "sing").json == {"song": "la"}
    assert [request.path for request in service.requests].count("/api/v1/tools") == 1


def test_a_flag_newer_than_the_cache_is_looked_up(svc: Command, service: Service) -> None:
    service.tools["svc_qr_create"] = lambda arguments, request: ok(arguments)
    create = next(tool for tool in service.catalogue["tools"] if tool["name"] == "svc_qr_create")
    create["input_schema"]["properties"]["color"] = {"type": "string"}
    ran = svc("qr", "create", "--name", "x", "--target-url", "y", "--color", "red")
    assert ran.json == {"name": "x", "target_url": "y", "color": "red"}


def test_tools_lists_every_command_by_product(svc: Command, service: Service) -> None:
    ran = svc("tools")
    assert ran.code == 0
    blocks = dict(block.split("\n", 1) for block in ran.out.strip().split("\n\n"))
    assert "svc qr update target  Point a QR code elsewhere" in blocks["QR codes"]
    assert ran.out.count("svc ") >= len(service.catalogue["tools"])
    assert service.requests == []
    listed = svc("tools", "--json").json
    assert (listed[3]["command"], listed[3]["path"]) == ("svc qr create", "/api/v1/qr/create")


def test_tools_refresh_fetches_the_catalog_again(svc: Command, service: Service) -> None:
    service.catalogue["tools"] = service.catalogue["tools"][:2]
    assert "svc qr create" in svc("tools").out
    ran = svc("tools", "--refresh")
    assert "svc qr create" not in ran.out
    assert "2 tools at" in ran.err


def test_an_unchanged_catalog_is_not_sent_again(bare_svc: Command, service: Service) -> None:
    def tools(request: Request) -> Reply:
        if request.headers.get("if-none-match") == '"v1"':
            return Reply(b"", 304)
        return ok(service.catalogue, ETag='"v1"')

    service.paths["/api/v1/tools"] = tools
    assert bare_svc("tools", "--refresh").code == 0
    first = bare_svc("tools", "--refresh")
    assert "svc qr create" in first.out
    assert service.requests[-1].headers["if-none-match"] == '"v1"'
    assert "authorization" not in service.requests[-1].headers


def test_an_old_cache_is_refreshed_in_the_background(svc: Command, service: Service) -> None:
    (cache,) = cached(svc)
    old = time.time() - 7200
    os.utime(cache, (old, old))
    service.catalogue["tools"] = service.catalogue["tools"][:2]
    assert svc("me").code == 0
    wait_for(lambda: len(json.loads(cache.read_text())["tools"]) == 2)
    os.utime(cache, (old, old))
    before = len(service.requests)
    assert svc("me").code == 0
    time.sleep(0.3)
    assert [request.path for request in service.requests[before:]] == ["/api/v1/me"], "not twice in ten minutes"


def test_each_service_has_its_own_cache(svc: Command, service: Service) -> None:
    assert svc("tools", "--refresh", SVC_BASE_URL=service.url.replace("127.0.0.1", "localhost")).code == 0
    assert len(cached(svc)) == 2


@pytest.mark.parametrize("content", ["", "{", "[]", '{"tools": [{"name": 5}]}', '{"base_url": "x", "tools": []}'])
def test_a_damaged_cache_is_ignored(svc: Command, content: str) -> None:
    (cache,) = cached(svc)
    cache.write_text(content)
    assert svc("me").code == 0


def test_a_read_only_home_prevents_only_caching(bare_svc: Command) -> None:
    (bare_svc.home / "cache").write_text("in the way")
    assert bare_svc("me").code == 0


@pytest.mark.parametrize(
    "reply",
    [Reply(b"<html>", 502), Reply(b"\xff", 200), Reply({"ok": True}, 200), Reply([], 200), Reply(b"", 302)],
)
def test_invalid_responses_are_reported_plainly(svc: Command, service: Service, reply: Reply) -> None:
    service.paths["/api/v1/tools"] = service.paths["/api/v1/me"] = lambda request: reply
    for ran in (svc("tools", "--refresh"), svc("me")):
        if ran.code == 0:
            assert reply.body == {"ok": True}
            continue
        assert ran.code == 1
        assert ran.err.startswith("Error: ")
        assert "Traceback" not in ran.err


def test_an_unreachable_url_exits_1(svc: Command) -> None:
    ran = svc("me", SVC_BASE_URL="http://127.0.0.1:9")
    assert ran.code == 1
    assert "Could not reach http://127.0.0.1:9" in ran.err


@pytest.mark.parametrize(
    "address", ["example.com", "ftp://x.org", "http://", "http://a b", "http://u:p@x", "http://x:y"]
)
def test_an_invalid_url_exits_2(svc: Command, address: str) -> None:
    assert svc("me", SVC_BASE_URL=address).code == 2


def test_a_read_is_retried_once_after_a_lost_connection_and_a_write_never(svc: Command, service: Service) -> None:
    drops = Reply(b"", hang_up=True)
    replies = [drops]
    service.tools["svc_qr_list"] = lambda arguments, request: replies.pop() if replies else ok({"items": []})
    assert svc("qr", "list").json == {"items": []}
    service.tools["svc_qr_list"] = service.tools["svc_qr_create"] = lambda arguments, request: drops
    assert svc("qr", "list").code == 1
    assert len(service.calls_of("svc_qr_list")) == 4
    assert svc("qr", "create", "--name", "x", "--target-url", "y").code == 1
    assert len(service.calls_of("svc_qr_create")) == 1


def test_a_base_url_may_have_a_path(svc: Command, service: Service) -> None:
    service.paths["/tools/api/v1/tools"] = lambda request: ok(service.catalogue)
    service.paths["/tools/api/v1/me"] = lambda request: ok({"behind": "a proxy"})
    assert svc("me", SVC_BASE_URL=f"{service.url}/tools/").json == {"behind": "a proxy"}


def test_help_imports_few_modules_and_uses_neither_network_nor_keychain(svc: Command) -> None:
    code = (
        "import sys; sys.argv = ['svc', 'qr', 'create', '--help']\n"
        "from svc.__main__ import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "late = {'http.client', 'ssl', 'keyring', 'csv', 'subprocess', 'svc.text_table'} & set(sys.modules)\n"
        "many = len(sys.modules) if len(sys.modules) > 150 else 0\n"
        "sys.exit(f'imported too early: {late}, {many} modules' if late or many else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], env=svc.env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_the_command_never_imports_the_server() -> None:
    for file in SOURCE.rglob("*.py"):
        assert "workspace." not in file.read_text(), file
