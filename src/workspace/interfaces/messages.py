"""Messages on account pages, sign-in pages and device authorization."""

from __future__ import annotations

from workspace.lib.messages import owner_message

ADDRESS_BOOK_NOT_FOUND = owner_message("This address book does not exist.")
APP_NOT_FOUND = owner_message("This app does not exist.")
ATTACHMENTS_TOO_LARGE = owner_message("The files are too large for an email (max. %(megabytes)s MB in total)")
BODY_TOO_LARGE = owner_message("The request body is too large")
CALENDAR_NOT_FOUND = owner_message("This calendar does not exist.")
DEVICE_NAME = owner_message("Use up to %(maximum)s characters without line breaks")
FILE_TOO_LARGE = owner_message("This file is too large (max. %(megabytes)s MB)")
LINE_BREAKS = owner_message("Remove line breaks and invisible characters.")
NOT_A_JSON_OBJECT = owner_message("Send a JSON object")
NOT_A_TEXT = owner_message("Must be text")
OTHER_INVITATION = owner_message("Your invitation is for %(email)s. Use that address.")
REQUIRED = owner_message("Required")
SAME_SIGN_IN_ADDRESS = owner_message("This person already signs in with %(email)s. Nothing was changed.")
SIGN_IN_ADDRESS_TAKEN = owner_message("Someone else already signs in with %(email)s")
TOO_MANY_FILES = owner_message("Attach up to %(maximum)s files at once")
TOO_MANY_INVITATIONS = owner_message("You’ve reached the limit of invitations for today. Try again tomorrow.")
TOO_MANY_PAIRINGS = owner_message("Too many authorization requests from this address. Wait a minute and try again.")
