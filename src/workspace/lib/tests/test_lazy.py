from __future__ import annotations

import threading
import time

import pytest

from workspace.lib import lazy
from workspace.lib.lazy import build_at_startup, cache_first_result, run_startup_builds


def test_concurrent_callers_share_one_build() -> None:
    asked, calls = threading.Barrier(12), []

    @cache_first_result
    def thing() -> object:
        calls.append(1)
        time.sleep(0.2)  # the others call while it is being built
        return object()

    found: list[object] = []

    def get_value() -> None:
        asked.wait()
        found.append(thing())

    threads = [threading.Thread(target=get_value) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(calls) == 1
    assert len(found) == 12 and len({id(one) for one in found}) == 1


def test_a_failed_build_is_tried_again() -> None:
    results: list[Exception | str] = [ValueError("not yet"), "built"]

    @cache_first_result
    def thing() -> str:
        result = results.pop(0)
        if isinstance(result, Exception):
            raise result
        return result

    with pytest.raises(ValueError, match="not yet"):
        thing()
    assert thing() == "built"
    assert thing() == "built"


def test_startup_builds_run_when_a_server_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lazy, "_startup_builds", [])
    built: list[str] = []

    @build_at_startup
    @cache_first_result
    def list_of_names() -> str:
        built.append("names")
        return "names"

    assert built == []
    run_startup_builds()
    assert list_of_names() == "names"
    assert built == ["names"]
