"""STARTTLS and AUTH with a real mail server: mail and password leave encrypted to whom the certificate names, or not
at all."""

from __future__ import annotations

import datetime
import ipaddress
import socket
import ssl
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from workspace.delivery.models import State
from workspace.delivery.tests.peer import Peer, write_mail
from workspace.delivery.worker import Worker

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from aiosmtpd.controller import Controller
    from aiosmtpd.smtp import AuthResult, LoginPassword

pytestmark = pytest.mark.django_db(transaction=True)

Start = Callable[..., "Secure"]


class Secure(Peer):
    """`logins`: what was given to sign in, and whether the line was encrypted by then."""

    def __init__(self) -> None:
        super().__init__()
        self.logins: list[tuple[bytes, bytes, bool]] = []
        self.encrypted: list[bool] = []

    def authenticate(self, server: Any, session: Any, envelope: Any, mechanism: str, given: Any) -> AuthResult:
        assert isinstance(given, LoginPassword)
        self.logins.append((given.login, given.password, session.ssl is not None))
        return AuthResult(success=given.password == b"right", handled=False)

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        self.encrypted.append(session.ssl is not None)
        return await super().handle_DATA(server, session, envelope)


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    """For 127.0.0.1, signed by itself, with its key in the same file."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "mail")])
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), True)
        .sign(key, hashes.SHA256())
    )
    path = tmp_path / "mail.pem"
    path.write_bytes(
        made.public_bytes(serialization.Encoding.PEM)
        + key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    return path


@pytest.fixture
def start(settings: Any, certificate: Path) -> Iterator[Start]:
    running: list[Controller] = []

    def begin(*, encrypts: bool = True, implicit: bool = False) -> Secure:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        peer = Secure()
        options: dict[str, Any] = {"authenticator": peer.authenticate}
        if implicit:
            options |= {"ssl_context": context, "auth_require_tls": False}
        elif encrypts:
            options |= {"tls_context": context, "auth_require_tls": True}
        else:
            options |= {"auth_require_tls": False}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            controller = Controller(peer, hostname="127.0.0.1", port=port, **options)
            controller.start()
        running.append(controller)
        settings.SMTP_HOST, settings.SMTP_PORT = "127.0.0.1", port
        settings.SMTP_SECURITY = "tls" if implicit else "starttls"
        settings.SMTP_USER, settings.SMTP_PASSWORD = "robot", "right"
        return peer

    yield begin
    for controller in running:
        controller.stop()


@pytest.fixture
def trusted(monkeypatch: Any, certificate: Path) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))


@pytest.mark.parametrize("implicit", [False, True])
def test_mail_and_password_travel_encrypted(start: Start, trusted: None, implicit: bool) -> None:
    peer = start(implicit=implicit)
    row = write_mail(body="Grüße\n")
    Worker().drain_once()
    row.refresh_from_db()
    assert (row.state, row.last_error) == (State.SENT, "")
    if not implicit:  # the peer says of neither which it was when the line is encrypted from the first byte
        assert peer.logins == [(b"robot", b"right", True)]
        assert peer.encrypted == [True]
    [(_, got)] = peer.taken
    assert got.get_content() == "Grüße\r\n"


def test_a_wrong_password_waits_and_stands_in_no_row_and_no_log(start: Start, trusted: None, settings, caplog) -> None:
    peer = start()
    settings.SMTP_PASSWORD = "hunter2-wrong"
    row = write_mail()
    Worker().drain_once()
    row.refresh_from_db()
    assert row.state == State.WAITING and "535" in row.last_error
    assert peer.taken == [] and "hunter2" not in row.last_error + caplog.text


def test_a_server_that_cannot_show_who_it_is_gets_neither_mail_nor_password(start: Start) -> None:
    peer = start()
    row = write_mail()
    Worker().drain_once()
    row.refresh_from_db()
    assert row.state == State.WAITING and "certificate" in row.last_error.lower()
    assert peer.taken == [] and peer.logins == []


def test_a_server_without_encryption_gets_nothing_where_it_was_asked_for(start: Start, trusted: None) -> None:
    peer = start(encrypts=False)
    row = write_mail()
    Worker().drain_once()
    row.refresh_from_db()
    assert row.state == State.WAITING and "STARTTLS" in row.last_error
    assert peer.taken == [] and peer.logins == []
