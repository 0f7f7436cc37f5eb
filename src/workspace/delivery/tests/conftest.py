"""Mail servers for tests of delivery: a plain one, and one with encryption and authentication."""

from __future__ import annotations

import datetime
import ipaddress
import ssl
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from workspace.testing.smtp_sink import Controller, Peer, Secure, Start, start_sink


@pytest.fixture
def peer(smtp_sink: Peer) -> Peer:
    return smtp_sink


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    """Create a self-signed certificate for 127.0.0.1, with its key in the same file."""
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
def start_server(settings: Any, certificate: Path) -> Iterator[Start]:
    running: list[Controller] = []

    def start_secure_server(*, encrypts: bool = True, implicit: bool = False) -> Secure:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        peer = Secure()
        options: dict[str, Any] = {"authenticator": peer.authenticate}
        if implicit:
            options |= {"ssl_context": context, "auth_require_tls": False}
        elif encrypts:
            options |= {"tls_context": context, "auth_require_tls": True}
        else:
            options |= {"auth_require_tls": False}
        controller = start_sink(peer, **options)
        running.append(controller)
        settings.SMTP_HOST, settings.SMTP_PORT = "127.0.0.1", controller.port
        settings.SMTP_SECURITY = "tls" if implicit else "starttls"
        settings.SMTP_USER, settings.SMTP_PASSWORD = "robot", "right"
        return peer

    yield start_secure_server
    for controller in running:
        controller.stop()


@pytest.fixture
def trusted(monkeypatch: Any, certificate: Path) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
