"""A person with a browser, as raw requests to a running service: no scripts, no pictures, and any Host."""

from __future__ import annotations

import re
from http.client import HTTPConnection
from urllib.parse import urlencode

from workspace.testing.service import Service


class Visitor:
    """A browser with cookies and forms, which sends any `Host`."""

    def __init__(self, service: Service, host: str = "") -> None:
        self.service, self.host = service, host or service.url.partition("://")[2]
        self.cookies: dict[str, str] = {}

    def get(self, path: str) -> str:
        """Return the page, or the redirect."""
        return self.request("GET", path)[1]

    def follow_redirects(self, path: str) -> str:
        """Follow redirects and return the final path."""
        while not (told := self.get(path)).startswith("<!doctype"):
            path = told
        return path

    def post(self, path: str, page: str = "", /, **fields: str) -> str:
        """Send a form with the hidden fields of its page, which is by default the one at `path`.

        Return the redirect.
        """
        status, told = self.send(path, page, **fields)
        assert status in (302, 303), told
        return told

    def refused(self, path: str, /, **fields: str) -> str:
        """Send a form that is rejected, and return the page."""
        status, told = self.send(path, **fields)
        assert status in (200, 400, 422, 429), told
        return told

    def send(self, path: str, page: str = "", /, **fields: str) -> tuple[int, str]:
        """Return the status, and the redirect or the page."""
        page = page or self.get(path)
        forms = re.findall(r"<form.*?</form>", page, re.DOTALL)
        form = next((one for one in forms if f'action="{path}"' in one), page)
        hidden = re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', form)
        return self.request("POST", path, urlencode(dict(hidden) | fields))

    def request(self, method: str, path: str, body: str = "") -> tuple[int, str]:
        connection = HTTPConnection("127.0.0.1", self.service.port, timeout=120)
        headers = {"Host": self.host, "X-Forwarded-Host": "evil.example", "Content-Length": str(len(body))}
        headers["Content-Type"] = "application/x-www-form-urlencoded"
        headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        for cookie in answer.msg.get_all("Set-Cookie") or []:
            name, _, value = cookie.partition(";")[0].partition("=")
            self.cookies[name] = value
        told = answer.headers.get("Location") or answer.read().decode()
        connection.close()
        return answer.status, told
