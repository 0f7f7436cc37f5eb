"""Error messages that owners and API callers read."""

from __future__ import annotations

from workspace.lib.messages import owner_message

ITEM_NOT_FOUND = owner_message("No item has this ID, slug or public URL. Find items with svc_search.")
SLUG_AMBIGUOUS = owner_message("Several items have this name. Use an id: %(items)s")
OTHER_PRODUCT = owner_message("This is %(item)s, but %(tool)s needs %(expected)s.")
QR_CODE_NOT_FOUND = owner_message("No QR code has this ID. Find IDs with svc_qr_list.")
ITEM_IS_BLOCKED = owner_message("This item is blocked, so it can’t be duplicated.")
NOT_A_TABLE = owner_message("This file isn’t a table. Omit format.")
ADDRESS_TAKEN = owner_message("This link is already in use. Choose another one.")
SLUG_INVALID = owner_message("Use 2 to 50 letters a-z, digits and single hyphens, such as summer-menu.")
ADDRESS_INVALID = owner_message("“%(slug)s” can’t be used as a page address.")
ORDER_INCOMPLETE = owner_message("List every %(noun)s once. There are %(count)s.")
TIME_IS_PAST = owner_message("Choose a time in the future.")
HOST_INVALID = owner_message("Enter a domain such as www.example.com.")

CLOSURE_IS_FINAL = owner_message("The 14-day period has ended. This account is being deleted and can’t be restored.")
LINK_EXPIRED = owner_message("This link has expired. Request a new one.")
ZIP_NOT_FOUND = owner_message("No upload has this ID. Upload the ZIP file again with kind=file.")
ZIP_IS_GONE = owner_message("The uploaded ZIP file no longer exists. Upload it again.")
IMPORT_IN_PROGRESS = owner_message("An import is already running. Wait until it is finished.")
ACCOUNT_NOT_EMPTY = owner_message(
    "You can import only into an empty account, and this one has %(count)s %(items)s. "
    "Delete them first, or create a new account."
)
IMPORT_IS_FINAL = owner_message("An import can’t be undone. Delete individual items instead, or close the account.")
