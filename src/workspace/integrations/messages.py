"""Error messages about connected calendars, address books and webhooks."""

from __future__ import annotations

from workspace.lib.messages import owner_message, owner_plural_message

ADDRESS_BOOK_NOT_FOUND = owner_message(
    "No address book has this ID. To list yours, call svc_address_books_save without arguments."
)
ADDRESS_BOOKS_NOT_FOUND = owner_message(
    "No address book has this ID: %(ids)s. To list yours, call svc_address_books_save without arguments."
)
CALENDAR_NOT_FOUND = owner_message("No calendar has this ID. To list yours, call svc_calendars_save without arguments.")
CALENDARS_NOT_FOUND = owner_message(
    "No calendar has this ID: %(ids)s. To list yours, call svc_calendars_save without arguments."
)
SERVERS_TOO_SLOW = owner_message("These addresses take too long to respond. Connect fewer at once.")
PASSWORD_NEEDED = owner_message("The address is on a different host. Provide the password again.")
NOT_CHECKED = owner_message("This address hasn’t been checked yet. Try again.")
NO_CONTACTS = owner_message("This product doesn’t collect contacts. Use one of %(known)s.")
CALENDAR_IS_ICS = owner_message("Only CalDAV calendars can get new bookings. An .ics address is read-only.")
CALENDAR_IS_READ_ONLY = owner_message("You can’t add events to “%(name)s”. Choose another calendar.")

WEBHOOK_NOT_FOUND = owner_message("No webhook has this ID. Find IDs with svc_webhooks_log.")
DELIVERY_NOT_FOUND = owner_message(
    "No delivery has this ID. Find IDs with svc_webhooks_log. Deliveries are kept for 30 days."
)
NOTHING_TO_REMOVE = owner_message("There is no webhook to remove. Find webhooks with svc_webhooks_log.")
SEND_AGAIN_NEEDED = owner_message("Use delivery_id only together with send=again.")
WEBHOOK_EXISTS = owner_message(
    "Webhook %(id)s already sends these events to %(url)s. "
    "To change its URL, use webhook_id=%(id)s with url, and omit thing."
)
URL_NEEDED = owner_message(
    "Provide the url of a new webhook, or the webhook_id of an existing one. Find IDs with svc_webhooks_log."
)
WHOLE_ACCOUNT_NEEDED = owner_message(
    "A webhook for the whole account requires access to the whole account. "
    "Set thing to a form or waiver, or ask an owner for more access."
)
WEBHOOK_LIMIT = owner_plural_message(
    "You can have at most %(most)s webhook for the whole account. Remove one first.",
    "You can have at most %(most)s webhooks for the whole account. Remove one first.",
    count="most",
)
NO_EVENTS = owner_message(
    "Webhooks aren’t available for %(item)s. Use an item from one of these products: %(products)s."
)
