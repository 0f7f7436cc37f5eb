"""Error messages of searches and verifications."""

from __future__ import annotations

from workspace.lib.messages import owner_message

FILE_NOT_FOUND = owner_message("No file has this ID. Upload the PDF again with svc_upload_file.")
UNKNOWN_KIND = owner_message("Use one of %(known)s.")
