"""Messages on the dashboard's pages."""

from __future__ import annotations

from workspace.lib.messages import owner_message

IMAGE_TOO_LARGE = owner_message("This image is too large (max. %(megabytes)s MB)")
ITEM_NOT_FOUND = owner_message("This item does not exist")
LIST_NEEDED = owner_message("Paste your list or choose a file.")
LIST_TOO_LARGE = owner_message("This file is too large (max. %(maximum)s characters)")
NO_IMAGE = owner_message("Choose an image")
NOT_A_MEMBER = owner_message("You are not a member of this account")
SUBMISSION_GONE = owner_message("This entry no longer exists")
UNKNOWN_ACTION = owner_message("This action does not exist")
