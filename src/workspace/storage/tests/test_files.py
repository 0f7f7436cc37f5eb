"""Bytes that rest: read back as they were put, on both databases."""

from __future__ import annotations

import pytest

from workspace.storage import files

pytestmark = pytest.mark.django_db


def test_what_is_put_is_got_until_it_is_deleted() -> None:
    files.put("upl_test", b"\x00\xff")
    files.put("upl_test", b"again")
    assert files.get("upl_test") == b"again"
    files.delete("upl_test")
    with pytest.raises(FileNotFoundError):
        files.get("upl_test")
    files.delete("upl_test")
