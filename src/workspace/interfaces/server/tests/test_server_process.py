"""The server as a process: start, stop, log lines, proxies."""

import json
import signal
import threading
import time

from workspace.interfaces.server.tests.running_server import PATIENCE, Server, eventually


def test_a_stopping_server_finishes_requests_in_progress(tmp_path):
    gate, answers = tmp_path / "gate", []
    with (tmp_path / "log").open("w") as log, Server(log=log) as server:
        idle = server.connect()
        threads = [
            threading.Thread(target=lambda: answers.append(server.request(path=f"/hold?{gate}"))) for _ in range(3)
        ]
        for thread in threads:
            thread.start()
        eventually(lambda: server.counters()["running"] == 3)
        server.process.send_signal(signal.SIGTERM)
        time.sleep(0.5)  # time for the stop to begin; on a busy machine it may begin later, which weakens the test
        assert answers == []
        gate.touch()
        for thread in threads:
            thread.join()
        assert server.process.wait(PATIENCE) == 0
        idle.close()
        assert not server.is_open()
    assert [(status, body) for status, _, body in answers] == [(200, b"held")] * 3
    lines = (tmp_path / "log").read_text().splitlines()
    assert lines[0].startswith("service started")
    # services end after the last response, and the inner application after them
    last = [line for line in lines if '"request"' in line][-1]
    assert lines.index(last) < lines.index("service stopped") < lines.index("mcp stopped")


def test_a_request_that_never_ends_does_not_block_the_stop(tmp_path):
    with Server("--drain-seconds", "1") as server:
        connection = server.connect()
        connection.sendall(b"GET /hold?%s HTTP/1.1\r\nHost: x\r\n\r\n" % bytes(tmp_path / "never"))
        eventually(lambda: server.counters()["running"] == 1)
        server.stop()
        assert not server.is_open()
        connection.close()


def test_the_worker_ends_when_its_parent_is_killed():
    with Server("--workers", "2") as server:
        assert server.stop(signal.SIGKILL) == -signal.SIGKILL
        eventually(lambda: not server.is_open())


def test_log_lines_contain_no_address_query_or_credential(tmp_path):
    with (tmp_path / "log").open("w") as log, Server(log=log, SAMPLE_PROXY="1") as server:
        secrets = {"Authorization": "Bearer svc_live_secret", "X-Forwarded-For": "203.0.113.9"}
        for path in (
            "/echo?token=abc",
            "/q/abc?token=abc",
            "/mcp?token=abc",
            "/boom?token=abc",
            "/sl%FFash\x22?t=abc",
        ):
            server.request(path=path, headers={**secrets, "X-Request-Id": "request-number-1"})
        server.stop()
    text = (tmp_path / "log").read_text()
    lines = [json.loads(line) for line in text.splitlines() if line.startswith("{")]
    requests = [line for line in lines if line["event"] == "request"]
    assert [line["path"] for line in requests] == ["/echo", "/q/abc", "/mcp", "/boom", '/sl\ufffdash"']
    assert [line["status"] for line in requests] == [200, 302, 200, 500, 200]
    assert [line["event"] for line in lines if "request_id" not in line] == ["started", "stopped"]
    assert {line["request_id"] for line in lines if "request_id" in line} == {"request-number-1"}
    assert all(line["method"] == "GET" and line["ms"] >= 0 for line in requests)
    for word in ("token=", "svc_live", "203.0.113.9", "127.0.0.1"):
        assert word not in text


def test_a_trusted_proxy_sets_the_client_the_scheme_and_the_host():
    with Server(SAMPLE_PROXY="1") as server:
        environ = server.environ(
            b"X-Forwarded-For: 6.6.6.6, 203.0.113.9", b"X-Forwarded-Proto: https", b"X-Forwarded-Host: pub.test"
        )
    assert environ["workspace.client_address"] == environ["REMOTE_ADDR"] == "203.0.113.9"
    assert environ["wsgi.url_scheme"] == "https"
    assert environ["HTTP_HOST"] == "pub.test"


def test_a_second_server_on_one_port_is_refused_with_a_hint(tmp_path):
    with (tmp_path / "log").open("w") as log, Server() as server, Server.__new__(Server) as second:
        second.port = server.port
        second.start(log)
        assert second.process.wait(PATIENCE) == 1
    assert "Choose another with PORT" in (tmp_path / "log").read_text()
