"""What this room, and those below it, take along and leave behind."""

from __future__ import annotations

from typing import Any

from workspace.accounts.models import Change, Upload
from workspace.accounts.models.upload import PICTURE
from workspace.accounts.takeout import column_types
from workspace.accounts.takeout.tables import Arrival, Carried, carry, leave
from workspace.storage.files import images, store
from workspace.storage.files.media_types import media_type

EARLIER = "It was done before the account was brought here"


def register() -> None:
    leave(
        "signs people and programs in, and is made anew",
        *("accounts.person", "accounts.membership", "accounts.apikey", "accounts.memberinvitation", "accounts.pairing"),
        *("accounts.oauthclient", "accounts.oauthgrant", "accounts.oauthaccesstoken", "accounts.oauthrefreshtoken"),
        *("accounts.connectionchoice", "accounts.meter", "accounts.idempotentcall"),
        *("contenttypes.contenttype", "auth.permission", "auth.group", "sessions.session", "account.emailaddress"),
        *("account.emailconfirmation", "mfa.authenticator", "usersessions.usersession"),
        *("oauth2_provider.idtoken", "oauth2_provider.devicegrant"),
    )
    leave("stands with whoever sold it", "accounts.creditentry", "accounts.invitepair")
    leave(
        "is the installation's own",
        *(
            "storage.blob",
            "storage.blobpiece",
            "storage.cached",
            "storage.sealingkey",
            "storage.fact",
            "storage.setaside",
        ),
        "documents.sealkey",
    )
    carry(
        Carried(
            model=Change,
            without=("entries",),
            arrive=_close,
            reads={
                **dict.fromkeys(("face", "thing_kind"), column_types.Token),
                # pages write names such as "sign-in", and tools of linked apps have names of their own
                **dict.fromkeys(("tool", "whose"), column_types.Identifier),
                **dict.fromkeys(("text", "final"), column_types.PlainText),
                "before": dict[str, dict[str, Any] | None],
            },
        ),
        Carried(model=Upload, files=("id",), receive=_receive, reads={"media_type": column_types.MediaType}),
    )


def _close(arrival: Arrival, row: Any, told: dict[str, Any]) -> None:
    """What an undo would need names rows by numbers that are others' here."""
    row.entries, row.actor = [], ""
    row.final = row.final or EARLIER


def _receive(row: Any, key: str, content: bytes) -> dict[str, Any]:
    if row.kind != PICTURE:
        found = media_type(content, row.name)
        store.put(key, content)
        return {"media_type": found, "size": len(content)}
    picture = images.redraw(content)
    images.keep(key, picture)
    return {
        "media_type": picture.media_type,
        "size": len(picture.content),
        "width": picture.width,
        "height": picture.height,
    }
