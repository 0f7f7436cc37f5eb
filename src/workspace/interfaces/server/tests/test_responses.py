"""Sending of responses: complete, streamed, from files, aborted, and many at once."""

import http.client
import json
import threading
from pathlib import Path

import pytest

from workspace.interfaces.server.tests.running_server import POOL_SIZE, eventually
from workspace.interfaces.server.tests.test_request_bodies import assert_refused


def test_a_plain_response_has_a_length_and_keeps_the_connection_open(server):
    status, headers, body = server.request()
    assert status == 200
    assert int(headers["content-length"]) == len(body)
    assert "transfer-encoding" not in headers


def test_head_has_the_headers_of_get_and_no_body(server):
    for path in ("/django/x", "/django/file"):
        whole = server.request("GET", path)
        status, headers, body = server.request("HEAD", path)
        assert (status, body) == (200, b"")
        assert headers["content-length"] == whole[1]["content-length"] == str(len(whole[2]))


def test_head_does_not_produce_a_stream(server):
    before = server.counters()
    assert server.request("HEAD", "/endless")[0] == 200
    after = server.counters()
    assert after["produced"] == before["produced"]
    assert after["closed"] == before["closed"] + 1


def test_a_stream_arrives_while_it_is_produced(server, tmp_path):
    gate = tmp_path / "gate"
    with server.connect() as connection:
        connection.sendall(b"GET /held-stream?%s HTTP/1.1\r\nHost: x\r\n\r\n" % bytes(gate))
        seen = b""
        while b"tick0" not in seen:
            seen += connection.recv(4096)
        assert b"tick1" not in seen
        gate.touch()
        while b"tick1" not in seen:
            seen += connection.recv(4096)


def test_django_streams_and_files_arrive_complete(server):
    assert server.request(path="/django/stream")[2] == b"".join(b"%d\n" % i for i in range(1000))
    sample = Path(__file__).with_name("sample.py")
    assert server.request(path="/django/file")[2] == sample.read_bytes()


def test_written_data_comes_before_the_iterable(server):
    assert server.request(path="/written")[2] == b"first second"


def test_an_endless_stream_is_closed_when_its_client_disconnects(server):
    before = server.counters()["closed"]
    with server.connect() as connection:
        connection.sendall(b"GET /endless HTTP/1.1\r\nHost: x\r\n\r\n")
        connection.recv(100_000)
    eventually(lambda: server.counters()["closed"] == before + 1)


def test_a_client_that_stops_reading_is_disconnected_and_frees_the_thread(impatient):
    before = impatient.counters()["closed"]
    idle = [impatient.connect() for _ in range(POOL_SIZE)]
    for connection in idle:
        connection.sendall(b"GET /endless HTTP/1.1\r\nHost: x\r\n\r\n")
    eventually(lambda: impatient.counters()["closed"] == before + POOL_SIZE)
    assert impatient.request()[0] == 200
    for connection in idle:
        connection.close()


def test_clients_that_do_not_read_their_file_occupy_no_thread(server):
    assert len(server.request(path="/large-file")[2]) == 32 * 1024 * 1024
    idle = [server.connect() for _ in range(POOL_SIZE * 2)]
    for connection in idle:
        connection.sendall(b"GET /large-file HTTP/1.1\r\nHost: x\r\n\r\n")
        assert connection.recv(15) == b"HTTP/1.1 200 OK"
    # This server waits ten minutes for its clients. If they occupied all threads, it would not answer.
    assert server.request()[0] == 200
    for connection in idle:
        connection.close()


@pytest.mark.parametrize("path", ["/boom", "/leave", "/mute", "/q/boom"])
def test_an_error_response_contains_no_details(server, path):
    answer = server.request(path=path)
    assert_refused(answer, 500, "internal_error")
    assert b"secret" not in answer[2] and b"Traceback" not in answer[2]


def test_a_failure_in_the_middle_aborts_the_response(server):
    with pytest.raises(http.client.IncompleteRead) as broken:
        server.request(path="/boom-midway")
    assert broken.value.partial == b"half"
    assert server.request()[0] == 200


def test_a_database_connection_is_reused_until_it_is_too_old(server):
    def is_reused(seconds):
        """Return whether a thread has an open connection after answering with this age."""
        seen = set()
        while True:
            thread, was_open = json.loads(server.request(path=f"/database?{seconds}")[2])
            if thread in seen:
                return was_open
            seen.add(thread)

    assert is_reused(600)
    assert not is_reused(0)


def test_parallel_requests_are_bounded_by_the_pool(server, tmp_path):
    gate, statuses = tmp_path / "gate", []
    threads = [
        threading.Thread(target=lambda: statuses.append(server.request(path=f"/hold?{gate}")[0]))
        for _ in range(POOL_SIZE * 5)
    ]
    for thread in threads:
        thread.start()
    try:
        eventually(lambda: server.counters()["running"] == POOL_SIZE)
        # the event loop answers even when the pool is full
        assert json.loads(server.request(path="/mcp")[2])["greeting"] == "hello"
        assert statuses == []
    finally:
        gate.touch()
        for thread in threads:
            thread.join()
    assert statuses == [200] * POOL_SIZE * 5
    assert server.counters()["most"] == POOL_SIZE
