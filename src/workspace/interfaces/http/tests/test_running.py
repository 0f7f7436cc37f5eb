"""The server as a process: start, stop, log lines, proxies."""

import json
import signal
import socket
import threading
import time

from workspace.interfaces.http.tests.serving import Server, eventually


def is_open(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def test_a_stopping_server_finishes_the_requests_under_way(tmp_path):
    with (tmp_path / "log").open("w") as log:
        server = Server(log=log)
        idle = server.connect()
        answers = []
        threads = [threading.Thread(target=lambda: answers.append(server.ask(path="/sleep?0.6"))) for _ in range(3)]
        for thread in threads:
            thread.start()
        eventually(lambda: server.counters()["most"] == 3)
        assert server.stop() == 0
        for thread in threads:
            thread.join()
        idle.close()
    assert [(status, body) for status, _, body in answers] == [(200, b"slept")] * 3
    assert not is_open(server.port)
    lines = (tmp_path / "log").read_text().splitlines()
    assert lines[0].startswith("service started")
    # services end after the last answer, and the application inside after them
    last = [line for line in lines if '"request"' in line][-1]
    assert lines.index(last) < lines.index("service stopped") < lines.index("mcp stopped")


def test_a_request_that_never_ends_does_not_hold_up_the_stop():
    server = Server("--drain-seconds", "1")
    connection = server.connect()
    connection.sendall(b"GET /sleep?30 HTTP/1.1\r\nHost: x\r\n\r\n")
    eventually(lambda: server.counters()["most"] == 1)
    began = time.monotonic()
    server.stop()
    assert time.monotonic() - began < 4
    assert not is_open(server.port)
    connection.close()


def test_the_worker_ends_when_its_parent_is_killed():
    server = Server()
    assert server.stop(signal.SIGKILL) == -signal.SIGKILL
    eventually(lambda: not is_open(server.port))


def test_log_lines_hold_no_address_no_query_and_no_credential(tmp_path):
    with (tmp_path / "log").open("w") as log:
        server = Server(log=log, SAMPLE_PROXY="1")
        secrets = {"Authorization": "Bearer svc_live_secret", "X-Forwarded-For": "203.0.113.9"}
        for path in (
            "/echo?token=abc",
            "/q/abc?token=abc",
            "/mcp?token=abc",
            "/boom?token=abc",
            "/sl%FFash\x22?t=abc",
        ):
            server.ask(path=path, headers={**secrets, "X-Request-Id": "request-number-1"})
        server.stop()
    text = (tmp_path / "log").read_text()
    lines = [json.loads(line) for line in text.splitlines() if line.startswith("{")]
    requests = [line for line in lines if line["event"] == "request"]
    assert [line["path"] for line in requests] == ["/echo", "/q/abc", "/mcp", "/boom", '/sl\ufffdash"']
    assert [line["status"] for line in requests] == [200, 302, 200, 500, 200]
    assert {line["request_id"] for line in lines} == {"request-number-1"}
    assert all(line["method"] == "GET" and line["ms"] >= 0 for line in requests)
    for word in ("token=", "svc_live", "203.0.113.9", "127.0.0.1"):
        assert word not in text


def test_a_trusted_proxy_tells_the_caller_the_scheme_and_the_host():
    server = Server(SAMPLE_PROXY="1")
    environ = server.environ(
        b"X-Forwarded-For: 6.6.6.6, 203.0.113.9", b"X-Forwarded-Proto: https", b"X-Forwarded-Host: pub.test"
    )
    assert environ["workspace.client_address"] == environ["REMOTE_ADDR"] == "203.0.113.9"
    assert environ["wsgi.url_scheme"] == "https"
    assert environ["HTTP_HOST"] == "pub.test"
    server.stop()


def test_a_second_server_on_one_port_is_refused_with_a_hint(tmp_path):
    server = Server()
    with (tmp_path / "log").open("w") as log:
        second = Server.__new__(Server)
        second.port = server.port
        second.start(log)
        assert second.process.wait(10) == 1
    assert "Choose another with PORT" in (tmp_path / "log").read_text()
    server.stop()
