"""The secret key encrypts second steps of sign-in.

If it is lost, people are informed, and a second step can be removed.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator

import pytest

from workspace.testing import fork_server
from workspace.testing.service import ROOT, Service
from workspace.testing.sign_in import PASSWORD, totp
from workspace.testing.visitor import Visitor

OLD = "the-old-secret-0123456789-abcdefghijklmnop"
NEW = "quite-another-one-9876543210-zyxwvutsrqponm"
EMAIL = "owner@example.com"


def sign_in(browser: Visitor) -> str:
    return browser.post("/sign-in/", login=EMAIL, password=PASSWORD)


@pytest.fixture
def installation() -> Iterator[Service]:
    made = Service(WORKSPACE_SECRET_KEY=OLD)
    made.migrate()
    yield made
    made.stop()
    shutil.rmtree(made.folder, ignore_errors=True)


def restart(installation: Service, key: str) -> str:
    """Restart as `serve` does: return the messages of the start, and start the server."""
    installation.stop()
    installation.env["WORKSPACE_SECRET_KEY"] = key
    imported = "from workspace.interfaces.admin_cli import setting_changes"
    code = f"import django; django.setup()\n{imported}\nprint(setting_changes.record_settings())"
    env = {**installation.env, "DJANGO_SETTINGS_MODULE": "workspace.settings"}
    done = subprocess.run([sys.executable, "-c", code], env=env, cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    installation.start()
    return done.stdout


def operate(installation: Service, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "workspace.interfaces.admin_cli", *words]
    return fork_server.run(command, env=installation.env)


def create_owner(installation: Service) -> tuple[Visitor, str]:
    """Create an owner with a password and an authenticator app. Return their browser and the app's secret."""
    link = installation.account(EMAIL, "--admin")["sign_in_link"]
    browser = Visitor(installation)
    browser.post(link.removeprefix(installation.url))
    browser.post("/account/password/set", password1=PASSWORD)
    secret = re.search(r'data-copy="([A-Z2-7]{32})"', page := browser.get("/account/second-step/app"))
    assert secret
    browser.post("/account/second-step/app", page, code=totp(secret[1]))
    browser.post("/account/second-step/codes/new")
    return browser, secret[1]


@pytest.mark.timeout(240)  # it starts a service twice
def test_after_the_loss_of_the_key_people_are_informed_and_helped(installation: Service) -> None:
    installation.start()
    browser, secret = create_owner(installation)
    assert "The two-step verification of 2 people cannot be decrypted, because the secret key has changed" in restart(
        installation, NEW
    )

    assert browser.request("GET", "/app")[0] == 302  # signed out, without an error
    assert sign_in(browser) == "/sign-in/code"
    status, told = browser.send("/sign-in/code", code=totp(secret))
    assert status == 409 and "Two-step verification unavailable" in told and "administrator" in told
    assert "Traceback" not in installation.log

    done = operate(installation, "check")
    assert done.returncode == 1 and "mfa reset EMAIL" in done.stdout
    done = operate(installation, "mfa", "reset", EMAIL)
    assert done.returncode == 0 and "authenticator app, recovery codes" in done.stdout
    assert "removed the second step of person" in done.stderr and EMAIL not in done.stderr
    assert browser.get("/sign-in/code").startswith("/sign-in")  # the sign-in does not continue at the second step
    assert sign_in(browser) == "/app"
    assert "Two-step verification turned off" in browser.get("/outbox")


def test_a_damaged_secret_file_is_reported(installation: Service) -> None:
    del installation.env["WORKSPACE_SECRET_KEY"]
    (installation.folder / "secret-key").write_text("cut off\n")
    done = operate(installation, "check")
    assert done.returncode == 1 and "restore it from a backup" in done.stderr and "Traceback" not in done.stderr
