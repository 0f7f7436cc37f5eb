"""The files of `deploy/` match the service: its settings, its command, the copied files, and each other.

The proxies are tested in `test_reverse_proxies.py`.
"""

from __future__ import annotations

import configparser
import re
import shutil
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from workspace.environment import SETTINGS

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
KNOWN = {setting.name for setting in SETTINGS}
FILE = (DEPLOY / "container" / "Containerfile").read_text()

pytestmark = pytest.mark.any_database


def instruction_arguments(word: str) -> list[str]:
    """Return the arguments of an instruction of the Dockerfile, with continued lines joined."""
    return re.findall(rf"^{word} (.+)$", FILE.replace("\\\n", " "), re.MULTILINE)


def test_the_container_copies_existing_files_and_starts_an_installed_command() -> None:
    for line in instruction_arguments("COPY"):
        if not line.startswith("--from"):
            *sources, _target = line.split()
            assert all((ROOT / source).exists() for source in sources), line
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["scripts"]
    assert instruction_arguments("CMD")[-1] == '["workspace", "serve"]' and "workspace" in scripts
    given = dict(re.findall(r"(\w+)=(\S+)", " ".join(instruction_arguments("ENV"))))
    assert {name for name in given if name.startswith("WORKSPACE_")} <= KNOWN
    assert instruction_arguments("VOLUME") == [given["WORKSPACE_DATA"]]
    (port,) = {setting.default for setting in SETTINGS if setting.name == "PORT"}
    assert instruction_arguments("EXPOSE") == [port] and f":{port}/healthz" in instruction_arguments("HEALTHCHECK")[0]
    (python,) = {line.split()[0] for line in instruction_arguments("FROM")}
    assert re.fullmatch(r"python:3\.1[1-4]-slim", python)


def test_the_services_of_the_compose_file_match_each_other() -> None:
    told: dict[str, Any] = yaml.safe_load((DEPLOY / "container" / "compose.yaml").read_text())
    services = told["services"]
    ours, database, proxy = services["workspace"], services["database"], services["proxy"]
    folder = DEPLOY / "container"
    assert (folder / ours["build"]["context"]).resolve() == ROOT
    assert (ROOT / ours["build"]["dockerfile"]).exists()
    assert set(ours["environment"]) <= KNOWN
    for service in services.values():
        assert set(service.get("depends_on", ())) <= set(services)
        for volume in service["volumes"]:
            source = volume.split(":")[0]
            assert source in told["volumes"] or (folder / source).exists(), volume
    address = ours["environment"]["WORKSPACE_DATABASE_URL"]
    user, host, port, name = re.fullmatch(r"postgresql://(\w+):\$\{[^}]+\}@(\w+):(\d+)/(\w+)", address).groups()  # type: ignore[union-attr]
    given = database["environment"]
    assert (user, host, port, name) == (given["POSTGRES_USER"], "database", "5432", given["POSTGRES_DB"])
    # the client programs in our image must not be older than the server that they copy
    assert "postgresql-client" in FILE and database["image"] == "postgres:17"
    asked = set(re.findall(r"\{\$(\w+)", (DEPLOY / "caddy" / "Caddyfile").read_text()))
    assert asked <= set(proxy["environment"])
    (port,) = {setting.default for setting in SETTINGS if setting.name == "PORT"}
    assert proxy["environment"]["UPSTREAM"] == f"workspace:{port}"
    # only two variables in .env are required
    asked = set(re.findall(r"\$\{(\w+)", (folder / "compose.yaml").read_text()))
    assert asked == {"DOMAIN", "DATABASE_PASSWORD"}


def test_the_systemd_units_match_each_other() -> None:
    units = {}
    for path in (DEPLOY / "systemd").iterdir():
        # a systemd unit may repeat a setting
        units[path.suffix] = configparser.ConfigParser(strict=False, interpolation=None)
        units[path.suffix].read_string(path.read_text())
    service, socket = units[".service"], units[".socket"]
    assert service["Unit"]["Requires"] == "workspace-tools.socket"
    assert {name.split("=")[0] for name in service["Service"]["Environment"].split()} <= KNOWN
    (port,) = {setting.default for setting in SETTINGS if setting.name == "PORT"}
    assert socket["Socket"]["ListenStream"].endswith(f":{port}")
    assert service["Service"]["ExecStart"].endswith("/workspace serve")


def test_the_composed_services_have_minimal_privileges() -> None:
    told: dict[str, Any] = yaml.safe_load((DEPLOY / "container" / "compose.yaml").read_text())
    for name, service in told["services"].items():
        assert service["cap_drop"] == ["ALL"] and service["read_only"] is True, name
        assert service["security_opt"] == ["no-new-privileges:true"], name
        assert service["restart"] == "always" and service["mem_limit"] and service["pids_limit"], name
        assert "/tmp" in service["tmpfs"], name
    added = {name: service.get("cap_add", []) for name, service in told["services"].items()}
    assert added["workspace"] == [] and added["proxy"] == ["NET_BIND_SERVICE"]


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not installed")
def test_systemd_rates_the_service_as_well_protected() -> None:
    unit = DEPLOY / "systemd" / "workspace-tools.service"
    found = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", "--threshold=20", "--no-pager", str(unit)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.returncode == 0, found.stdout + found.stderr
