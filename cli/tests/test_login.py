"""Logging in and out, and which key is sent where."""

from __future__ import annotations

import json
import stat
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from loopback import KEY, Command, Reply, Request, Service, ok


@pytest.fixture
def svc(svc: Command) -> Command:
    """Return the command without a key in the environment."""
    del svc.env["SVC_API_KEY"]
    return svc


def stored(svc: Command) -> dict[str, Any]:
    return json.loads((svc.home / "config" / "svc" / "profiles.json").read_text())


def test_without_a_key_a_call_says_how_to_log_in(svc: Command, service: Service) -> None:
    ran = svc("qr", "list")
    assert ran.code == 3
    assert "Run: svc login" in ran.err
    assert service.requests == []


def test_a_key_from_stdin_is_verified_and_stored_readable_only_by_its_owner(svc: Command, service: Service) -> None:
    ran = svc("login", "--with-token", stdin=f"{KEY}\n")
    assert (ran.code, ran.out) == (0, "")
    assert "as ada@example.com" in ran.err
    assert service.calls_of("svc_me")[0].headers["authorization"] == f"Bearer {KEY}"
    file = svc.home / "config" / "svc" / "profiles.json"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    assert svc("me").json["name"] == "Ada"


@pytest.mark.parametrize("key", ["svc_live_wrong", "", "two words", "svc_live_ä", "svc_live_\r\nX-Evil: 1"])
def test_an_invalid_key_is_not_stored(svc: Command, key: str) -> None:
    assert svc("login", "--with-token", stdin=key).code == 3
    assert not (svc.home / "config").exists()


def test_a_key_is_sent_only_to_the_service_it_was_stored_for(svc: Command, service: Service) -> None:
    del svc.env["SVC_BASE_URL"]
    assert svc("login", "--with-token", "--base-url", service.url + "/", stdin=KEY).code == 0
    assert svc("me").code == 0
    before = len(service.requests)
    ran = svc("me", SVC_BASE_URL=service.url.replace("127.0.0.1", "localhost"))
    assert ran.code == 3
    assert "is logged in at" in ran.err
    assert [request.path for request in service.requests[before:]].count("/api/v1/me") == 0


def test_profiles_have_separate_logins(svc: Command) -> None:
    assert svc("login", "--with-token", "--profile", "shop", stdin=KEY).code == 0
    assert svc("me").code == 3
    assert svc("--profile", "shop", "me").code == 0
    assert svc("me", SVC_PROFILE="shop").code == 0
    assert svc("logout", "--profile", "shop").code == 0
    assert svc("me", SVC_PROFILE="shop").code == 3


def test_logout_deletes_the_key(svc: Command) -> None:
    svc("login", "--with-token", stdin=KEY)
    assert "Logged out" in svc("logout").err
    assert stored(svc) == {}
    assert "was not logged in" in svc("logout").err


def test_a_keychain_is_used_if_there_is_one(svc: Command, tmp_path: Path) -> None:
    (tmp_path / "keychain_in_a_file.py").write_text(
        "import json, keyring.backend, pathlib\n"
        "FILE = pathlib.Path(__file__).with_name('keychain.json')\n"
        "class Keyring(keyring.backend.KeyringBackend):\n"
        "    priority = 5\n"
        "    def kept(self): return json.loads(FILE.read_text()) if FILE.exists() else {}\n"
        "    def get_password(self, service, name): return self.kept().get(service + '/' + name)\n"
        "    def set_password(self, service, name, word):\n"
        "        FILE.write_text(json.dumps({**self.kept(), service + '/' + name: word}))\n"
        "    def delete_password(self, service, name):\n"
        "        kept = self.kept(); del kept[service + '/' + name]; FILE.write_text(json.dumps(kept))\n"
    )
    svc.env["PYTHONPATH"] += f":{tmp_path}"
    svc.env["PYTHON_KEYRING_BACKEND"] = "keychain_in_a_file.Keyring"
    assert "the system keychain" in svc("login", "--with-token", stdin=KEY).err
    assert KEY not in json.dumps(stored(svc))
    assert json.loads((tmp_path / "keychain.json").read_text()) == {"svc/default": KEY}
    assert svc("me").code == 0
    svc("logout")
    assert json.loads((tmp_path / "keychain.json").read_text()) == {}


def pairing(service: Service, answers: list[Reply]) -> threading.Event:
    """Set up the pairing endpoints.

    They send the given replies until the page is opened, and then the key.
    """
    opened = threading.Event()
    complete = f"{service.url}/device?code=ABCD-EFGH"
    service.paths["/device/start"] = lambda request: Reply(
        {
            "device_code": "dev",
            "user_code": "ABCD-EFGH",
            "verification_uri": f"{service.url}/device",
            "verification_uri_complete": complete,
            "expires_in": 20,
            "interval": 0.05,
        }
    )

    def page(request: Request) -> Reply:
        opened.set()
        return Reply(b"<p>Approved</p>")

    def token(request: Request) -> Reply:
        assert request.body == {"device_code": "dev"}
        if answers:
            return answers.pop(0)
        if not opened.is_set():
            return Reply({"error": "authorization_pending"}, 400)
        return Reply({"api_key": KEY, "account": {"name": "Ada", "email": "ada@example.com"}})

    service.paths["/device"], service.paths["/device/token"] = page, token
    return opened


def test_login_authorizes_in_the_browser(svc: Command, service: Service) -> None:
    opened = pairing(service, [Reply({"error": "authorization_pending"}, 400), Reply(b"", hang_up=True)])
    browser = svc.home / "browser.py"
    browser.write_text("import sys, urllib.request\nurllib.request.urlopen(sys.argv[1]).read()\n")
    ran = svc("login", BROWSER=f"{sys.executable} {browser} %s")
    assert ran.code == 0, ran.err
    assert opened.is_set()
    assert f"{service.url}/device?code=ABCD-EFGH" in ran.err
    assert "ABCD-EFGH\n" in ran.err
    assert service.requests[0].body["name"].startswith("svc on ")
    assert stored(svc)["default"]["api_key"] == KEY
    assert svc("me").code == 0


@pytest.mark.parametrize(("error", "text"), [("access_denied", "declined"), ("expired_token", "has expired")])
def test_login_fails_if_the_request_is_declined_or_expires(
    svc: Command, service: Service, error: str, text: str
) -> None:
    pairing(service, [Reply({"error": error}, 400)])
    ran = svc("login", "--no-browser")
    assert (ran.code, text in ran.err) == (3, True)
    assert not (svc.home / "config").exists()


def test_ctrl_c_while_waiting_stops_with_130(svc: Command, service: Service) -> None:
    pairing(service, [])
    ran = svc.on_terminal("login", "--no-browser", interrupt_at="Waiting for your approval")
    assert ran.code == 130
    assert "Traceback" not in ran.out


def test_polling_slows_down_on_request(monkeypatch: pytest.MonkeyPatch, service: Service) -> None:
    from svc import device_login as module

    waits: list[float] = []
    monkeypatch.setattr(module.time, "sleep", waits.append)
    pairing(service, [Reply({"error": "slow_down"}, 400), Reply({"api_key": KEY})])
    assert module.pair_device(service.url, open_browser=False) == KEY
    assert waits == [0.05, 5.05]


def test_the_key_in_the_environment_overrides_the_stored_one(svc: Command, service: Service) -> None:
    svc("login", "--with-token", stdin=KEY)
    assert svc("me", SVC_API_KEY="svc_live_other").code == 3
    service.tools["svc_me"] = lambda arguments, request: ok({"name": "Ada"})
    assert "SVC_API_KEY is still set" in svc("logout", SVC_API_KEY="svc_live_other").err


def test_a_broken_profiles_file_is_reported_and_not_overwritten(svc: Command) -> None:
    file = svc.home / "config" / "svc" / "profiles.json"
    file.parent.mkdir(parents=True)
    file.write_text("{broken")
    assert svc("me").code == 1
    assert svc("login", "--with-token", stdin=KEY).code == 1
    assert file.read_text() == "{broken"
