"""The ZIP export of an account with data of every kind, which tests change and import."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any

from workspace.accounts.models import Account
from workspace.accounts.takeout import exporter, import_check, tables
from workspace.accounts.takeout.zip_reader import TakeoutArchive
from workspace.publishing.account_lifecycle import takeout_jobs

Rows = dict[str, list[dict[str, Any]]]


class Export:
    """An export: its rows by table, and the other files of the ZIP."""

    def __init__(self, content: bytes) -> None:
        with zipfile.ZipFile(io.BytesIO(content)) as pack:
            parts = {name: pack.read(name) for name in pack.namelist()}
        self.rows: Rows = {}
        self.rest: dict[str, bytes] = {}
        for name, part in parts.items():
            if name.startswith("tables/"):
                table = name.removeprefix("tables/").removesuffix(".jsonl")
                self.rows[table] = [json.loads(line) for line in part.splitlines()]
            else:
                self.rest[name] = part

    @classmethod
    def create(cls, account: Account, folder: Path) -> Export:
        path = folder / f"{account.pk}.zip"
        exporter.export_account(account, path)
        return cls(path.read_bytes())

    def zipped(self, **changed: list[dict[str, Any]]) -> io.BytesIO:
        """Return the ZIP with other rows in the named tables."""
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w") as pack:
            for name, part in self.rest.items():
                pack.writestr(name, part)
            for table, rows in {**self.rows, **changed}.items():
                pack.writestr(f"tables/{table}.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
        out.seek(0)
        return out


def forget_everything() -> None:
    """Delete everything, as on another instance without any of the data."""
    kept = {"contenttypes", "auth", "storage", "documents"}
    for model in tables.all_models():
        if model._meta.app_label not in kept:
            model._base_manager.all()._raw_delete("default")  # type: ignore[attr-defined]


def judge(account: Account, content: io.BytesIO) -> None:
    """Check an export as the import does before it writes.

    Raise OperationNotAllowedError if the import would refuse it.
    """
    import_check.check_archive(TakeoutArchive(content), account)


def import_account(account: Account, content: io.BytesIO) -> dict[str, Any]:
    """Import an export completely. Raise OperationNotAllowedError if it is refused."""
    return takeout_jobs.apply_import(account, takeout_jobs.plan_import(account, content))
