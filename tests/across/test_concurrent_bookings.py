"""A hundred guests book the same time at once on two servers with one database.

One of them gets it, and all others see available times.
"""

from __future__ import annotations

import re
import time
from concurrent.futures import ThreadPoolExecutor
from html import unescape
from http.client import HTTPConnection
from urllib.parse import urlencode

import pytest

from workspace.testing.service import PATIENCE, Service

pytestmark = pytest.mark.timeout(300)
GUESTS = 100
ALWAYS = [{"from": "00:00", "until": "00:00"}]


def request_path(server: Service, method: str, path: str, body: str = "", guest: int = 0) -> tuple[int, str]:
    connection = HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
    host = server.env["WORKSPACE_BASE_URL"].partition("://")[2]
    headers = {"Host": host, "X-Forwarded-For": f"198.51.100.{guest}", "Content-Length": str(len(body))}
    connection.request(method, path, body, {**headers, "Content-Type": "application/x-www-form-urlencoded"})
    answer = connection.getresponse()
    told = answer.read().decode()
    connection.close()
    return answer.status, told


def test_one_of_a_hundred_guests_gets_the_time() -> None:
    one = Service(WORKSPACE_TRUSTED_PROXIES="127.0.0.1").migrate()
    key = one.account()["api_key"]
    two = Service(**{name: value for name, value in one.env.items() if name.startswith("WORKSPACE_")})
    try:
        one.start()
        two.start()
        service = {"name": "Cut", "duration": 30, "notice": 0, "horizon": 300}
        page = one.api(key, "svc_booking_create", name="Hair", hours=ALWAYS, time_zone="UTC", services=[service])
        path = page["public_url"].removeprefix(one.env["WORKSPACE_BASE_URL"]) + "/book"
        start = time.strftime("%Y-%m-%dT10:00:00Z", time.gmtime(time.time() + 40 * 86_400))
        asked = {"service": page["services"][0]["id"], "start": start}
        shown = [request_path(one, "GET", f"{path}?{urlencode(asked)}")[1] for _ in range(GUESTS)]
        time.sleep(2)  # no person is faster, and forms sent faster are refused

        def book(number: int) -> tuple[int, str]:
            fields = re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', shown[number])
            given = {name: unescape(value) for name, value in fields}
            body = urlencode({**given, "name": f"Guest {number}", "email": f"guest{number}@example.com"})
            while (answer := request_path((one, two)[number % 2], "POST", path, body, number))[0] == 503:
                time.sleep(0.2)  # as a guest does who is asked to retry
            return answer

        with ThreadPoolExecutor(GUESTS) as crowd:
            answers = list(crowd.map(book, range(GUESTS)))
        assert sorted(status for status, _ in answers) == [303] + [409] * (GUESTS - 1)
        for status, told in answers:
            assert status == 303 or (
                "This time was just booked. Choose another time." in told and told.count('<input type="radio"') == 3
            )
        assert one.api(key, "svc_booking_list")["total"] == 1
    finally:
        one.stop()
        two.stop()
