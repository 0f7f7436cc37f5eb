"""Error messages that guests read on a card, and that owners and API callers read."""

from __future__ import annotations

from workspace.lib.messages import guest_message, owner_message, owner_plural_message

CONTACT_NEEDED = guest_message("Enter an email address or a phone number")
EMAILED_TOO_OFTEN = guest_message(
    "This card has been emailed too often today. Save the contact instead, or try again tomorrow."
)
EMAIL_REFUSED = guest_message("We can’t send email to this address.")

CARD_NOT_FOUND = owner_message("No business card has this ID. Find IDs with svc_card_list.")
CARD_OR_LEAD_NOT_FOUND = owner_message(
    "No business card or lead has this ID. Find IDs with svc_card_list or svc_card_leads."
)
NOTHING_TO_SAVE = owner_message("Provide at least one of items or remove.")
CARD_LIST_EMPTY = owner_message("Paste your list or choose a file.")
CSV_ALONE = owner_message("Use csv without items and remove.")
NAME_COLUMN_NEEDED = owner_message("Choose the column with the names.")
COPY_WITH_ID = owner_message("Only allowed for new cards. Omit copy_of or id.")
CARD_REPEATED = owner_message("This card is listed twice. Put all changes into one entry.")
CARD_IS_CHANGED = owner_message("This card is also listed in items. Use it only once.")
CARD_CANNOT_BE_ERASED = owner_message("Only leads can be erased. Remove this card from ids.")
CARDS_ARE_CONTACTS = owner_message("Cards are exported as contacts. Omit format, or use kind=leads for a table.")
CARD_LIMIT = owner_plural_message(
    "You’ve reached your plan’s limit of %(most)s card. To add more, %(way_out)s",
    "You’ve reached your plan’s limit of %(most)s cards. To add more, %(way_out)s",
    count="most",
)
TOO_MANY_NEW_CARDS = owner_plural_message(
    "Your plan includes only %(left)s more card. To add more, %(way_out)s",
    "Your plan includes only %(left)s more cards. To add more, %(way_out)s",
    count="left",
)
