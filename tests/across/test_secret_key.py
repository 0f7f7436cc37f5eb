"""The secret key signs sessions and links and seals second steps. It can be replaced without anybody noticing; lost, it
is told in words; and a second step that is lost can be taken away."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest

from tests.service import ROOT, Service
from tests.visitor import Visitor
from workspace.interfaces.sign_in.tests.steps import PASSWORD, totp

pytestmark = pytest.mark.timeout(240)  # each restarts a service several times
OLD = "the-old-secret-0123456789-abcdefghijklmnop"
NEW = "quite-another-one-9876543210-zyxwvutsrqponm"
EMAIL = "owner@example.com"


def sign_in(browser: Visitor) -> str:
    return browser.post("/sign-in/", login=EMAIL, password=PASSWORD)


@pytest.fixture
def installation() -> Iterator[Service]:
    made = Service(WORKSPACE_SECRET_KEY=OLD)
    made.operate("migrate")
    yield made
    made.stop()
    shutil.rmtree(made.folder, ignore_errors=True)


def restart(installation: Service, **settings: str) -> str:
    """As `serve` does: what the start says, and then the server."""
    installation.stop()
    installation.env.update(settings)
    code = "import django; django.setup()\nfrom workspace.interfaces.operator import changes\nprint(changes.note())"
    env = {**installation.env, "DJANGO_SETTINGS_MODULE": "workspace.settings"}
    done = subprocess.run([sys.executable, "-c", code], env=env, cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    installation.start()
    return done.stdout


def settle(installation: Service) -> tuple[Visitor, str]:
    """An owner with a password and an authenticator app: their browser, and the app's secret."""
    link = installation.account(EMAIL, "--admin")["sign_in_link"]
    browser = Visitor(installation)
    browser.post(link.removeprefix(installation.url))
    browser.post("/account/password/set", password1=PASSWORD)
    secret = re.search(r'data-copy="([A-Z2-7]{32})"', page := browser.get("/account/second-step/app"))
    assert secret
    browser.post("/account/second-step/app", page, code=totp(secret[1]))
    browser.post("/account/second-step/codes/new")
    return browser, secret[1]


def fresh_code(secret: str) -> str:
    """A code is good once: the next one, which a phone whose clock is ahead would show."""
    return totp(secret, time.time() + 30)


def test_a_replaced_key_is_noticed_by_nobody(installation: Service) -> None:
    restart(installation)
    browser, secret = settle(installation)
    link = installation.operate("sign-in", EMAIL).strip()

    assert restart(installation, WORKSPACE_SECRET_KEY=NEW, WORKSPACE_SECRET_KEY_FALLBACKS=f"x {OLD}") == "[]\n"
    assert [browser.ask("GET", "/app")[0] for _ in range(3)] == [200] * 3
    assert "works once" not in Visitor(installation).get(link.removeprefix(installation.url))
    again = Visitor(installation)
    assert sign_in(again) == "/sign-in/code"
    assert again.post("/sign-in/code", code=fresh_code(secret)) == "/app"

    # what was sealed is sealed anew by then: the old key can go, and nothing cannot be read
    assert restart(installation, WORKSPACE_SECRET_KEY_FALLBACKS="") == "[]\n"
    assert installation.operate("check").rstrip().endswith("Nothing is wrong.")
    last = Visitor(installation)
    sign_in(last)
    assert last.ask("GET", "/sign-in/code")[0] == 200
    assert "Your second step cannot be read" not in last.send("/sign-in/code", code="123456")[1]

    # sessions that the change of keys renamed end like all others
    assert browser.ask("GET", "/app")[0] == 200
    installation.operate("second-step", "remove", EMAIL)
    assert browser.ask("GET", "/app")[0] == 302


def test_with_the_key_lost_people_are_told_so_and_helped(installation: Service) -> None:
    restart(installation)
    browser, secret = settle(installation)
    said = restart(installation, WORKSPACE_SECRET_KEY=NEW)
    assert "2 second steps cannot be read, since the secret key is another" in said

    assert browser.ask("GET", "/app")[0] == 302  # signed out, and no failure
    assert sign_in(browser) == "/sign-in/code"
    status, told = browser.send("/sign-in/code", code=totp(secret))
    assert status == 409 and "Your second step cannot be read" in told and "whoever runs this installation" in told
    assert "Traceback" not in installation.log

    check = [sys.executable, "-m", "workspace.interfaces.operator", "check"]
    done = subprocess.run(check, env=installation.env, cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.returncode == 1 and "second-step remove EMAIL" in done.stdout

    told = installation.operate("second-step", "remove", EMAIL)
    assert "authenticator app, recovery codes" in told
    assert sign_in(browser) == "/app"
    assert installation.operate("check").rstrip().endswith("Nothing is wrong.")


def test_a_start_with_another_key_says_that_everybody_signs_in_anew(installation: Service) -> None:
    assert restart(installation) == "[]\n"
    assert "The secret key is not that of the last start" in restart(installation, WORKSPACE_SECRET_KEY=NEW)
    assert restart(installation) == "[]\n"


def test_a_second_step_that_is_removed_ends_the_sessions_and_is_told(installation: Service) -> None:
    installation.start()
    browser, _ = settle(installation)
    assert browser.ask("GET", "/app")[0] == 200
    command = [sys.executable, "-m", "workspace.interfaces.operator", "second-step", "remove", EMAIL]
    done = subprocess.run(command, env=installation.env, cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and "removed the second step of person" in done.stderr
    assert EMAIL not in done.stderr
    assert browser.ask("GET", "/app")[0] == 302
    assert sign_in(browser) == "/app"
    assert "Your second step was removed" in browser.get("/outbox")
    again = subprocess.run(command, env=installation.env, cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert again.returncode == 1 and "has no second step" in again.stderr


def test_a_damaged_secret_file_is_told(installation: Service) -> None:
    del installation.env["WORKSPACE_SECRET_KEY"]
    (installation.folder / "secret-key").write_text("cut off\n")
    command = [sys.executable, "-m", "workspace.interfaces.operator", "check"]
    done = subprocess.run(command, env=installation.env, cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.returncode == 1 and "put it back from a backup" in done.stderr and "Traceback" not in done.stderr
