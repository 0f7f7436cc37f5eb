"""Signatures are checked without the library that created them."""

from __future__ import annotations

import base64
import hashlib
import threading
from io import BytesIO
from typing import Any

import pytest
from asn1crypto import cms
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from django.db import connection
from pypdf import PdfReader

from workspace.documents import signing_keys
from workspace.documents.models import SealKey
from workspace.documents.tests.signed_sample import RECORD, sign_sample
from workspace.storage import encryption_keys
from workspace.storage.encryption import reencrypt_all

pytestmark = pytest.mark.django_db


def test_the_signature_follows_the_standard_and_covers_the_whole_file() -> None:
    made = sign_sample()
    assert made.sha256 == hashlib.sha256(made.content).hexdigest()
    reader = PdfReader(BytesIO(made.content), strict=True)
    root = reader.trailer["/Root"]
    (field,) = root["/AcroForm"]["/Fields"]
    value = field.get_object()["/V"]
    assert value["/SubFilter"] == "/ETSI.CAdES.detached"
    assert root["/Perms"]["/DocMDP"].get_object()["/Reference"][0]["/TransformParams"]["/P"] == 1  # no change allowed
    start, first, second, rest = value["/ByteRange"]
    assert (start, second + rest) == (0, len(made.content))
    covered = made.content[:first] + made.content[second:]
    told = cms.ContentInfo.load(bytes(value["/Contents"].original_bytes), strict=False)["content"]
    (signer,) = told["signer_infos"]
    signed = {one["type"].native: one["values"][0].native for one in signer["signed_attrs"]}
    assert signed["message_digest"] == hashlib.sha256(covered).digest()
    assert "signing_certificate_v2" in signed
    certificate = x509.load_der_x509_certificate(signing_keys.list_certificates()[0])
    public = certificate.public_key()
    assert isinstance(public, ec.EllipticCurvePublicKey) and public.curve.name == "secp256r1"
    public.verify(signer["signature"].native, signer["signed_attrs"].untag().dump(), ec.ECDSA(hashes.SHA256()))


def test_a_signed_document_is_still_pdf_a_and_contains_its_record() -> None:
    reader = PdfReader(BytesIO(sign_sample().content), strict=True)
    marks = reader.xmp_metadata.rdf_root.toxml()  # type: ignore[union-attr]
    assert 'part="3"' in marks and 'conformance="B"' in marks
    assert reader.attachments["record.json"] == [RECORD.encode()]
    (field,) = reader.trailer["/Root"]["/AcroForm"]["/Fields"]
    assert field.get_object()["/F"] & 4  # widgets are printed, by ISO 19005-3, section 6.3.2


def test_the_key_is_created_once_and_stored_encrypted() -> None:
    first, again = signing_keys.load_current_key(), signing_keys.load_current_key()
    assert first == again and len(signing_keys.list_certificates()) == 1
    row = SealKey.objects.get()
    assert base64.b64encode(first.private).decode() not in row.private_key and row.private_key.startswith("s1.")
    assert first.private not in bytes(row.certificate)


def test_a_rotation_of_the_encryption_keys_includes_the_signing_key(settings: Any, tmp_path: Any) -> None:
    settings.DATA, settings.ENCRYPTION_KEYS = tmp_path, ""
    key = signing_keys.load_current_key()
    encryption_keys.add_key()
    assert reencrypt_all() == 1 and reencrypt_all() == 0
    (tmp_path / "encryption-keys").write_text((tmp_path / "encryption-keys").read_text().splitlines()[0] + "\n")
    assert signing_keys.load_current_key() == key


def test_without_the_encryption_keys_a_new_key_is_created_and_earlier_signatures_stay_valid(
    settings: Any, tmp_path: Any
) -> None:
    from workspace.documents.pdf_inspection import PdfVerdict, inspect_pdf

    settings.DATA, settings.ENCRYPTION_KEYS = tmp_path, ""
    before = sign_sample()
    (tmp_path / "encryption-keys").unlink()
    after = sign_sample()
    assert len(signing_keys.list_certificates()) == 2
    assert (
        signing_keys.load_current_key() == signing_keys.load_current_key()
        and len(signing_keys.list_certificates()) == 2
    )
    assert [inspect_pdf(one.content).verdict for one in (before, after)] == [PdfVerdict.GENUINE] * 2


@pytest.mark.django_db(transaction=True)
def test_processes_that_sign_at_the_same_time_share_one_key() -> None:
    found: list[signing_keys.SigningKey] = []
    together = threading.Barrier(6)

    def first() -> None:
        together.wait()
        try:
            found.append(signing_keys.load_current_key())
        finally:
            connection.close()

    threads = [threading.Thread(target=first) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 6 and len(set(found)) == 1 and SealKey.objects.count() == 1
