"""If email delivery fails, administrators are informed everywhere they look, and no one else is."""

from __future__ import annotations

import json
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest

from workspace.testing import fork_server
from workspace.testing.service import ROOT, Service
from workspace.testing.sign_in import PASSWORD
from workspace.testing.visitor import Visitor


@pytest.fixture(scope="module")
def service() -> Iterator[Service]:
    running = Service(WORKSPACE_SMTP_HOST="127.0.0.1", WORKSPACE_SMTP_PORT="1", WORKSPACE_SMTP_SECURITY="none")
    running.migrate()
    running.start()
    yield running
    running.stop()


def healthz(service: Service) -> tuple[int, str]:
    with urllib.request.urlopen(f"{service.url}/healthz", timeout=60) as answer:
        return answer.status, answer.read().decode()


def home(service: Service, email: str, *options: str) -> str:
    account = service.account(email, *options)
    link = account.get("sign_in_link") or service.operate("sign-in", email).strip()
    browser = Visitor(service)
    browser.post(link.removeprefix(service.url))
    return browser.get("/app")


@pytest.mark.timeout(240)  # processes start and end
def test_failing_email_is_reported_only_to_administrators(service: Service) -> None:
    assert "mail" not in healthz(service)[1]
    given = {"person": "Ada", "name": "Ada's", "trade": "cafe", "email": "ada@example.com", "password1": PASSWORD}
    Visitor(service).post("/sign-up", **given)
    deadline = time.monotonic() + 60
    while '"mail": "failing since' not in healthz(service)[1] and time.monotonic() < deadline:
        time.sleep(0.1)
    status, told = healthz(service)
    mail = json.loads(told)["mail"]
    assert status == 200 and mail.startswith("failing since 20") and mail.endswith("Z, waiting 1")
    assert "127.0.0.1" not in told

    operators = home(service, "admin@example.com", "--admin")
    assert "Emails are not being sent. 1 email is waiting." in operators
    assert "port 1 refused the connection" in operators
    assert "Emails are not being sent" not in home(service, "owner@example.com")

    command = [sys.executable, "-m", "workspace.interfaces.admin_cli", "check"]
    ran: Any = {"env": service.env, "cwd": ROOT, "capture_output": True, "text": True, "timeout": 120}
    done = subprocess.run(command, **ran)
    assert done.returncode == 1
    assert "PROBLEM  Emails cannot be sent: 127.0.0.1, port 1 refused the connection" in done.stdout
    assert "remark   Email is failing since" in done.stdout
    assert "Emails are not being sent: 127.0.0.1, port 1 refused the connection" in service.log
    assert "ada@example.com" not in service.log


def test_a_misspelled_security_setting_is_refused_instead_of_ignored(service: Service) -> None:
    command = [sys.executable, "-m", "workspace.interfaces.admin_cli", "check"]
    env = {**service.env, "WORKSPACE_SMTP_SECURITY": "ssl"}
    done = fork_server.run(command, env=env)
    assert done.returncode == 1 and "use one of starttls, tls, none" in done.stderr
