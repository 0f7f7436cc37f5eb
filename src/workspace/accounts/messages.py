"""Error messages that owners, members and API callers read."""

from __future__ import annotations

from workspace.lib.messages import owner_message, owner_plural_message

TAB_REPEATED = owner_message("List each tool only once.")
TIME_ZONE_INVALID = owner_message("Use a time zone such as Europe/Berlin.")
NOT_ONE_OF = owner_message("Use one of %(values)s.")
ACCOUNT_CLOSED = owner_message("This account has been closed.")
ACCOUNT_IS_CLOSING = owner_message(
    "This account is read-only and will be deleted on %(date)s. The owner can cancel the closure on the account page."
)
NOT_A_MEMBER = owner_message("You are not a member of this account.")
LAST_OWNER = owner_message("An account needs an owner. Make another member an owner first, or close the account.")
ALREADY_A_MEMBER = owner_message("This person is already a member.")
MEMBER_LIMIT = owner_message("An account can have at most %(most)s members. Remove one first.")
KEY_LIMIT = owner_message("An account can have at most %(most)s API keys. Revoke one first.")
TOO_MANY_DEVICES = owner_message("Too many devices are waiting for approval. Try again in a few minutes.")

CHANGE_NOT_FOUND = owner_message("No change has this ID. Find IDs with svc_activity.")
NOTHING_TO_UNDO = owner_message("You have no changes to undo. svc_activity lists other people’s changes.")
ALREADY_UNDONE = owner_message("This change was already undone (%(id)s): %(summary)s")
CANNOT_BE_UNDONE = owner_message("This change can’t be undone: %(summary)s (%(id)s). %(reason)s.")
CHANGED_BY_OTHERS = owner_message("%(name)s has changed this again: %(summary)s. Undo that change first (%(id)s).")
CHANGED_SINCE = owner_message("This item has changed since then, so nothing was undone: %(summary)s")
UNDO_NOT_ALLOWED = owner_message("%(client)s can’t undo this: %(reason)s")

DAILY_LIMIT = owner_message("You’ve used all %(limit)s API calls for today. The limit resets at midnight UTC.")
IDEMPOTENCY_KEY_LENGTH = owner_message("Use 1 to %(most)s characters.")
IDEMPOTENCY_KEY_REUSED = owner_message("This Idempotency-Key was used for a different call. Use a new one.")
REQUEST_IN_PROGRESS = owner_message("The same request is still in progress. Wait a moment and try again.")
PRODUCT_NOT_IN_URL = owner_message(
    "The URL of this connection doesn’t include %(product)s. The owner can change the end of the URL to "
    "?products=%(products)s"
)
PRODUCT_NEEDS_OTHERS = owner_message("%(product)s also requires %(others)s. The owner can add this at %(page)s")
PRODUCT_NOT_ALLOWED = owner_message("Access to %(product)s was not granted. The owner can add it at %(page)s")
TOOL_NOT_AVAILABLE = owner_message("%(client)s can’t use %(tool)s. %(reason)s")
TOOL_OF_WHOLE_ACCOUNT = owner_message(
    "%(client)s can’t use %(tool)s. This tool covers the whole account, but access is limited to %(products)s. "
    "The owner can change this at %(page)s"
)
READ_ONLY = owner_message("This key or connection is read-only, but %(tool)s makes changes. Use one with full access.")
OWNERS_ONLY = owner_message("Only an owner of the account can do this. Ask an owner.")
ACCOUNT_READ_ONLY = owner_message(
    "You can view this account but not change it. An owner can give you more access on the Members page."
)
ACCOUNT_DENIED = owner_message(
    "This requires access to the whole account. An owner can give you more access on the Members page."
)
PRODUCT_READ_ONLY = owner_message(
    "You can view %(product)s but not make changes. An owner can give you more access on the Members page."
)
PRODUCT_DENIED = owner_message(
    "You don’t have access to %(product)s. An owner can give you more access on the Members page."
)

NO_CREDIT_LEFT = owner_message("This requires an unused event credit, and you have none left.")
UNKNOWN_INVITE_CODE = owner_message("This invite code doesn’t exist. Copy the last part of the invitation link.")
OWN_INVITE_CODE = owner_message("This is your own invite code. Share it with a friend.")
ALREADY_INVITED = owner_message("You have already used an invite code. An account can use only one.")
INVITE_CODE_TOO_LATE = owner_message("You can enter an invite code only within 7 days of signing up.")
INVITER_IS_NEWER = owner_message(
    "Invite codes are only for new accounts. Your account was created before the account that invited you."
)
INVITER_IS_MEMBER = owner_message("This invite code is from an account that shares a member with yours.")

CONNECTION_NOT_FOUND = owner_message("This connection doesn’t exist or has ended.")
CONNECTION_ENDED = owner_message("This connection has already ended.")
CLIENT_NAME_INVALID = owner_message("client_name: use at most %(most)s characters of plain text.")
TOO_MANY_REDIRECT_URIS = owner_message("Use at most %(most)s redirect URIs.")
REDIRECT_URI_TOO_LONG = owner_message("Use at most %(most)s characters for a redirect URI.")
REDIRECT_URI_NOT_HTTPS = owner_message("Use https, or http only for 127.0.0.1, [::1] or localhost.")
REDIRECT_URI_HAS_USER = owner_message("Remove the username from the redirect URI.")

TOO_MANY_UNUSED_IMAGES = owner_plural_message(
    "You have %(most)s unused image. Use it, or try again tomorrow.",
    "You have %(most)s unused images. Use them, or try again tomorrow.",
    count="most",
)
TOO_MANY_UNUSED_FILES = owner_plural_message(
    "You have %(most)s unused file. Use it, or try again tomorrow.",
    "You have %(most)s unused files. Use them, or try again tomorrow.",
    count="most",
)
STORAGE_FULL = owner_message(
    "You’ve used all %(megabytes)s MB of storage for images and files. Delete items with large files, then try again."
)
IMAGE_NOT_FOUND = owner_message("No uploaded image has this ID. Upload the image again.")
FILE_NOT_FOUND = owner_message("No uploaded file has this ID. Upload the file again.")
NOT_BASE64 = owner_message("Provide the file content as base64.")
FILE_NAME_NEEDED = owner_message("Provide a file name with an extension, such as menu.pdf.")

ERASURE_INCOMPLETE = owner_message("Some data hasn’t been deleted yet. Try again to delete the rest.")
