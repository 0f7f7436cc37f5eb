"""An incomplete backup is refused, wherever it was truncated or changed."""

from __future__ import annotations

import hashlib
import io
import json
import tarfile
from pathlib import Path

import pytest

from workspace.interfaces.admin_cli.backups import archive

PDF = bytes(range(256)) * 40


def _write_archive(path: Path, **about: object) -> Path:
    upload = path.with_name("upload")
    upload.write_bytes(PDF)
    with archive.open_writer(path) as made:
        made.add_text("about.json", json.dumps({"format": 1, **about}))
        made.add_file("files/upl_1", upload)
        made.add_chunks("files/upl_2", len(PDF), [PDF[:1000], b"", PDF[1000:]])
        with pytest.raises(FileNotFoundError):
            made.add_file("files/upl_gone", path.with_name("gone"))
    return path


@pytest.mark.parametrize("name", ["copy.tar", "copy.tar.gz"])
def test_an_archive_is_unpacked_unchanged_and_other_programs_can_read_it(tmp_path: Path, name: str) -> None:
    made = _write_archive(tmp_path / name, base_url="https://example.com")
    (tmp_path / "out").mkdir()
    assert archive.extract_archive(made, tmp_path / "out") == {"format": 1, "base_url": "https://example.com"}
    assert [(tmp_path / "out" / "files" / name).read_bytes() for name in ("upl_1", "upl_2")] == [PDF, PDF]
    with tarfile.open(made) as tar:
        sums = json.loads(tar.extractfile("sha256.json").read())
        assert sums["files/upl_1"] == hashlib.sha256(PDF).hexdigest()
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([name, "out", "upload"])


@pytest.mark.parametrize("name", ["copy.tar", "copy.tar.gz"])
def test_an_archive_truncated_or_changed_anywhere_is_refused(tmp_path: Path, name: str) -> None:
    whole = _write_archive(tmp_path / name).read_bytes()
    broken = tmp_path / "broken"
    sums = whole.find(b'{\n"about.json"') if name.endswith(".tar") else len(whole)
    cuts = [whole[:length] for length in (*range(0, min(sums, len(whole)), 499), len(whole) // 2)]
    flips = [whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :] for at in (len(whole) // 3, len(whole) // 2)]
    for number, content in enumerate([*cuts, *flips, b"no archive at all"]):
        broken.write_bytes(content)
        (tmp_path / f"out{number}").mkdir()
        with pytest.raises(archive.ArchiveError):
            archive.extract_archive(broken, tmp_path / f"out{number}")


def test_unknown_members_and_formats_are_refused(tmp_path: Path) -> None:
    for name, content in (("../outside", b"x"), ("/etc/passwd", b"x"), ("settings.py", b"x"), ("files/../x", b"x")):
        with tarfile.open(tmp_path / "made.tar", "w") as tar:
            member = tarfile.TarInfo(name)
            member.size = len(content)
            tar.addfile(member, io.BytesIO(content))
        with pytest.raises(archive.ArchiveError):
            archive.extract_archive(tmp_path / "made.tar", tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["made.tar"]
    later = _write_archive(tmp_path / "later.tar", format=2)
    (tmp_path / "out").mkdir()
    with pytest.raises(archive.ArchiveError, match="later version"):
        archive.extract_archive(later, tmp_path / "out")


def test_an_unfinished_archive_does_not_exist(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError), archive.open_writer(tmp_path / "copy.tar") as made:
        made.add_file("workspace.sqlite3", tmp_path / "gone")
    assert list(tmp_path.iterdir()) == []


def test_an_archive_changed_with_its_checksums_is_detected_by_the_digest_of_its_manifest(tmp_path: Path) -> None:
    digests = []
    for name, url in (("made.tar", "https://example.com"), ("changed.tar", "https://attacker.example")):
        with archive.open_writer(tmp_path / name) as made:
            made.add_text("about.json", json.dumps({"format": 1, "base_url": url}))
        digests.append(made.digest)
    assert archive.extract_archive(tmp_path / "made.tar", tmp_path / "one", digests[0].upper())["format"] == 1
    assert archive.extract_archive(tmp_path / "changed.tar", tmp_path / "two")["format"] == 1, "its sums are right"
    with pytest.raises(archive.ArchiveError, match=digests[1]):
        archive.extract_archive(tmp_path / "changed.tar", tmp_path / "three", digests[0])
