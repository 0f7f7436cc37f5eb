"""The HTTP client with servers that redirect, send slowly, lie, send too much or never respond."""

from __future__ import annotations

import gzip
import socket
import time
import tracemalloc
import zlib
from collections.abc import Callable

import pytest

from workspace.http_client.client import (
    AddressBlockedError,
    HttpError,
    HttpTimeoutError,
    Reply,
    ResponseTooLargeError,
    fetch,
)
from workspace.http_client.ssrf_guard import Guard
from workspace.testing.raw_web_server import (
    NAME,
    WebPeer,
    answer_endlessly,
    answer_with_bytes,
    create_certificate_contexts,
    serving,
)

OK = b"HTTP/1.1 200 OK\r\n"
ZIPPED = gzip.compress(b"hello", mtime=0)
LONG = 60  # seconds after which everything has ended, even on a busy machine


def fetch_reply(peer: WebPeer, url: str = "", **more: object) -> Reply:
    given: dict[str, object] = {"seconds": LONG, "guard": peer.guard(), **more}
    return fetch("GET", url or peer.url, **given)  # type: ignore[arg-type]


@pytest.fixture
def quick() -> Callable[..., None]:
    """Return a request that has a short time limit and checks that it took no longer."""

    def assert_quick_timeout(peer: WebPeer, **more: object) -> None:
        began = time.monotonic()
        with pytest.raises(HttpTimeoutError, match="No complete response"):
            fetch_reply(peer, seconds=0.3, **more)
        assert time.monotonic() - began < LONG

    return assert_quick_timeout


def test_a_response_has_its_status_headers_and_body() -> None:
    answer = b"HTTP/1.1 404 Gone\r\nX-One: a\r\nx-one: b\r\nContent-Length: 5\r\n\r\nhello"
    with serving(answer_with_bytes(answer)) as peer:
        reply = fetch("POST", peer.url + "a%20b?q=1#part", b"{}", {"X-Own": "1"}, seconds=LONG, guard=peer.guard())
    assert (reply.status, reply.body, reply.headers["x-one"]) == (404, b"hello", "a, b")
    head = peer.asked[0].decode()
    assert head.startswith("POST /a%20b?q=1 HTTP/1.1\r\n")
    for line in (f"Host: {NAME}:{peer.port}", "X-Own: 1", "Content-Length: 2", "Connection: close"):
        assert f"\r\n{line}\r\n" in head


@pytest.mark.parametrize(
    "answer",
    [
        OK + b"Transfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n",
        b"HTTP/1.0 200 OK\r\n\r\nhello",
        b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" + OK + b"Content-Length: 5\r\n\r\nhello",
        OK + b"Content-Length: 5\r\n\r\nhello, and more than it said",
        OK + b"Content-Encoding: gzip\r\n\r\n" + ZIPPED,
    ],
)
def test_every_valid_body_encoding_is_read(answer: bytes) -> None:
    with serving(answer_with_bytes(answer)) as peer:
        assert fetch_reply(peer).body == b"hello"


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_returned_and_not_followed(status: int) -> None:
    answer = b"HTTP/1.1 %d Moved\r\nLocation: http://127.0.0.1/\r\nContent-Length: 0\r\n\r\n" % status
    with serving(answer_with_bytes(answer)) as peer:
        reply = fetch_reply(peer)
    assert (reply.status, reply.headers["location"]) == (status, "http://127.0.0.1/")
    assert len(peer.asked) == 1


def test_the_name_is_resolved_once_and_its_address_is_connected_to() -> None:
    answers = iter([["127.0.0.1"], ["10.0.0.1"]])
    with serving(answer_with_bytes(OK + b"Content-Length: 0\r\n\r\n")) as peer:
        changing = Guard(peer.guard().ports, peer.guard().allowed_networks, lambda host, port, seconds: next(answers))
        assert fetch_reply(peer, guard=changing).status == 200
        assert next(answers) == ["10.0.0.1"], "the second answer was never asked for"


@pytest.mark.parametrize("inside", ["127.0.0.1", "::1", "::ffff:127.0.0.1", "::127.0.0.1", "64:ff9b:1::1", "fec0::1"])
def test_a_name_with_an_internal_address_is_rejected_and_nothing_is_sent(inside: str) -> None:
    with serving(answer_with_bytes(OK)) as peer:
        strict = Guard(peer.guard().ports, resolve=lambda host, port, seconds: ["93.184.215.14", inside])
        with pytest.raises(AddressBlockedError, match="public internet"):
            fetch_reply(peer, guard=strict)
        assert not peer.asked


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1/",
        "http://localhost/",
        "https://[::1]/",
        "http://169.254.169.254/latest/meta-data",
        "http://2130706433/",
        "http://0x7f.1/",
        "http://127.0.0.0x1/",
        "http://127.0.0.1.:80/",
        "http://[::ffff:10.0.0.1]/",
        "https://user:word@example.com/",
        "https://user@example.com/",
        "https://93.184.215.14:22/",
        "http://93.184.215.14:6379/",
        "ftp://example.com/",
        "file:///etc/passwd",
        "gopher://example.com/",
        "https://exa mple.com/",
        "https://example.com/\r\nX: y",
        "https://",
        "",
    ],
)
def test_a_forbidden_address_is_rejected(url: str) -> None:
    with pytest.raises(AddressBlockedError):
        fetch("GET", url, seconds=LONG)


def test_an_unresponsive_address_is_followed_by_the_next() -> None:
    with serving(answer_with_bytes(OK + b"Content-Length: 0\r\n\r\n")) as peer:
        # there is no server on the others
        assert fetch_reply(peer, guard=peer.guard("127.0.0.3", "127.0.0.2", "127.0.0.1")).status == 200
        with pytest.raises(HttpError, match="Could not connect"):
            fetch_reply(peer, guard=peer.guard("127.0.0.3", "127.0.0.2"))


@pytest.mark.parametrize(
    "act",
    [
        answer_endlessly(b"", b""),
        answer_endlessly(OK + b"X-Slow: ", b"a"),
        answer_endlessly(OK, b"X-Slow: a\r\n"),
        answer_endlessly(b"", b"HTTP/1.1 103 Early Hints\r\n\r\n"),
        answer_endlessly(OK + b"Content-Length: 100000\r\n\r\n", b"a"),
        answer_endlessly(OK + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\na\r\n"),
        answer_endlessly(OK + b"\r\n", b"a"),
    ],
    ids=["never", "header", "headers", "hints", "body", "chunks", "until-close"],
)
def test_a_slow_response_ends_at_the_time_limit(act: Callable[[socket.socket], None], quick) -> None:
    with serving(act) as peer:
        quick(peer)


def test_a_slow_reader_of_the_request_ends_at_the_time_limit(quick) -> None:
    with serving(answer_endlessly(b"", b""), reads=False) as peer:
        quick(peer, body=b"x" * 30_000_000)


@pytest.mark.parametrize("start", [b"", b"\x16\x03\x03\x40\x00\x02"], ids=["silent", "dripping"])
def test_an_unfinished_tls_handshake_ends_at_the_time_limit(start: bytes, quick) -> None:
    with serving(answer_endlessly(start, b"\x00" if start else b""), reads=False) as peer:
        _, trust = create_certificate_contexts()
        quick(peer, url=peer.url.replace("http:", "https:"), guard=peer.guard(trust=trust))


def test_a_slow_resolver_counts_against_the_time_limit(quick) -> None:
    def slow(host: str, port: int, seconds: float) -> list[str]:
        assert seconds <= 0.3
        time.sleep(seconds)
        return ["127.0.0.1"]

    with serving(answer_with_bytes(OK)) as peer:
        quick(peer, guard=Guard(peer.guard().ports, peer.guard().allowed_networks, slow))
        assert not peer.asked


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"SSH-2.0-OpenSSH_9.2\r\n",
        OK[:-2],
        OK + b"Content-Length: 9\r\n\r\nshort",
        OK + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello",
        OK + b"Content-Length: -1\r\n\r\n",
        OK + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n",
        OK + b"Transfer-Encoding: chunked\r\n\r\n5\r\nhel",
        OK + b"Broken Header\r\n\r\n",
        OK + b"Content-Encoding: br\r\nContent-Length: 1\r\n\r\nx",
        OK + b"Content-Encoding: gzip\r\n\r\nno gzip",
        OK + b"Content-Encoding: gzip\r\n\r\n" + ZIPPED[:-4],
        OK + b"Content-Encoding: gzip, gzip\r\n\r\n" + gzip.compress(ZIPPED, mtime=0),
        OK + b"Content-Encoding: gzip\r\n\r\n" + ZIPPED * 2,
    ],
)
def test_a_truncated_or_inconsistent_response_is_an_error(answer: bytes) -> None:
    with serving(answer_with_bytes(answer)) as peer, pytest.raises(HttpError) as failed:
        fetch_reply(peer)
    assert type(failed.value) is HttpError and str(failed.value)


BODY = 100_000
BOMB = zlib.compressobj(9, wbits=31)
BOMB_BYTES = BOMB.compress(b"\0" * 50_000_000) + BOMB.flush()


@pytest.mark.parametrize(
    "answer",
    [
        OK + b"Content-Length: %d\r\n\r\n" % (BODY + 1) + b"x" * (BODY + 1),
        OK + b"\r\n" + b"x" * (BODY + 1),
        OK + b"Transfer-Encoding: chunked\r\n\r\n" + b"5\r\nhello\r\n" * BODY,
        OK + b"Transfer-Encoding: chunked\r\n\r\n" + b"1\r\nx\r\n" * (BODY - 1) + b"0\r\n\r\n",
        b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" * 20_000 + OK + b"Content-Length: 0\r\n\r\n",
        OK + b"Content-Encoding: gzip\r\n\r\n" + BOMB_BYTES,
    ],
    ids=["length", "until-close", "chunks", "crumbs", "hints", "bomb"],
)
def test_a_too_large_response_is_an_error(answer: bytes) -> None:
    with serving(answer_with_bytes(answer)) as peer, pytest.raises(ResponseTooLargeError):
        fetch_reply(peer, max_bytes=BODY)


def test_a_decompression_bomb_is_not_unpacked_beyond_the_limit() -> None:
    with serving(answer_with_bytes(OK + b"Content-Encoding: gzip\r\n\r\n" + BOMB_BYTES)) as peer:
        tracemalloc.start()
        try:
            with pytest.raises(ResponseTooLargeError):
                fetch_reply(peer, max_bytes=BODY)
            assert tracemalloc.get_traced_memory()[1] < 10_000_000
        finally:
            tracemalloc.stop()


@pytest.mark.parametrize("head", [b"X: " + b"y" * 100_000, b"X: y\r\n" * 20_000], ids=["one", "many"])
def test_headers_have_a_size_limit(head: bytes) -> None:
    with serving(answer_with_bytes(OK + head + b"\r\n\r\n")) as peer, pytest.raises(HttpError):
        fetch_reply(peer)


def test_a_response_of_exactly_the_limit_is_accepted() -> None:
    plain, packed = b"x" * BODY, gzip.compress(b"x" * BODY)
    with serving(answer_with_bytes(OK + b"Content-Length: %d\r\n\r\n" % BODY + plain)) as peer:
        assert fetch_reply(peer, max_bytes=BODY).body == plain
    with serving(answer_with_bytes(OK + b"Content-Encoding: gzip\r\n\r\n" + packed)) as peer:
        assert fetch_reply(peer, max_bytes=BODY).body == plain


def test_an_unwanted_body_is_not_waited_for() -> None:
    with serving(answer_endlessly(OK + b"Content-Length: 100000\r\n\r\n", b"a")) as peer:
        assert fetch_reply(peer, max_bytes=0) == Reply(200, {"content-length": "100000"}, b"")


def test_a_response_before_the_end_of_the_request_is_read() -> None:
    def early(connection: socket.socket) -> None:
        connection.sendall(b"HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n")
        connection.shutdown(socket.SHUT_WR)
        while connection.recv(65536):
            pass

    with serving(early) as peer:
        assert fetch_reply(peer, body=b"x" * 5_000_000).status == 413


def test_tls_checks_the_name_although_an_address_is_connected_to() -> None:
    server, trust = create_certificate_contexts()
    names: list[str | None] = []
    server.sni_callback = lambda sock, name, context: names.append(name)
    with serving(answer_with_bytes(OK + b"Content-Length: 5\r\n\r\nhello"), server) as peer:
        assert fetch_reply(peer, guard=peer.guard(trust=trust)).body == b"hello"
    assert names == [NAME]


def test_a_certificate_for_another_name_or_from_an_unknown_issuer_is_rejected() -> None:
    other, trusts_other = create_certificate_contexts("other.example")
    with serving(answer_with_bytes(OK), other) as peer, pytest.raises(HttpError, match="certificate"):
        fetch_reply(peer, guard=peer.guard(trust=trusts_other))
    unknown, _ = create_certificate_contexts()
    with serving(answer_with_bytes(OK), unknown) as peer, pytest.raises(HttpError, match="certificate"):
        fetch_reply(peer, guard=peer.guard())
    assert not peer.asked


@pytest.mark.parametrize("name", ["Host", "content-length", "Transfer-Encoding", "Connection"])
def test_a_caller_cannot_override_framing_headers(name: str) -> None:
    with pytest.raises(ValueError, match="sets reserved headers"):
        fetch("GET", "https://example.com/", headers={name: "x"})


@pytest.mark.parametrize("headers", [{"X": "a\r\nY: b"}, {"X y": "a"}, {"X": "a\0"}])
def test_a_header_with_a_line_break_is_rejected(headers: dict[str, str]) -> None:
    with pytest.raises(ValueError):
        fetch("GET", "https://example.com/", headers=headers)


def test_proxies_from_the_environment_are_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:1/")
    with serving(answer_with_bytes(OK + b"Content-Length: 0\r\n\r\n")) as peer:
        assert fetch_reply(peer).status == 200
