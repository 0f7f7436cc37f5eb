"""The same call by REST path, by REST name, by MCP and on the command line returns equal data."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from base64 import b64decode
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from tests.across.samples import SAMPLES
from workspace.interfaces.tool_catalog import CATALOG
from workspace.testing import fork_server
from workspace.testing.code_readers import read_with_zxing, to_gray_pixels
from workspace.testing.mcp_client import open_client, run
from workspace.testing.service import ROOT, Service

pytestmark = pytest.mark.any_database  # channels only translate; the tools are tested on both databases
TIME = r"\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)"
CONTRACT = [one["name"] for one in json.loads((ROOT / "tests/contract/tools.json").read_text())["tools"]]
READS = [tool.name for tool in CATALOG if tool.reads]


class Remote:
    """The service with a key of one of its accounts."""

    def __init__(self, service: Service, key: str) -> None:
        self.service, self.key = service, key

    def run(self, name: str, /, **arguments: Any) -> Any:
        return self.service.api(self.key, name, **arguments)


@pytest.fixture(scope="module")
def remote(service: Service) -> Remote:
    return Remote(service, service.account()["api_key"])


# runs in a separate process on the server's database, because guests create some samples
BESIDE = """
import json, os, sys
os.environ["DJANGO_SETTINGS_MODULE"] = "workspace.settings"
import django; django.setup()
from django.test.utils import setup_test_environment; setup_test_environment()
from tests.across.samples import things
from workspace.accounts.models import ApiKey
from workspace.testing.api import Api
"""
MAKING = """
print(json.dumps(things(Api(ApiKey.find_live(sys.argv[1]).account, sys.argv[1]))))
"""
VIEWING = """
from tests.across.test_roles import key_of, member_of
from workspace.testing.api import make_api
viewer = key_of(member_of(ApiKey.find_live(sys.argv[1]).account, "viewer"))
print(json.dumps({"viewer": viewer.key, "stranger": make_api().key}))
"""


@pytest.fixture(scope="module")
def sample_ids(remote: Remote) -> dict[str, str]:
    return _beside(remote, MAKING)


def _beside(remote: Remote, script: str) -> dict[str, str]:
    command = [sys.executable, "-c", BESIDE + script, remote.key]
    done = subprocess.run(command, env=remote.service.env, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    found: dict[str, str] = json.loads(done.stdout)
    return found


def _by_mcp(remote: Remote, name: str, arguments: dict[str, Any]) -> Any:
    return _result(remote, name, arguments).structured_content


def _result(remote: Remote, name: str, arguments: dict[str, Any]) -> Any:
    async def run_call() -> Any:
        async with open_client(f"{remote.service.url}/mcp", key=remote.key) as client:
            return await client.call_tool(name, arguments)

    result = run(run_call)
    assert not result.is_error, result
    return result


def _svc(remote: Remote, *words: str) -> Any:
    done = _command(remote, {"SVC_API_KEY": remote.key}, *words)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def _command(remote: Remote, more: dict[str, str], *words: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, **more, "SVC_BASE_URL": remote.service.url}
    env |= {
        "XDG_CACHE_HOME": str(remote.service.folder / "cache"),
        "XDG_CONFIG_HOME": str(remote.service.folder / "conf"),
        "XDG_STATE_HOME": str(remote.service.folder / "state"),
    }
    return fork_server.run([sys.executable, "-m", "svc", *words], env=env)


def _flags(arguments: dict[str, Any]) -> list[str]:
    flags = []
    for name, value in arguments.items():
        flag = "--" + name.replace("_", "-")
        if isinstance(value, bool):
            flags.append(flag if value else flag.replace("--", "--no-", 1))
        else:
            flags += [flag, value if isinstance(value, str) else json.dumps(value)]
    return flags


@pytest.mark.parametrize("name", READS)
def test_every_read_returns_the_same_on_all_channels(name: str, remote: Remote, sample_ids: dict[str, str]) -> None:
    tool, arguments = CATALOG.by_name[name], SAMPLES[name](sample_ids)
    _, by_path = remote.service.post(tool.path, arguments, remote.key)
    expected = by_path["data"]
    assert remote.run(name, **arguments) == expected
    assert _in_seconds(_by_mcp(remote, name, arguments)) == _in_seconds(expected)
    assert _svc(remote, "call", name, "--json", json.dumps(arguments)) == expected
    assert _svc(remote, *tool.name_parts, *_flags(arguments), "--json") == expected


@pytest.mark.parametrize("name", [name for name in CONTRACT if name not in READS])
def test_every_write_of_the_contract_does_the_same_on_all_channels(
    name: str, remote: Remote, sample_ids: dict[str, str]
) -> None:
    """Use dry runs, so that each channel starts with the same data."""
    tool, arguments = CATALOG.by_name[name], {**SAMPLES[name](sample_ids), "dry_run": True}
    _, by_path = remote.service.post(tool.path, arguments, remote.key)
    expected = _shape(by_path["data"])
    assert by_path["data"]["dry_run"] is True
    assert _shape(remote.run(name, **arguments)) == expected
    assert _shape(_by_mcp(remote, name, arguments)) == expected
    assert _shape(_svc(remote, *tool.name_parts, *_flags(arguments), "--json")) == expected


def _in_seconds(data: Any) -> Any:
    """Return an answer with each moment as seconds, since assistants get the account's offset, and REST returns UTC."""
    written = re.sub(TIME, lambda found: str(int(datetime.fromisoformat(found[0]).timestamp())), json.dumps(data))
    return json.loads(written)


def _shape(data: Any) -> str:
    """Return an answer without values that differ in each run: new ids, URLs, codes, numbers and times.

    PostgreSQL's sequences advance even after a rollback.
    """
    text = json.dumps(data, sort_keys=True)
    text = re.sub(r"\b[a-z]{2,5}_[0-9a-z]{26}\b|" + TIME, "…", text)
    text = re.sub(r'"number": \d+|"\d+"(?=: )', "…", text)
    text = re.sub(r'"slugs?": (\["\w+"\]|"\w+")', "…", text)
    return re.sub(r"/(\w|\w\w|v/[\w-]+|files)/[\w.?=&-]+|\b(\w{4}-){3}\w{4}\b", "/…", text)


def test_a_viewer_is_shown_and_allowed_no_write_by_mcp_and_the_command_line(
    remote: Remote, sample_ids: dict[str, str]
) -> None:
    told = _beside(remote, VIEWING)
    viewer, stranger = Remote(remote.service, told["viewer"]), Remote(remote.service, told["stranger"])

    async def refused() -> tuple[set[str], list[str]]:
        async with open_client(f"{remote.service.url}/mcp", key=viewer.key) as client:
            listed = {one.name for one in (await client.list_tools()).tools}
            through = [
                tool.name
                for tool in CATALOG
                if not tool.reads and not (await client.call_tool(tool.name, SAMPLES[tool.name](sample_ids))).is_error
            ]
        async with open_client(f"{remote.service.url}/mcp", key=stranger.key) as client:
            for name in READS:
                found = await client.call_tool(name, SAMPLES[name](sample_ids))
                if any(id in str(found.structured_content) for id in sample_ids.values()):
                    through.append(f"{name} to a stranger")
        return listed, through

    listed, through = run(refused)
    assert through == []
    assert listed and listed <= set(READS)
    env = {"SVC_API_KEY": viewer.key}
    done = _command(remote, env, "qr", "create", "--name", "x", "--target-url", "example.com")
    assert done.returncode == 3 and "not make changes" in done.stdout + done.stderr


@pytest.mark.parametrize("options", [{"kind": "poster"}, {"format": "svg"}])
def test_an_agent_sees_the_picture_of_a_printed_code(options: dict[str, str], remote: Remote) -> None:
    code = remote.run("svc_qr_create", name="Menu", target_url="https://example.com/menu")
    words, picture = _result(remote, "svc_qr_print", {"thing": code["id"], **options}).content
    assert code["printed_url"] in words.text
    assert picture.mime_type == "image/png"
    assert read_with_zxing(to_gray_pixels(b64decode(picture.data))) == [code["printed_url"]]


def test_an_integer_with_a_decimal_point_is_accepted_on_every_channel(remote: Remote) -> None:
    assert remote.service.post("/api/v1/qr/list", {"limit": 2.0}, remote.key)[0] == 200
    assert _by_mcp(remote, "svc_qr_list", {"limit": 2.0})["offset"] == 0
    assert _svc(remote, "qr", "list", "--limit", "2.0", "--json")["offset"] == 0
    assert _svc(remote, "call", "svc_qr_list", "--json", '{"limit": 2.0}')["offset"] == 0


def test_a_write_on_each_channel_creates_the_same_kind_of_item(remote: Remote) -> None:
    arguments = {"name": "Menu", "target_url": "https://example.com/menu", "folder": "Tables"}
    made = [
        remote.service.post("/api/v1/qr/create", arguments, remote.key)[1]["data"],
        remote.run("svc_qr_create", **arguments),
        _by_mcp(remote, "svc_qr_create", arguments),
        _svc(remote, "qr", "create", *_flags(arguments), "--json"),
    ]
    assert len({code["id"] for code in made}) == 4
    for code in made:
        assert {key: code[key] for key in arguments} == arguments
        assert set(code) == set(made[0])


def test_the_bundled_catalog_of_the_command_line_is_the_servers() -> None:
    bundled = json.loads((ROOT / "cli/src/svc/catalog.json").read_text())
    # sorted by name, because the order of tools from several modules depends on imports
    told, held = (sorted(tools, key=lambda tool: tool["name"]) for tools in (CATALOG.describe(), bundled["tools"]))
    assert held == told, "bin/workspace catalog > cli/src/svc/catalog.json"


def test_a_table_of_people_becomes_certificates_by_the_command_line_only_once(remote: Remote, tmp_path: Path) -> None:
    template = remote.run("svc_certs_save_template", name="Sailing")["id"]
    people = (
        f"Template ID;Name;Email;Course;Hours\n{template};Ada King;a@example.com;Knots;2,5\n{template};渡邊 恵美子;;;\n"
    )
    (tmp_path / "people.csv").write_bytes(people.encode("utf-16"))
    command = ("import", "certs", "issue", "--csv", str(tmp_path / "people.csv"))
    assert [row["ok"] for row in _svc(remote, *command, "--json")["results"]] == [True, True]
    for again in ((), ("--again", "--dry-run")):
        _svc(remote, *command, *again, "--json")
        found = remote.run("svc_certs_list", template_id=template)["items"]
        assert [(one["name"], one["course"], one["hours"]) for one in found] == [
            ("渡邊 恵美子", "", ""),
            ("Ada King", "Knots", "2,5"),
        ]
