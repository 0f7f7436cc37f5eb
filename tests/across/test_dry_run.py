"""Dry runs: every tool that writes returns its effect, and changes nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.apps import apps
from django.conf import settings

from tests.across.samples import SAMPLES
from workspace.interfaces.tool_catalog import CATALOG
from workspace.rate_limits.models import CallQuota
from workspace.testing.api import Api

pytestmark = pytest.mark.django_db

WRITES = sorted(tool.name for tool in CATALOG if not tool.reads)


@pytest.mark.parametrize("name", WRITES)
def test_a_dry_run_changes_no_row_and_no_file(name: str, furnished: tuple[Api, dict[str, str]]) -> None:
    api, made = furnished
    arguments = SAMPLES[name](made)
    rows, files = _dump_rows(), _files()
    status, body = api.post("call", {"name": name, "arguments": {**arguments, "dry_run": True}})
    assert status == 200, body
    assert body["data"]["dry_run"] is True
    assert "id" not in (body["data"]["change"] or {}), "there is nothing to take back"
    assert body["text"].startswith("Dry run")
    assert _dump_rows() == rows
    assert _files() == files
    real = api.run(name, **arguments)
    assert set(real) | {"dry_run"} == set(body["data"]), "the dry run shows what the write answers"


def _dump_rows() -> str:
    """Return every row of every table except the call counters."""
    models = [model for model in apps.get_models() if model is not CallQuota and model._meta.managed]
    return repr([(model, list(model._base_manager.order_by("pk").values())) for model in models])


def _files() -> set[Path]:
    return {path for path in (Path(settings.DATA) / "files").rglob("*") if path.is_file()}
