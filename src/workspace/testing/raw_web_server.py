"""A web server on loopback that sends any bytes that a test needs, with or without TLS."""

from __future__ import annotations

import datetime
import socket
import ssl
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from ipaddress import ip_network
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from workspace.http_client.ssrf_guard import Guard

NAME = "peer.example"
LOOPBACK = (ip_network("127.0.0.0/8"),)
Act = Callable[[socket.socket], None]


def answer_with_bytes(*parts: bytes) -> Act:
    """Return an action that sends these bytes and closes the connection."""

    def send_bytes(connection: socket.socket) -> None:
        for part in parts:
            connection.sendall(part)

    return send_bytes


def answer_endlessly(start: bytes, drop: bytes) -> Act:
    """Return an action that starts like a normal response but never ends."""

    def send_slowly(connection: socket.socket) -> None:
        connection.sendall(start)
        while not stopped.wait(0.02):
            connection.sendall(drop)

    stopped = threading.Event()
    return send_slowly


class WebPeer:
    """A web server.

    `asked` has the bytes of each connection up to the end of its head, and `looked_up` the resolved names.
    """

    def __init__(self, act: Act, tls: ssl.SSLContext | None, *, reads: bool = True) -> None:
        self.act, self.tls, self.reads = act, tls, reads
        self.asked: list[bytes] = []
        self.looked_up: list[str] = []
        self.done = threading.Event()
        self._open: list[socket.socket] = []
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listening.getsockname()[1])
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        return f"{'https' if self.tls else 'http'}://{NAME}:{self.port}/"

    def guard(self, *addresses: str, trust: ssl.SSLContext | None = None) -> Guard:
        """Return a guard that allows this server under a name that resolves to `addresses`."""

        def resolve(host: str, port: int, seconds: float) -> list[str]:
            self.looked_up.append(host)
            return list(addresses or ["127.0.0.1"])

        ports = frozenset({self.port})
        return Guard(ports, LOOPBACK, resolve, (lambda: trust) if trust else ssl.create_default_context)

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._listening.accept()
            except OSError:
                return
            self._open.append(connection)
            threading.Thread(target=self._talk, args=[connection], daemon=True).start()

    def _talk(self, connection: socket.socket) -> None:
        try:
            if self.tls is not None:
                connection = self.tls.wrap_socket(connection, server_side=True)
                self._open.append(connection)
            if self.reads:
                self._read_request(connection)
            self.act(connection)
            connection.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass  # the other side has closed the connection
        finally:
            connection.close()
            self.done.set()

    def _read_request(self, connection: socket.socket) -> None:
        head = b""
        while b"\r\n\r\n" not in head:
            part = connection.recv(4096)
            if not part:
                return
            head += part
        self.asked.append(head)

    def stop(self) -> None:
        self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()
        self._thread.join(60)
        for connection in self._open:
            connection.close()


@contextmanager
def serving(act: Act, tls: ssl.SSLContext | None = None, *, reads: bool = True) -> Iterator[WebPeer]:
    peer = WebPeer(act, tls, reads=reads)
    try:
        yield peer
    finally:
        peer.stop()


def create_certificate_contexts(name: str = NAME) -> tuple[ssl.SSLContext, ssl.SSLContext]:
    """Return a server's context with a certificate for the name, and a client's context that trusts only it."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.datetime.now(datetime.UTC)
    certificate = (
        x509.CertificateBuilder(subject, subject, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .sign(key, hashes.SHA256())
    )
    pem = certificate.public_bytes(serialization.Encoding.PEM)
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "both.pem"
        encoding, form = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8
        file.write_bytes(pem + key.private_bytes(encoding, form, serialization.NoEncryption()))
        server.load_cert_chain(file)
    return server, ssl.create_default_context(cadata=pem.decode())
