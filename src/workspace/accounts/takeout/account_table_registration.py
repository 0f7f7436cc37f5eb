"""Registration of tables in `accounts` and lower packages that the export excludes or handles specially."""

from __future__ import annotations

from typing import Any

from workspace.accounts.models import Change, Upload
from workspace.accounts.models.upload import PICTURE
from workspace.accounts.takeout import column_types
from workspace.accounts.takeout.tables import ImportContext, TakeoutTable, exclude_tables, register_tables
from workspace.storage.files import images, store
from workspace.storage.files.media_types import detect_media_type

IMPORTED_CHANGE_REASON = "It was made before the account was imported"


def register_account_tables() -> None:
    exclude_tables(
        "sign-in data, created again on the other instance",
        *(
            "accounts.person",
            "accounts.membership",
            "accounts.apikey",
            "accounts.memberinvitation",
            "accounts.deviceauthorization",
        ),
        *("accounts.oauthclient", "accounts.oauthgrant", "accounts.oauthaccesstoken", "accounts.oauthrefreshtoken"),
        *("accounts.connectionchoice", "rate_limits.callquota", "accounts.idempotentcall"),
        *("contenttypes.contenttype", "auth.permission", "auth.group", "sessions.session", "account.emailaddress"),
        *("account.emailconfirmation", "mfa.authenticator", "usersessions.usersession"),
        *("oauth2_provider.idtoken", "oauth2_provider.devicegrant"),
    )
    exclude_tables("belongs to the records of the seller", "accounts.creditentry", "accounts.invitepair")
    exclude_tables(
        "belongs to the instance",
        *(
            "storage.blob",
            "storage.blobpiece",
            "storage.cacheentry",
            "storage.sealingkey",
            "storage.instancefact",
            "storage.setaside",
        ),
        "documents.sealkey",
    )
    register_tables(
        TakeoutTable(
            model=Change,
            excluded_columns=("journal",),
            import_row=_finalize_change,
            column_types={
                **dict.fromkeys(("channel", "item_kind"), column_types.Token),
                # Pages log names such as "sign-in", and tools of linked apps have names of their apps.
                **dict.fromkeys(("tool", "area"), column_types.Identifier),
                **dict.fromkeys(("summary", "final_note"), column_types.PlainText),
                "previous": dict[str, dict[str, Any] | None],
            },
        ),
        TakeoutTable(
            model=Upload, files=("id",), store_file=_store_upload, column_types={"media_type": column_types.MediaType}
        ),
    )


def _finalize_change(arrival: ImportContext, row: Any, values: dict[str, Any]) -> None:
    """Clear the journal and the actor of an imported change.

    Undo needs the journal, but it refers to rows by numbers that belong to other rows on this instance.
    """
    row.journal, row.actor_key = [], ""
    row.final_note = row.final_note or IMPORTED_CHANGE_REASON


def _store_upload(row: Any, key: str, content: bytes) -> dict[str, Any]:
    if row.kind != PICTURE:
        found = detect_media_type(content, row.name)
        store.put(key, content)
        return {"media_type": found, "size": len(content)}
    picture = images.normalize_image(content)
    images.store_image(key, picture)
    return {
        "media_type": picture.media_type,
        "size": len(picture.content),
        "width": picture.width,
        "height": picture.height,
    }
