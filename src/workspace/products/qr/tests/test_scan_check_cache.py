from typing import Any

import pytest

from workspace.products.qr.domain import scan_check
from workspace.qr_symbols import scan_test
from workspace.testing.api import Api

pytestmark = pytest.mark.django_db


def test_the_verdict_on_a_code_is_cached_until_its_style_changes(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[str] = []
    own = scan_test.check_scannability

    def check(style: Any, text: str, **more: Any) -> Any:
        drawn.append(text)
        return own(style, text, **more)

    monkeypatch.setattr(scan_test, "check_scannability", check)
    scan_check._reports.clear()
    id = api.run("svc_qr_create", name="Menu", target_url="https://example.com")["id"]
    first = api.run("svc_qr_get", id=id, check=True)["scans_well"]
    assert api.run("svc_qr_get", id=id, check=True)["scans_well"] == first
    assert len(drawn) == 1
    api.run("svc_qr_edit", id=id, preset="ocean")
    before = len(drawn)
    api.run("svc_qr_get", id=id, check=True)
    assert len(drawn) == before + 1
