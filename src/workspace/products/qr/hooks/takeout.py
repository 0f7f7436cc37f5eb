"""Export and import of codes. Static codes are exported with their passwords."""

from __future__ import annotations

from typing import Any

from workspace.accounts.takeout import column_types
from workspace.accounts.takeout.tables import ImportContext, TakeoutTable
from workspace.products.qr.models import ENCRYPTION_PURPOSE, Code, DestinationChange
from workspace.products.qr.rules import static_content
from workspace.qr_symbols.style import Style
from workspace.storage import encryption
from workspace.storage.encryption import DecryptionError


def _serialize_password(row: Any) -> str:
    try:
        return str(row.decrypted_content.get(static_content.SECRET_FIELD, ""))
    except DecryptionError:
        return ""


def _import_password(arrival: ImportContext, row: Any, data: dict[str, Any]) -> None:
    password = data.get("secret")
    if isinstance(password, str) and 0 < len(password) <= 200 and row.is_static:
        row.secret = encryption.encrypt_secret(password, row.account_id, ENCRYPTION_PURPOSE)


TAKEOUT_TABLES = (
    TakeoutTable(
        model=Code,
        excluded_columns=("secret",),
        serializers={"secret": _serialize_password},
        import_row=_import_password,
        column_types={
            **dict.fromkeys(("target_url", "fallback_url"), column_types.WebAddress),
            "content": static_content.StaticContent,
            "folder": column_types.OneLine,
            "style": column_types.validate_unchanged(Style),
        },
    ),
    TakeoutTable(model=DestinationChange, column_types=dict.fromkeys(("from_url", "to_url"), column_types.WebAddress)),
)
