"""Submitted PDFs are classified exactly."""

from __future__ import annotations

import re
import resource
import time
import zlib
from functools import cache
from io import BytesIO

import pytest
from django.test.utils import override_settings
from hypothesis import HealthCheck, given
from hypothesis import settings as examples
from hypothesis import strategies as st
from pypdf import PdfReader, PdfWriter

from workspace.documents import cms_signature, pdf_inspection, signature_validation_worker
from workspace.documents.models import SealKey
from workspace.documents.pdf_inspection import MAX_BYTES, PdfDifference, PdfFinding, PdfVerdict, inspect_pdf
from workspace.documents.pdf_signature import compute_fingerprint
from workspace.documents.signing_certificate import generate_signing_key
from workspace.documents.tests.signed_sample import RECORD, sign_sample
from workspace.lib.errors import TooLargeError
from workspace.lib.subprocess_worker.pool import SubprocessLimits

pytestmark = pytest.mark.django_db


def inspect_file(content: bytes, kept: bytes = b"") -> PdfFinding:
    return inspect_pdf(content, lambda sha256: sha256 == compute_fingerprint(kept))


def gap(content: bytes) -> tuple[int, int]:
    (_, first, second, _) = map(int, re.search(rb"/ByteRange \[(\d+) (\d+) (\d+) (\d+)", content).groups())  # type: ignore[union-attr]
    return first, second


def test_an_original_file_is_identified_by_its_hash() -> None:
    made = sign_sample()
    found = inspect_file(made.content, made.content)
    assert (found.verdict, found.why, found.sha256) == (PdfVerdict.THIS_FILE, None, made.sha256)


def test_genuine_content_returns_its_attachments() -> None:
    """Check this without a stored hash: the attached record identifies the document."""
    made = sign_sample()
    found = inspect_file(made.content)
    assert (found.verdict, found.why) == (PdfVerdict.GENUINE, PdfDifference.COPY)
    assert found.attachments == {"record.json": RECORD.encode()} and found.sealed == len(made.content)


@pytest.mark.parametrize("tail", [b"\n", b"x", b"%%EOF\n", b"\0" * 5000, bytes(range(256)) * 40])
def test_appended_bytes_that_no_reader_shows_are_reported_and_the_content_is_genuine(tail: bytes) -> None:
    made = sign_sample()
    found = inspect_file(made.content + tail, made.content)
    assert (found.verdict, found.why) == (PdfVerdict.GENUINE, PdfDifference.APPENDED)
    assert compute_fingerprint((made.content + tail)[: found.sealed]) == made.sha256


def test_a_flipped_padding_byte_is_reported_and_the_content_is_genuine() -> None:
    made = sign_sample()
    _, end = gap(made.content)
    flipped = bytearray(made.content)
    flipped[end - 10] = ord("7")
    found = inspect_file(bytes(flipped), made.content)
    assert (found.verdict, found.why) == (PdfVerdict.GENUINE, PdfDifference.PADDING)


def test_an_appended_revision_is_a_change_whatever_it_shows() -> None:
    made = sign_sample()
    writer = PdfWriter(BytesIO(made.content), incremental=True)
    writer.add_blank_page(100, 100)
    later = BytesIO()
    writer.write(later)
    assert later.getvalue().startswith(made.content)
    assert inspect_file(later.getvalue(), made.content).verdict == PdfVerdict.CHANGED
    assert inspect_file(made.content + b"\n9 0 obj <<>> endobj", made.content).verdict == PdfVerdict.CHANGED
    assert inspect_file(made.content + made.content, made.content).verdict == PdfVerdict.CHANGED


def test_a_changed_word_is_a_change() -> None:
    made = sign_sample()
    at = made.content.index(b"/Title")
    changed = made.content[: at + 8] + b"X" + made.content[at + 9 :]
    assert inspect_file(changed, made.content).verdict == PdfVerdict.CHANGED
    writer = PdfWriter(clone_from=PdfReader(BytesIO(made.content)))
    again = BytesIO()
    writer.write(again)
    assert inspect_file(again.getvalue(), made.content).verdict in (PdfVerdict.CHANGED, PdfVerdict.FOREIGN)


@examples(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_a_file_with_a_flipped_byte_never_counts_as_the_original_or_as_other_content(
    data: st.DataObject,
) -> None:
    content = _signed_sample()
    pdf_inspection._decisions.clear()
    first, second = gap(content)
    place = data.draw(st.integers(0, len(content) - 1) | st.integers(first, second) | st.integers(0, 2000))
    flipped = bytearray(content)
    flipped[place] ^= data.draw(st.integers(1, 255))
    found = inspect_file(bytes(flipped), content)
    assert found.verdict != PdfVerdict.THIS_FILE
    if found.verdict == PdfVerdict.GENUINE:
        assert first < place < second and found.attachments == {"record.json": RECORD.encode()}


@pytest.fixture(autouse=True)
def in_this_process(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """Run the validation in this process, which is faster and harmless here. One case still uses a subprocess."""
    if not request.node.name.startswith(("test_a_hostile_file", "test_genuine_content")):
        monkeypatch.setattr(pdf_inspection, "render_pool", InThisProcess)


class InThisProcess:
    @staticmethod
    def run(module: str, content: bytes, limits: SubprocessLimits) -> bytes:
        return signature_validation_worker.handle(content)


def _certificate() -> bytes:
    return generate_signing_key()[0]


def _signed_sample(once: list[bytes] = []) -> bytes:  # noqa: B006
    SealKey.objects.all().delete()
    if not once:
        once.extend([sign_sample().content, bytes(SealKey.objects.get().certificate)])
        SealKey.objects.all().delete()
    SealKey.objects.create(number=1, certificate=once[1], private_key="s1..")
    return once[0]


def test_a_truncated_file_is_a_change() -> None:
    made = sign_sample()
    _, second = gap(made.content)
    for end in (len(made.content) - 1, second + 5):
        assert inspect_file(made.content[:end], made.content).verdict == PdfVerdict.CHANGED


def test_a_signature_of_others_is_foreign_even_under_our_name() -> None:
    with override_settings(BASE_URL="https://bank.example"):
        theirs = sign_sample()
    SealKey.objects.all().delete()
    sign_sample()
    assert inspect_file(theirs.content).verdict == PdfVerdict.FOREIGN
    with_ours = theirs.content + bytes(SealKey.objects.get().certificate).hex().encode()
    assert inspect_file(with_ours).verdict == PdfVerdict.CHANGED


def test_our_certificate_with_a_signature_of_others_is_invalid() -> None:
    """Copy our complete signature to another file, with correct positions."""
    ours, other = sign_sample("Agreed."), sign_sample("Something else.")
    first, second = gap(ours.content)
    there = gap(other.content)
    forged = other.content[: there[0]] + ours.content[first:second] + other.content[there[1] :]
    assert inspect_file(forged).verdict == PdfVerdict.CHANGED


def test_a_pdf_without_a_signature_and_a_file_that_is_no_pdf_are_recognized() -> None:
    writer = PdfWriter()
    writer.add_blank_page(100, 100)
    plain = BytesIO()
    writer.write(plain)
    sign_sample()
    assert inspect_file(plain.getvalue()).verdict == PdfVerdict.UNSEALED
    for other in (b"%PD", b"PK\x03\x04", b"hello", b"\0" * 5000 + b"%PDF-1.7"):
        assert inspect_file(other).verdict == PdfVerdict.NOT_PDF


def test_without_any_key_no_signature_is_ours() -> None:
    assert inspect_file(b"%PDF-1.7 /ByteRange [0 1 2 3]").verdict == PdfVerdict.FOREIGN
    assert not SealKey.objects.exists()  # inspecting creates no key


KINDS = ("bomb", "deep", "loop", "encrypted", "many", "nothing")


@cache
def hostile() -> dict[str, bytes]:
    """Return files with our key and a matching digest, which get as far as an outsider can."""
    bomb = zlib.compress(zlib.compress(b"\0" * 200_000_000, 9), 9)
    stream = b"1 0 obj<</Type/XRef/Size 9/W[1 2 1]/Filter[/FlateDecode/FlateDecode]/Length %d>>stream\n" % len(bomb)
    deep = b"1 0 obj" + b"[" * 200_000 + b"]" * 200_000 + b"endobj"
    files = {
        "bomb": stream + bomb + b"\nendstream endobj\nstartxref\n9\n%%EOF\n",
        "deep": deep + b"\ntrailer<</Root 1 0 R/Size 2>>\nstartxref\n9\n%%EOF\n",
        "loop": b"xref\n0 1\n0000000000 65535 f \ntrailer<</Root 1 0 R/Prev 9/Size 1>>\nstartxref\n9\n%%EOF\n",
        "encrypted": b"trailer<</Root 1 0 R/Encrypt 2 0 R/ID[<00><00>]>>\nstartxref\n9\n%%EOF\n",
        "many": b"".join(b"%d 0 obj<<>>endobj\n" % n for n in range(200_000)) + b"startxref\n9\n%%EOF\n",
        "nothing": b"startxref\n999999999\n%%EOF\n",
    }
    assert tuple(files) == KINDS
    return files


@pytest.mark.parametrize("kind", KINDS)
def test_a_hostile_file_costs_no_more_than_its_limit_and_is_not_genuine(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pdf_inspection, "_LIMITS", SubprocessLimits(megabytes=150, seconds=2))
    monkeypatch.setattr(cms_signature, "is_signed_by", lambda *_: True)  # as if others could sign with our key
    SealKey.objects.create(number=1, certificate=_certificate(), private_key="s1..")
    body, key = b"%PDF-1.7\n" + hostile()[kind], bytes(SealKey.objects.get().certificate).hex().encode()
    head = b"/ByteRange [0 %010d %010d %010d]".replace(b"%010d", b"%09d")
    before = body + head % (0, 0, 0)
    digits = len(key) + 64 + 2
    before = body + head % (len(before), len(before) + digits, 1)
    digest = compute_fingerprint(before + b"\n").encode()
    content = before + b"<" + key + digest + b">" + b"\n"
    began = time.process_time() + children()
    assert inspect_file(content).verdict == PdfVerdict.CHANGED
    assert time.process_time() + children() - began < 30  # does not hang


def children() -> float:
    return sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])


def test_a_file_without_our_signature_is_never_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    SealKey.objects.create(number=1, certificate=_certificate(), private_key="s1..")
    monkeypatch.setattr(pdf_inspection, "render_pool", None)
    for body in hostile().values():
        assert inspect_file(b"%PDF-1.7\n" + body).verdict == PdfVerdict.UNSEALED
    ranges = b"/ByteRange [0 1 2 3]" * 300_000
    assert inspect_file(b"%PDF-1.7\n" + ranges).verdict == PdfVerdict.FOREIGN
    key = bytes(SealKey.objects.get().certificate).hex().encode()
    assert inspect_file(b"%PDF-1.7\n" + ranges + key).verdict == PdfVerdict.CHANGED


def test_only_files_with_our_signature_are_validated_and_results_are_cached(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = sign_sample()
    assert inspect_file(made.content).verdict == PdfVerdict.GENUINE
    monkeypatch.setattr(pdf_inspection, "render_pool", None)
    first, second = gap(made.content)
    assert inspect_file(made.content + b"\n").why == PdfDifference.APPENDED
    for place in range(first + 1, second - 1, 97):
        other = bytearray(made.content)
        other[place] = ord("1") if other[place] != ord("1") else ord("2")
        assert inspect_file(bytes(other)).verdict in (PdfVerdict.GENUINE, PdfVerdict.CHANGED, PdfVerdict.FOREIGN)


def test_a_huge_file_is_rejected_before_any_work() -> None:
    with pytest.raises(TooLargeError, match="12 MB"):
        inspect_file(b"%PDF-1.7" + b"\0" * MAX_BYTES)
