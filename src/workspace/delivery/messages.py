"""Error messages that owners, administrators and API callers read."""

from __future__ import annotations

from workspace.lib.messages import owner_message, owner_plural_message

NO_CALENDAR_SERVER = owner_message(
    "No calendar server found at this address. For a private address ending in .ics, choose the kind ICS."
)
NO_CALENDAR = owner_message("This address doesn’t return a calendar. Check it and try again.")
PAGE_INSTEAD_OF_CALENDAR = owner_message(
    "This address opens a web page. Enter the private address in iCal format, which ends in .ics."
)
CALENDAR_IS_GONE = owner_message("This calendar no longer exists. Select your calendars again.")
CALENDAR_TOO_SLOW = owner_message(
    "This calendar takes too long to read. It is too large, or an event repeats too often."
)
CALENDAR_LIMIT = owner_plural_message(
    "You can connect at most %(most)s calendar account. Remove one first.",
    "You can connect at most %(most)s calendar accounts. Remove one first.",
    count="most",
)
CALENDAR_NEEDED = owner_message("Select at least one calendar, or remove the connection.")
CALENDAR_NOT_FOUND = owner_message("This connection has no calendar with this name. Use one of these: %(names)s.")
NAME_AMBIGUOUS = owner_message("The name “%(name)s” is used more than once. Use the address instead.")

NO_ADDRESS_BOOK_SERVER = owner_message(
    "No address book server found at this address. Look for “CardDAV” in your provider’s help."
)
UNSUPPORTED_ADDRESS_BOOK = owner_message(
    "%(provider)s doesn’t let us connect with a password. Export your leads as a vCard file instead (on a card’s page, "
    "or svc_card_export with format=vcf) and import it there."
)
ADDRESS_BOOK_IS_GONE = owner_message("This address book no longer exists. Choose another one.")
ADDRESS_BOOK_LIMIT = owner_plural_message(
    "You can connect at most %(most)s address book account. Remove one first.",
    "You can connect at most %(most)s address book accounts. Remove one first.",
    count="most",
)
ADDRESS_BOOK_NOT_FOUND = owner_message(
    "This connection has no address book with this name. Use one of these: %(names)s."
)
ADDRESS_BOOK_IS_READ_ONLY = owner_message("You can’t add contacts to “%(name)s”. Choose another address book.")
CONTACT_REJECTED = owner_message("The address book rejected this contact (%(status)s).")

INTERNAL_SYNC_ERROR = owner_message("An unexpected error occurred on our side (%(error)s). We’ll try again.")
TOO_MANY_REDIRECTS = owner_message("This address redirects too many times. Check it and try again.")
INVALID_REDIRECT = owner_message("The server redirects to an invalid address.")
UNENCRYPTED_REDIRECT = owner_message("The server redirects to an unencrypted address. Enter an https:// address.")
SERVER_TOO_SLOW = owner_message("The server takes too long to respond.")
PASSWORD_NEEDED = owner_message("The server requires a username and password.")
PASSWORD_REJECTED = owner_message("The username or password is wrong. Many providers require an app-specific password.")
ACCESS_DENIED = owner_message("The server denied access. Check your permissions there.")
OTHER_HOST = owner_message("The server redirects to %(host)s. If you trust it, enter that address.")
HTTPS_NEEDED = owner_message("Enter an https:// address, so that your password is encrypted.")
ADDRESS_IS_GONE = owner_message("Nothing was found at this address (%(status)s). Check it and try again.")
TOO_MANY_REQUESTS = owner_message("The server is limiting our requests (429). We’ll try again later.")
SERVER_ERROR = owner_message("The server has a problem (%(status)s). We’ll try again later.")
UNEXPECTED_STATUS = owner_message("The server responded with status %(status)s.")
UNREADABLE_RESPONSE = owner_message("We can’t read the server’s response.")

JOB_NOT_FOUND = owner_message("No job has this ID. Jobs are deleted a week after they end.")
JOB_IS_OVER = owner_message("This job has already ended. Its state is %(state)s.")
JOB_TOO_LONG = owner_message("A job can have at most %(most)s items. Send the rest in another call.")
JOB_ITEM_TOO_LARGE = owner_message("“%(name)s” is too large. An item can be at most 64 kB.")
JOB_TOO_LARGE = owner_message("All items together can be at most 16 MB. Send them in several calls.")
TOO_MANY_JOBS = owner_plural_message(
    "%(most)s job is already running. Wait until it is finished.",
    "%(most)s jobs are already running. Wait until one is finished.",
    count="most",
)
JOB_ITEM_FAILED = owner_message(
    "An unexpected error occurred on our side. Try this item again, or contact the administrator."
)
JOB_ITEM_FAILED_REPEATEDLY = owner_message("This item failed several times. Try it again on its own, or leave it out.")
JOB_FILE_FAILED = owner_message("All items are finished, but we couldn’t create the file. Contact the administrator.")

UNKNOWN_NOTIFICATION = owner_message("Use one of these kinds: %(kinds)s.")
UNKNOWN_EVENT = owner_message("Use one of these events: %(events)s.")
NO_EVENTS = owner_message("No events are available yet.")
NO_WEBHOOKS = owner_message("Your plan for %(product)s doesn’t include webhooks. To continue, %(way_out)s")
HTTPS_WEBHOOK_NEEDED = owner_message("Enter an https:// address, because webhooks contain your customers’ data.")
WEBHOOK_IS_OFF = owner_message("This webhook is turned off. Turn it on first with live=true.")
WEBHOOK_REDIRECTED = owner_message("The server responded with a redirect (%(status)s). Enter the final address.")
WEBHOOK_ADDRESS_IS_GONE = owner_message("The server responded that this address no longer exists (410).")
WEBHOOK_STATUS = owner_message("The server responded with status %(status)s.")
