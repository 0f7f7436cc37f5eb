"""Error messages of account exports and imports."""

from __future__ import annotations

from workspace.lib.messages import owner_message

EXPORT_TOO_LARGE = owner_message("This account is too large for one file. Ask the administrator for a copy.")
NOT_AN_EXPORT = owner_message("This file isn’t an account export. Choose the ZIP file from “Export and import”.")
EXPORT_DAMAGED = owner_message("This ZIP file is damaged. Export the account again.")
EXPORT_INCONSISTENT = owner_message(
    "Rows of %(table)s in this ZIP file conflict with each other or with existing data. Export the account again."
)
UNKNOWN_VERSION = owner_message(
    "This export has format version %(version)s, but this instance only supports %(known)s. "
    "Import it on an instance with the same or a later version of Workspace Tools."
)
MANIFEST_INVALID = owner_message("%(file)s: account.name: %(problem)s")
ROW_TOO_LONG = owner_message("%(file)s, line %(line)s: this row is too long.")
DUPLICATE_ENTRY = owner_message("This ZIP file contains “%(name)s” twice.")
ENTRY_UNREADABLE = owner_message("This ZIP file is encrypted or uses an unsupported compression method.")
TOO_MUCH_CONTENT = owner_message("This ZIP file is too large to import. Contact the administrator.")
TOO_MANY_ROWS = owner_message("This ZIP file contains too many rows to import.")
TOO_MANY_FILES = owner_message("This ZIP file contains too many files to import.")
UNKNOWN_TABLE = owner_message(
    "This ZIP file contains “%(name)s”, which this version doesn’t support. Upgrade this instance first."
)
UNKNOWN_ENTRY = owner_message("This ZIP file contains “%(name)s”, which isn’t part of an export.")
FILE_TOO_LARGE = owner_message("“%(name)s” is too large.")
FILE_UNUSED = owner_message("%(file)s isn’t used by any row of this ZIP file.")
FILE_CHANGED = owner_message("%(file)s isn’t the original signed file.")
FILE_INVALID = owner_message("%(file)s: %(problem)s")
ID_TAKEN = owner_message("%(id)s already exists on this instance.")

NOT_A_ZIP = owner_message("Only ZIP files can be uploaded in parts.")
UPLOAD_NOT_FOUND = owner_message("No upload has this ID. Start the upload again.")
WRONG_POSITION = owner_message("%(size)s bytes received. Continue with at=%(size)s.")
ZIP_TOO_LARGE = owner_message("A ZIP file can be at most %(megabytes)s MB.")
CHUNK_EMPTY = owner_message("This part is empty.")
CHUNKS_AT_ONCE = owner_message("Two parts were received at the same time. Check the position and continue there.")
