"""The checks of `bin/check` find violations."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

from tests.name_counts import is_gerund, is_one_word, is_participle, is_relative, is_vague
from tests.ratchet import compare, read_limits
from tests.secret_scan import find_secrets

ROOT = Path(__file__).resolve().parent.parent.parent


def test_more_violations_of_a_rule_fail_the_ratchet() -> None:
    more, fewer = compare({"D103": 10, "N818": 4}, {"D103": 11, "N818": 3})
    assert len(more) == 1 and more[0].startswith("D103 is broken 11 times, and 10 are allowed")
    assert fewer == ["N818: 4 can become 3"]


def test_the_ratchet_contains_no_rule_that_the_linter_enforces() -> None:
    lint = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["ruff"]["lint"]
    for rule in read_limits():
        assert not rule.startswith(tuple(lint["select"])) or rule.startswith(tuple(lint["extend-ignore"])), rule


def test_names_are_classified_by_their_form() -> None:
    assert [is_participle(name) for name in ("kept_files", "_served", "keep_files", "feed")] == [
        True,
        True,
        False,
        False,
    ]
    assert [is_one_word(name) for name in ("read", "_read", "read_file")] == [True, True, False]
    assert [is_gerund(name) for name in ("importing", "menu_importing", "booking", "string")] == [
        True,
        True,
        False,
        False,
    ]
    assert [is_vague(name) for name in ("_told", "rows_of", "start", "format_row")] == [True, True, False, False]
    assert [is_relative(text) for text in ("What it is", "Whether it is", "The whole")] == [True, True, False]


def test_bin_test_finds_the_tests_of_a_changed_module() -> None:
    code = "import changes; print(*changes.select(['src/workspace/lib/tabular/workbook_reader.py']).files)"
    command = [sys.executable, "-c", f"import sys; sys.path[0] = 'tests'; {code}"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)
    found = done.stdout.split()
    assert "src/workspace/lib/tests/test_workbook_reader.py" in found, done.stderr
    assert "src/workspace/products/seat/tests/test_guest_import.py" in found


def test_a_secret_is_found_and_not_printed(tmp_path: Path) -> None:
    key = "AKIA" + "IOSFODNN7EXAMPLQ"
    file = tmp_path / "notes.txt"
    file.write_text(f"first line\n{key}\nhttps://user:password@example.com\n")
    assert list(find_secrets([str(file)])) == [f"{file}:2: AWS Access Key"]
