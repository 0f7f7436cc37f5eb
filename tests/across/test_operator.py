"""The administrator's command, called as an administrator would."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from workspace.interfaces.admin_cli.settings_reference import render_settings_reference
from workspace.testing import fork_server
from workspace.testing.service import ROOT, Service

pytestmark = pytest.mark.any_database  # backup, move and serve are tested on both databases in other files


@pytest.fixture(scope="module")
def installation() -> Service:
    """Return an instance whose server is not running."""
    return Service().migrate()


def refused(installation: Service, *words: str) -> str:
    command = [sys.executable, "-m", "workspace.interfaces.admin_cli", *words]
    done = fork_server.run(command, env=installation.env)
    assert done.returncode != 0, done.stdout
    assert "Traceback" not in done.stderr
    return done.stderr


def test_a_command_closes_the_database_so_that_its_file_is_complete() -> None:
    service = Service().migrate()
    command = [
        sys.executable,
        "-m",
        "workspace.interfaces.admin_cli",
        "account",
        "create",
        "wal@example.com",
        "--name",
        "x",
    ]
    # a process of its own, because the fork server closes databases in its own way
    subprocess.run(command, env=service.env, check=True, capture_output=True)
    assert not list(service.folder.glob("*-wal"))


def test_an_account_is_created_with_its_plans_and_a_key(installation: Service) -> None:
    made = installation.account("a@example.com", "--plan", "qr=pro", "--plan", "seat=free")
    assert made["account_id"].startswith("acc_")
    assert made["api_key"].startswith("svc_live_")
    assert "2 unused event credits" in installation.operate("credits", "give", made["account_id"], "2")
    assert "3 unused event credits" in installation.operate("credits", "give", "a@example.com", "1")
    assert "already" in refused(installation, "account", "create", "a@example.com", "--name", "x")


def test_errors_are_reported_and_change_nothing(installation: Service) -> None:
    for words in (
        ("account", "create", "nobody", "--name", "x"),
        ("account", "create", "b@example.com", "--name", " "),
        ("account", "create", "b@example.com", "--name", "x", "--plan", "qr=gold"),
        ("account", "create", "b@example.com", "--name", "x", "--plan", "nothing"),
        ("account", "create", "b@example.com", "--name", "x", "--time-zone", "Mars"),
        ("key", "create", "b@example.com"),
        ("plan", "set", "b@example.com", "qr", "free"),
        ("credits", "give", "b@example.com", "2"),
        ("ban", "http://127.0.0.1:1/q/nothing", "--reason", "x"),
    ):
        assert refused(installation, *words).strip()
    assert "has no account" in refused(installation, "key", "create", "b@example.com")


def test_a_database_of_another_version_is_reported() -> None:
    told = refused(Service(), "account", "list")
    assert "does not match this version" in told and "workspace upgrade" in told


def test_an_administrators_account_is_created_with_a_sign_in_link(installation: Service) -> None:
    made = installation.account("admin@example.com", "--admin")
    assert made["sign_in_link"].startswith(installation.url)


def test_check_finds_no_problems(installation: Service) -> None:
    assert "No problems found" in installation.operate("check")


def test_a_backup_contains_the_keys_or_says_where_they_are(installation: Service, tmp_path: Path) -> None:
    installation.operate("rotate-keys")
    installation.operate("backup", str(tmp_path / "copy.tar"))
    with tarfile.open(tmp_path / "copy.tar") as copy:
        told = copy.extractfile("README.txt").read().decode()
        assert copy.extractfile("encryption-keys").read() == (installation.folder / "encryption-keys").read_bytes()
        assert copy.getmember("secret-key").mode == 0o600
    assert "secret-key and encryption-keys are in this backup" in told
    assert (tmp_path / "copy.tar").stat().st_mode & 0o077 == 0
    assert "already exists" in refused(installation, "backup", str(tmp_path / "copy.tar"))
    assert "Choose a file" in refused(installation, "backup", str(tmp_path / "copy"))
    env, installation.env = (
        installation.env,
        {**installation.env, "WORKSPACE_SECRET_KEY": "from elsewhere, and long 0123456789"},
    )
    try:
        assert "WORKSPACE_SECRET_KEY with this backup" in installation.operate("backup", str(tmp_path / "other.tar"))
    finally:
        installation.env = env
    with tarfile.open(tmp_path / "other.tar") as copy:
        assert "secret-key" not in copy.getnames()


def test_the_demo_is_filled_in_once_and_its_key_works(installation: Service) -> None:
    told = installation.operate("demo")
    assert "svc_live_" in told
    assert "password" in told
    assert "already" in refused(installation, "demo")


def test_the_secret_is_created_once_and_readable_only_by_its_owner(installation: Service) -> None:
    installation.operate("check")
    secret = installation.folder / "secret-key"
    assert len(secret.read_text()) > 40
    assert secret.stat().st_mode & 0o077 == 0


def test_the_search_index_can_be_rebuilt(installation: Service) -> None:
    told = [installation.operate("rebuild-search") for _ in range(2)]
    assert re.fullmatch(r"\d+ items are in the search index\.\n", told[0])
    assert told[0] == told[1]


def test_encryption_keys_rotate_and_a_damaged_file_is_reported(installation: Service) -> None:
    assert re.search(r"Encrypted \d+ secrets with the new key", installation.operate("rotate-keys"))
    file = installation.folder / "encryption-keys"
    assert len(file.read_text().split()) >= 2 and file.stat().st_mode & 0o077 == 0
    kept = file.read_text()
    file.write_text("nonsense\n")
    try:
        command = [sys.executable, "-m", "workspace.interfaces.admin_cli", "check"]
        done = fork_server.run(command, env=installation.env)
        assert (done.returncode, "Traceback" in done.stderr) == (1, False)
        assert "encryption-keys contains a" in done.stdout
        assert "encryption keys" in refused(installation, "rotate-keys")
        assert file.read_text() == "nonsense\n"
    finally:
        file.write_text(kept)


def test_a_ban_disables_a_code_and_lifting_it_enables_it(service: Service) -> None:
    key = service.account("banned@example.com")["api_key"]
    code = service.api(key, "svc_qr_create", name="x", target_url="example.com")
    service.operate("ban", code["printed_url"], "--reason", "phishing")
    assert service.api(key, "svc_qr_get", id=code["id"])["state"] == "banned"
    service.operate("unban", code["public_url"])
    assert service.api(key, "svc_qr_get", id=code["id"])["state"] == "live"
    assert "No open reports" in service.operate("reports")


def test_every_setting_is_documented() -> None:
    assert (ROOT / "docs" / "settings.md").read_text() == render_settings_reference()


def test_the_catalog_is_json(installation: Service) -> None:
    assert {tool["name"] for tool in json.loads(installation.operate("catalog"))["tools"]} >= {"svc_me"}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PORT", "many"),
        ("WORKSPACE_BASE_URL", "go.example.com"),
        ("WORKSPACE_BASE_URL", "https://example.com/tools"),
        ("WORKSPACE_SECRET_KEY", "short and readable"),
        ("WORKSPACE_SECRET_KEY", "changeme" * 8),
    ],
)
def test_an_invalid_setting_is_named(name: str, value: str, installation: Service) -> None:
    env, installation.env = installation.env, {**installation.env, name: value}
    try:
        assert name in refused(installation, "check")
    finally:
        installation.env = env


def test_a_person_is_exported_and_erased_over_all_accounts(installation: Service) -> None:
    owner = installation.account("p@example.com")["email"]
    installation.operate("account", "create", "other@example.com", "--name", "Ask gus@example.org")
    told = json.loads(installation.operate("person", "export", "gus@example.org"))
    assert [one["named_in"] for one in told["known"]] == [{"name": "Ask gus@example.org"}]
    assert "No data about this person" in installation.operate(
        "person", "erase", "gus@example.org", "--account", owner, "--yes"
    )
    assert "1 mention" in installation.operate("person", "erase", "gus@example.org", "--yes")
    assert json.loads(installation.operate("person", "export", "gus@example.org"))["known"] == []
    assert "valid email address" in refused(installation, "person", "erase", "gus@", "--yes")
