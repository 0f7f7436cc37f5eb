"""Request lines and headers: which ones reach the application, and which are rejected earlier."""

import json

import pytest

from workspace.interfaces.server.tests.test_request_bodies import assert_refused


@pytest.mark.parametrize(
    "line",
    [b"\x16\x03\x01\x00junk", b"GET", b"GET / HTTP/9.9", b"GET /caf\xe9 HTTP/1.1", b"G\x00T / HTTP/1.1"],
)
def test_a_junk_request_line_is_answered_400_or_closed(server, line):
    assert server.raw(line + b"\r\nHost: x\r\n\r\n")[0] in (400, 505, 0)
    assert server.request()[0] == 200


def test_a_percent_encoded_path_is_decoded_once_as_bytes(server):
    assert server.environ(path="/caf%C3%A9/a%2Fb/%2525")["PATH_INFO"] == "/cafÃ©/a/b/%25"


def test_a_path_in_invalid_utf8_reaches_the_application_unchanged(server):
    assert server.environ(path="/%FF%C3")["PATH_INFO"] == "/\xff\xc3"
    status, _, body = server.request(path="/django/%FF%C3x")
    assert (status, json.loads(body)["path"]) == (200, "/django/%FF%C3x")


def test_a_path_with_nul_is_refused(server):
    assert_refused(server.request(path="/a%00b"), 400, "invalid_input")


@pytest.mark.parametrize("path", [b"/echo", b"/django/x", b"/mcp"])
def test_a_query_that_is_not_ascii_is_refused_as_invalid_input(server, path):
    answer = server.raw(b"GET " + path + b"?a=caf\xc3\xa9 HTTP/1.1\r\nHost: x\r\n\r\n")
    content = assert_refused(answer, 400, "invalid_input")
    assert content["issues"] == [{"path": "", "message": content["message"]}]


def test_a_query_of_invalid_bytes_is_refused_by_the_server_itself(server):
    assert server.raw(b"GET /echo?a=caf\xe9 HTTP/1.1\r\nHost: x\r\n\r\n")[0] == 400


def test_a_query_reaches_the_application_unchanged(server):
    assert server.environ(path="/echo?a=%C3%A9&a=2&b=%zz")["QUERY_STRING"] == "a=%C3%A9&a=2&b=%zz"


def test_headers_with_underscores_are_dropped(server):
    environ = server.environ(b"X_Forwarded_For: 6.6.6.6", b"X-Color: red", b"X_Color: blue")
    assert environ["HTTP_X_COLOR"] == "red"
    assert "HTTP_X_FORWARDED_FOR" not in environ


def test_duplicate_headers_are_joined_and_cookies_stay_separate(server):
    environ = server.environ(b"X-Tag: a", b"X-Tag: b", b"Cookie: one=1", b"Cookie: two=2", b"Content-Type: text/plain")
    assert environ["HTTP_X_TAG"] == "a,b"
    assert environ["HTTP_COOKIE"] == "one=1; two=2"
    assert environ["CONTENT_TYPE"] == "text/plain"


def test_a_cookie_with_a_backslash_is_dropped_and_the_others_remain(server):
    """Our cookies contain no backslash, and older Pythons take seconds to unquote thousands of them."""
    environ = server.environ(b'Cookie: one=1; evil="' + b"\\" * 5000 + b'"; two=2', b"Cookie: three=3")
    assert environ["HTTP_COOKIE"] == "one=1; two=2; three=3"


def test_the_first_of_several_credentials_or_hosts_is_used(server):
    environ = server.environ(b"Authorization: Bearer one", b"Authorization: Bearer two", b"Host: evil.test")
    assert environ["HTTP_AUTHORIZATION"] == "Bearer one"
    assert environ["HTTP_HOST"] == "shop.test"


def test_non_ascii_headers_reach_the_application_as_latin_1(server):
    assert server.environ(b"X-Name: caf\xe9")["HTTP_X_NAME"] == "caf\xe9"


def test_a_huge_header_is_refused_and_a_long_one_is_not(server):
    assert len(server.environ(b"X-Long: " + b"a" * 8_000)["HTTP_X_LONG"]) == 8_000
    for path in (b"/echo", b"/django/x", b"/mcp"):
        answer = server.raw(b"GET " + path + b" HTTP/1.1\r\nHost: x\r\nX-Long: " + b"a" * 8_193 + b"\r\n\r\n")
        assert_refused(answer, 431, "too_large")
    huge = b"GET / HTTP/1.1\r\nHost: x\r\nX-Long: " + b"a" * 200_000 + b"\r\n\r\n"
    with server.connect() as connection:
        connection.sendall(huge)
        assert connection.recv(100).startswith(b"HTTP/1.1 431")


def test_the_environ_follows_pep_3333(server):
    environ = server.environ(path="/echo?q=1")
    assert environ["REQUEST_METHOD"] == "GET"
    assert environ["SCRIPT_NAME"] == ""
    assert environ["SERVER_NAME"] == "127.0.0.1"
    assert environ["SERVER_PORT"] == str(server.port)
    assert environ["SERVER_PROTOCOL"] == "HTTP/1.1"
    assert environ["REMOTE_ADDR"] == "127.0.0.1"
    assert environ["wsgi.url_scheme"] == "http"
    assert environ["CONTENT_LENGTH"] == "0"


@pytest.mark.parametrize(
    "line", [b"OPTIONS * HTTP/1.1", b"BREW-IT /django/x HTTP/1.1", b"GET http://o.test/django/x HTTP/1.1"]
)
def test_unusual_requests_are_answered(server, line):
    assert server.raw(line + b"\r\nHost: x\r\n\r\n")[0] == 200


def test_http_1_0_is_answered(server):
    status, _, body = server.raw(b"GET /echo HTTP/1.0\r\n\r\n")
    assert (status, json.loads(body)["environ"]["SERVER_PROTOCOL"]) == (200, "HTTP/1.0")


def test_an_upgrade_is_ignored(server):
    assert server.environ(b"Connection: Upgrade", b"Upgrade: websocket")["REQUEST_METHOD"] == "GET"


def test_many_requests_use_one_connection(server):
    with server.connect() as connection:
        for number in range(5):
            connection.sendall(b"GET /echo?%d HTTP/1.1\r\nHost: x\r\n\r\n" % number)
            head = b""
            while b'"QUERY_STRING": "%d"' % number not in head:
                head += connection.recv(4096)


def test_a_well_formed_request_id_is_used_and_any_other_replaced(server):
    environ = server.environ(b"X-Request-Id: abc-123-def")
    assert environ["workspace.request_id"] == "abc-123-def"
    for bad in ("short", "x" * 65, "a b c d e f", "<script>"):
        status, headers, body = server.request(headers={"X-Request-Id": bad})
        own = headers["x-request-id"]
        assert status == 200 and own != bad and len(own) == 32
        assert json.loads(body)["environ"]["workspace.request_id"] == own


def test_every_response_has_a_request_id(server):
    for path in ("/echo", "/q/abc", "/q/boom", "/mcp", "/boom", "/django/file", "/django/stream"):
        assert len(server.request(path=path)[1]["x-request-id"]) == 32


def test_forwarding_headers_of_an_untrusted_peer_are_ignored(server):
    environ = server.environ(b"X-Forwarded-For: 6.6.6.6", b"X-Forwarded-Proto: https", b"X-Forwarded-Host: evil.test")
    assert environ["workspace.client_address"] == environ["REMOTE_ADDR"] == "127.0.0.1"
    assert (environ["wsgi.url_scheme"], environ["HTTP_HOST"]) == ("http", "shop.test")
    assert not [key for key in environ if "FORWARDED" in key]
