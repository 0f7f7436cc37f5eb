"""All interfaces of the service, requested once each: the answer, its format and its duration."""

from __future__ import annotations

import http.client
import json
import re
import sys
import time
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode, urlsplit

from workspace.testing import fork_server
from workspace.testing.service import Service

PHONE = "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/130.0 Mobile Safari/537.36"
PASSWORD = "correct horse battery staple"


@dataclass(frozen=True)
class Told:
    """The answer of an interface. `status` is the exit code for `svc`. `seconds`: from the request to the last byte."""

    status: int
    kind: str
    text: str
    seconds: float
    headers: dict[str, str]

    @property
    def json(self) -> Any:
        return json.loads(self.text)


class Faces:
    """An account with a code and a card, its key, and a signed-in browser.

    `request` sends a request to one of NAMES.
    """

    NAMES = (
        "healthz", "sign-in page", "scan", "card page", "read", "read by post", "write", "mcp read", "mcp write",
        "dashboard page", "dashboard write", "sign-in", "guest form", "svc read", "svc write",
    )  # fmt: skip

    def __init__(self, service: Service) -> None:
        self.service = service
        self.key = service.account("faces@example.com")["api_key"]
        self.code = service.api(self.key, "svc_qr_create", name="Poster", target_url="https://example.com")
        self.card = service.api(self.key, "svc_card_create", full_name="Jane Doe", email="jane@example.com")
        self.scanned = urlsplit(self.code["public_url"]).path
        self.carded = urlsplit(self.card["public_url"]).path
        self.cookies: dict[str, str] = {}
        self._sign_in()

    def request(self, name: str) -> Told:
        if name.startswith("svc"):
            return self._svc(name)
        method, path, body, headers = self._request(name)
        return self.fetch(method, path, body, headers)

    def _request(self, name: str) -> tuple[str, str, str, dict[str, str]]:  # noqa: C901 - one case for each interface
        bearer = {"Authorization": f"Bearer {self.key}", "Content-Type": "application/json"}
        form = {"Content-Type": "application/x-www-form-urlencoded", "Origin": self.service.url}
        cookies = {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())}
        token = {"csrfmiddlewaretoken": self.cookies.get("workspace_csrf", "")}
        create = {"name": "Another", "target_url": "https://example.com/another"}
        match name:
            case "healthz":
                return "GET", "/healthz", "", {}
            case "sign-in page":
                return "GET", "/sign-in/", "", {}
            case "scan":
                return "GET", self.scanned, "", {"User-Agent": PHONE}
            case "card page":
                return "GET", self.carded, "", {"User-Agent": PHONE}
            case "read":
                return "GET", "/api/v1/qr/list", "", bearer
            case "read by post":
                return "POST", "/api/v1/call", json.dumps({"name": "svc_qr_list"}), bearer
            case "write":
                return "POST", "/api/v1/qr/create", json.dumps(create), bearer
            case "mcp read":
                return "POST", "/mcp", _rpc("svc_qr_list", {}), {**bearer, "Accept": "application/json"}
            case "mcp write":
                return "POST", "/mcp", _rpc("svc_qr_create", create), {**bearer, "Accept": "application/json"}
            case "dashboard page":
                return "GET", "/app/qr", "", cookies
            case "dashboard write":
                given = {**token, "name": "By hand", "target_url": "https://example.com/hand"}
                return "POST", "/app/qr/new", urlencode(given), {**form, **cookies}
            case "sign-in":
                given = {**token, "login": "faces@example.com", "password": PASSWORD}
                csrf = {"Cookie": f"workspace_csrf={token['csrfmiddlewaretoken']}"}
                return "POST", "/sign-in/", urlencode(given), {**form, **csrf}
            case "guest form":
                given = {"reason": "spam", "note": "Not mine", "stamp": self.stamp}
                return "POST", f"/report/qr/{self.scanned.rpartition('/')[2]}", urlencode(given), form
        raise ValueError(name)

    def fetch(self, method: str, path: str, body: str = "", headers: dict[str, str] | None = None) -> Told:
        began = time.monotonic()
        connection = http.client.HTTPConnection("127.0.0.1", self.service.port, timeout=90)
        try:
            connection.request(method, path, body.encode() or None, headers or {})
            response = connection.getresponse()
            text = response.read().decode("utf-8", "replace")
        finally:
            connection.close()
        self._bake(response)
        told = {name.lower(): value for name, value in response.getheaders()}
        return Told(response.status, told.get("content-type", ""), text, time.monotonic() - began, told)

    def _bake(self, response: http.client.HTTPResponse) -> None:
        if self._baking:
            for line in response.headers.get_all("Set-Cookie", []):
                name, _, value = line.partition(";")[0].partition("=")
                self.cookies[name] = value

    _baking = False

    def _sign_in(self) -> None:
        self._baking = True
        path = urlsplit(self.service.operate("sign-in", "faces@example.com").strip()).path
        self._submit(path, {})
        self._submit("/account/password/set", {"password1": PASSWORD, "password2": PASSWORD})
        self.fetch("GET", "/app/qr", "", self._cookie())
        report = self.fetch("GET", f"/report/qr/{self.scanned.rpartition('/')[2]}").text
        found = re.search(r'name="stamp" value="([^"]+)"', report)
        assert found, report
        self.stamp = found[1]
        self._baking = False

    def _submit(self, path: str, fields: dict[str, str]) -> None:
        page = self.fetch("GET", path, "", self._cookie())
        assert page.status == 200, (path, page.status, page.headers)
        given = {**fields, "csrfmiddlewaretoken": self.cookies["workspace_csrf"]}
        headers = {"Content-Type": "application/x-www-form-urlencoded", "Origin": self.service.url, **self._cookie()}
        told = self.fetch("POST", path, urlencode(given), headers)
        assert told.status in (302, 303), (path, told.status, told.text[:2000])

    def _cookie(self) -> dict[str, str]:
        return {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())}

    def _svc(self, name: str) -> Told:
        words = ["qr", "list"] if name == "svc read" else ["qr", "create", "--name", "X", "--target-url", "example.com"]
        env = {
            **self.service.env,
            "SVC_BASE_URL": self.service.url,
            "SVC_API_KEY": self.key,
            "SVC_CONFIG_DIR": str(self.service.folder / "svc"),
        }
        began = time.monotonic()
        done = fork_server.run([sys.executable, "-m", "svc", *words], env=env)
        return Told(done.returncode, "", done.stdout + done.stderr, time.monotonic() - began, {})


def _rpc(tool: str, arguments: dict[str, Any]) -> str:
    call = {"name": tool, "arguments": arguments}
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call})
