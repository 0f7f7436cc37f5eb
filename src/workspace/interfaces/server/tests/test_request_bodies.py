"""Request bodies: complete, chunked, slow, too large, malformed or missing."""

import hashlib
import json
import time

from workspace.interfaces.server.tests.running_server import CAP, POOL_SIZE, read_answer

HEAD = b"POST /echo HTTP/1.1\r\nHost: shop.test\r\n"


def assert_refused(answer, status, error):
    code, headers, body = answer
    assert code == status
    content = json.loads(body)
    assert content["ok"] is False and content["error"] == error and content["message"]
    assert headers["content-type"] == "application/json"
    assert headers["cache-control"] == "no-store"
    assert len(headers["x-request-id"]) >= 8
    return content


def test_a_body_arrives_complete(server):
    body = b"\x00\xff" * 300_000
    content = json.loads(server.request("POST", body=body)[2])
    assert content["size"] == 600_000
    assert content["sha"] == hashlib.sha256(body).hexdigest()
    assert content["environ"]["CONTENT_LENGTH"] == "600000"


def test_a_chunked_body_arrives_complete_with_its_length(server):
    chunked = (
        HEAD + b"Transfer-Encoding: chunked\r\n\r\n" + b"5\r\nhello\r\n6;ext=1\r\n world\r\n0\r\nTrailer: x\r\n\r\n"
    )
    status, _, body = server.raw(chunked)
    content = json.loads(body)
    assert (status, content["size"], content["environ"]["CONTENT_LENGTH"]) == (200, 11, "11")
    assert content["sha"] == hashlib.sha256(b"hello world").hexdigest()
    assert "HTTP_TRANSFER_ENCODING" not in content["environ"]


def test_django_reads_a_chunked_body(server):
    status, _, body = server.request("POST", "/django/x", body=iter([b"abc", b"defg"]))
    assert (status, json.loads(body)["body"]) == (200, 7)


def test_a_client_that_expects_100_continue_gets_it(server):
    with server.connect() as connection:
        connection.sendall(HEAD + b"Content-Length: 3\r\nExpect: 100-continue\r\n\r\n")
        assert connection.recv(100) == b"HTTP/1.1 100 Continue\r\n\r\n"
        connection.sendall(b"abc")
        status, _, body = read_answer(connection)
    assert (status, json.loads(body)["size"]) == (200, 3)


def test_a_client_that_expects_100_continue_is_refused_a_large_body_before_sending_it(server):
    with server.connect() as connection:
        connection.sendall(HEAD + b"Content-Length: %d\r\nExpect: 100-continue\r\n\r\n" % (CAP + 1))
        assert_refused(read_answer(connection), 413, "too_large")


def test_a_body_over_the_cap_is_refused_by_its_declared_length(server):
    assert_refused(server.request("POST", body=b"x" * (CAP + 1)), 413, "too_large")


def test_upload_paths_accept_larger_bodies(server):
    assert server.request("POST", "/files", body=b"x" * (CAP + 1))[0] == 200
    assert server.request("POST", "/files", body=iter([b"x" * 65536] * 17))[0] == 200
    assert_refused(server.request("POST", "/files", body=b"x" * (2 * CAP + 1)), 413, "too_large")


def test_the_error_reaches_a_client_that_is_still_sending(server):
    assert_refused(server.request("POST", body=b"x" * 24 * CAP), 413, "too_large")


def test_a_chunked_body_over_the_cap_is_refused(server):
    assert_refused(server.request("POST", body=iter([b"x" * 65536] * 17)), 413, "too_large")


def test_anonymous_clients_may_send_text_but_no_large_body(server):
    assert server.request("POST", "/strangers", body=b"x" * 64 * 1024)[0] == 200
    assert_refused(server.request("POST", "/strangers", body=b"x" * 65 * 1024), 413, "too_large")
    assert_refused(server.request("POST", "/strangers", body=iter([b"x" * 33_000] * 2)), 413, "too_large")
    with server.connect() as connection:
        connection.sendall(
            b"POST /strangers HTTP/1.1\r\nHost: x\r\nContent-Length: 66000\r\nExpect: 100-continue\r\n\r\n"
        )
        assert_refused(read_answer(connection), 413, "too_large")


def test_a_body_of_exactly_the_cap_is_accepted(server):
    assert json.loads(server.request("POST", body=b"x" * CAP)[2])["size"] == CAP


def test_the_cap_applies_to_mcp_too(server):
    assert_refused(server.request("POST", "/mcp", body=b"x" * (CAP + 1)), 413, "too_large")
    assert json.loads(server.request("POST", "/mcp", body=b"x" * 5)[2])["size"] == 5


def test_slow_bodies_delay_no_other_requests(server):
    """Send more slow bodies than the server has threads. The server waits ten minutes for each."""
    connections = [server.connect() for _ in range(POOL_SIZE * 3)]
    for connection in connections:
        connection.sendall(HEAD + b"Content-Length: 10\r\n\r\nabc")
    for _ in range(10):
        assert server.request()[0] == 200
    for connection in connections:
        connection.sendall(b"defghij")
        assert read_answer(connection)[0] == 200
        connection.close()


def test_stalled_bodies_time_out(impatient):
    connections = [impatient.connect() for _ in range(10)]
    for connection in connections:
        connection.sendall(HEAD + b"Content-Length: 10\r\n\r\nabc")
    for connection in connections:
        assert_refused(read_answer(connection), 408, "timeout")
        connection.close()


def test_a_slow_body_that_ends_in_time_is_accepted(server):
    with server.connect() as connection:
        connection.sendall(HEAD + b"Content-Length: 4\r\n\r\n")
        for letter in b"slow":
            time.sleep(0.1)
            connection.sendall(bytes([letter]))
        status, _, body = read_answer(connection)
    assert (status, json.loads(body)["size"]) == (200, 4)


def test_the_body_of_a_disconnected_client_reaches_no_application(server):
    before = server.counters()["echoed"]
    for _ in range(20):
        with server.connect() as connection:
            connection.sendall(HEAD + b"Content-Length: 100\r\n\r\nabc")
    assert server.request()[0] == 200
    assert server.counters()["echoed"] == before + 1


def test_a_malformed_chunk_is_reported_as_invalid_input(server):
    content = assert_refused(server.raw(HEAD + b"Transfer-Encoding: chunked\r\n\r\nzz\r\nabc"), 400, "invalid_input")
    assert content["issues"] == [{"path": "", "message": content["message"]}]


def test_an_incomplete_body_with_a_half_closed_connection_is_reported_as_invalid_input(server):
    with server.connect() as connection:
        connection.sendall(HEAD + b"Content-Length: 30\r\n\r\nabc")
        connection.shutdown(1)
        assert_refused(read_answer(connection), 400, "invalid_input")


def test_conflicting_lengths_are_refused_and_prevent_request_smuggling(server):
    smuggled = b"GET /smuggled HTTP/1.1\r\nHost: shop.test\r\n\r\n"
    two = HEAD + b"Content-Length: 3\r\nContent-Length: 4\r\n\r\nabcd"
    assert server.raw(two)[0] == 400
    both = HEAD + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + smuggled
    with server.connect() as connection:
        connection.sendall(both)
        read_answer(connection)
        assert connection.recv(1000) == b""  # closed without reading the rest


def test_other_transfer_encodings_are_refused(server):
    request = HEAD + b"Transfer-Encoding: gzip, chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"
    assert_refused(server.raw(request), 400, "invalid_input")
