"""Device authorization in the browser (RFC 8628): request a code, show it, and poll until a person approves."""

from __future__ import annotations

import os
import socket
import sys
import time
from typing import Any

from svc.client import error_from_answer
from svc.connection import Connection, HttpAnswer
from svc.errors import NetworkError, NotAuthorizedError
from svc.output import print_message

END_MESSAGES = {
    "expired_token": "The code has expired. Run svc login again.",
    "access_denied": "The request was declined in the browser. Nothing was stored.",
}


def pair_device(base_url: str, open_browser: bool = True) -> str:
    """Return an API key for this computer. This blocks until a person approves.

    Raise NotAuthorizedError if the request is declined or expires.
    """
    connection = Connection(base_url, timeout=30)
    try:
        answer = connection.request(
            "POST", "/device/start", body={"name": f"svc on {socket.gethostname() or 'a computer'}"[:80]}
        )
        started = _parse_object(answer)
        address = str(started.get("verification_uri_complete") or started.get("verification_uri") or "")
        if answer.status != 200 or not address.startswith(("http://", "https://")) or not started.get("device_code"):
            raise error_from_answer(answer, started)
        print_message(
            f"Open this address, sign in and approve:\n\n  {address}\n\n"
            f"The page should show this code: {started.get('user_code')}\n"
        )
        if open_browser:
            _open_browser(address)
        return _poll_for_key(connection, started)
    finally:
        connection.close()


def _poll_for_key(connection: Connection, started: dict[str, Any]) -> str:
    interval = _parse_seconds(started.get("interval"), 5)
    deadline = time.monotonic() + _parse_seconds(started.get("expires_in"), 600)
    print_message("Waiting for your approval ... (press Ctrl-C to stop)")
    while time.monotonic() < deadline:
        time.sleep(interval)
        try:
            answer = connection.request("POST", "/device/token", body={"device_code": started["device_code"]})
        except NetworkError:
            # RFC 8628 asks clients to slow down if a poll is lost, because the person may still be reading.
            interval += 1
            continue
        content = _parse_object(answer)
        if answer.status == 200 and isinstance(content.get("api_key"), str):
            return str(content["api_key"])
        error = content.get("error")
        if error == "slow_down":
            interval += 5
        elif error != "authorization_pending":
            if error in END_MESSAGES:
                raise NotAuthorizedError(str(error), END_MESSAGES[error])
            raise error_from_answer(answer, content)
    raise NotAuthorizedError("expired_token", END_MESSAGES["expired_token"])


def _open_browser(address: str) -> None:
    # Without a display, webbrowser would start a text browser in this terminal.
    screen = any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"))
    if not screen and sys.platform not in ("darwin", "win32"):
        return
    import webbrowser

    try:
        webbrowser.open(address)
    except (webbrowser.Error, OSError):
        return


def _parse_object(answer: HttpAnswer) -> dict[str, Any]:
    content = answer.parse_json()
    return content if isinstance(content, dict) else {}


def _parse_seconds(value: Any, fallback: float) -> float:
    usable = isinstance(value, (int, float)) and not isinstance(value, bool) and value >= 0
    return float(value) if usable else fallback
