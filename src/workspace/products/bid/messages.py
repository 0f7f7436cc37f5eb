"""Error messages that owners and API callers read."""

from __future__ import annotations

from workspace.lib.messages import owner_message, owner_plural_message

BID_NOT_FOUND = owner_message("No proposal has this ID. Find IDs with svc_bid_list.")
SOURCE_NOT_FOUND = owner_message("No proposal or template has this ID. Find IDs with svc_bid_list or svc_bid_library.")
LIBRARY_ITEM_NOT_FOUND = owner_message("No library item has this ID. Find IDs with svc_bid_library.")
ITEM_NOT_FOUND = owner_message(
    "No proposal, question, template or library item has this ID. Find IDs with svc_bid_list or svc_bid_library."
)

BID_LIMIT = owner_plural_message(
    "Your plan includes %(most)s proposal a month, and you’ve already created %(made)s. To create more, %(way_out)s",
    "Your plan includes %(most)s proposals a month, and you’ve already created %(made)s. To create more, %(way_out)s",
    count="most",
)
DECIDED_SINCE = owner_message(
    "The client just approved or declined this proposal. svc_bid_get shows its current state."
)
SENT_SINCE = owner_message("This proposal was sent in the meantime. Change it with svc_bid_edit.")
DECIDED_BIDS_ARE_FINAL = owner_message(
    "This proposal is already approved or declined and can’t change. Create a new version with svc_bid_copy "
    "(kind=version), or reopen it with svc_bid_decide (decision=reopened)."
)
TOTAL_TOO_HIGH = owner_message("The total is too high. Reduce the prices or quantities.")
DISCOUNT_TOO_HIGH = owner_message("The discount of %(discount)s is higher than the price. Enter at most %(most)s.")

SEND_DECIDED = owner_message(
    "This proposal is already approved or declined. Create a new version with svc_bid_copy (kind=version)."
)
SEND_EXPIRED = owner_message("This proposal has expired. Choose a later date in valid_until first.")
SEND_EMPTY = owner_message("This proposal is empty. Add line items or packages first.")
NOTHING_TO_REMIND = owner_message(
    "You can only send reminders for open proposals. This one is a draft, expired, approved or declined."
)
REMINDED_TODAY = owner_message("You sent a reminder within the last day. Wait a day, or call the client.")
REPLY_NEEDED = owner_message("Enter your reply.")
NO_REPLY_ADDRESS = owner_message("There’s no question to reply to, and the client has no email address.")
NO_CLIENT_EMAIL = owner_message(
    "The client has no email address. Add client_email, or share the link from svc_bid_share_link."
)

ALREADY_DECIDED = owner_message(
    "This proposal is already approved or declined. Use decision=reopened to reopen it within 30 days."
)
DRAFT_WITHOUT_CLIENT = owner_message(
    "No client has seen this draft. Change it with svc_bid_edit, or delete it with svc_bid_delete."
)
PACKAGE_NEEDED = owner_message("Choose the package that the client wants.")
NOT_DECIDED = owner_message("Only approved or declined proposals can be reopened.")
REOPEN_TOO_LATE = owner_message(
    "This proposal was approved or declined more than 30 days ago. Create a new version with svc_bid_copy "
    "(kind=version)."
)
NO_DEPOSIT = owner_message("No deposit was agreed for this proposal.")
DEPOSIT_PAID_ONLINE = owner_message("This deposit was paid online. Refund it with svc_payments_refund.")
SELECTION_NOT_ALLOWED = owner_message("Use selection only with decision=approved.")
DEPOSIT_NOT_ALLOWED = owner_message("Use deposit_paid only with decision=approved.")
OPTION_NOT_FOUND = owner_message("This proposal has no option %(id)s. svc_bid_get lists its options.")
PACKAGE_NOT_FOUND = owner_message("This proposal has no package %(id)s. svc_bid_get lists its packages.")

TEMPLATE_HAS_NO_VERSIONS = owner_message("Templates don’t have versions. Omit kind to create a draft.")
TEMPLATE_LIMIT = owner_message("You can save at most %(most)s templates. Delete some first.")
LIBRARY_LIMIT = owner_message("Your library can have at most %(most)s items. Remove some first.")
NOTHING_TO_SAVE = owner_message("Provide at least one of items, remove or order.")
LIBRARY_ITEM_REPEATED = owner_message("This library item is listed twice. Put all changes into one entry.")
LIBRARY_ITEM_IS_SAVED = owner_message("This library item is also listed in items. Use it only once.")
PDF_NEEDS_ID = owner_message("Enter the id of the proposal to export as a PDF.")

AMOUNT_EXPECTED = owner_message("Enter an amount like 12.50.")
AMOUNT_NEGATIVE = owner_message("Amounts can’t be negative. Use discount to reduce the price.")
AMOUNT_TOO_HIGH = owner_message("Enter at most 9,999,999.99.")
DECIMAL_POINT_NEEDED = owner_message("Use a decimal point: %(number)s.")
NUMBER_EXPECTED = owner_message("Enter a number like 1.5.")
NUMBER_TOO_LARGE = owner_message("This number is too large. Enter a smaller one.")
QUANTITY_TOO_LOW = owner_message("Enter a number above 0.")
QUANTITY_TOO_HIGH = owner_message("Enter at most 1,000,000.")
PERCENT_EXPECTED = owner_message("Enter a percentage like 8.5.")
PERCENT_OUT_OF_RANGE = owner_message("Enter a percentage from 0 to 100.")
TOO_MANY_DECIMALS = owner_message("Use at most 4 decimals.")
RECOMMENDED_TWICE = owner_message("Recommend at most one package.")
USE_ONE_OF = owner_message("Use only one of %(names)s.")
DIFFERS_FROM = owner_message("This differs from %(other)s. Use only one of them.")
SHARE_KIND_NEEDED = owner_message("Use percent or amount.")
OPTION_IN_PACKAGE = owner_message("Packages can’t contain optional lines. Put them in line_items of the proposal.")
SELECTED_IS_NOT_OPTIONAL = owner_message(
    "Only optional lines can be preselected. Set optional to true, or omit selected."
)
PACKAGE_HAS_PRICE = owner_message("The package has a price, so its lines can’t have one. Omit one of them.")
AMOUNT_NEEDS_QUANTITY_ONE = owner_message("Use amount only for quantity 1. For other quantities, use unit_price.")
LINE_TOTAL_WRONG = owner_message(
    "%(given)s is incorrect: %(quantity)s × %(price)s = %(total)s. Correct or omit the total."
)
PACKAGE_TOTAL_WRONG = owner_message("%(given)s is incorrect: the package costs %(total)s. Correct or omit the total.")
ID_INVALID = owner_message("Use up to 40 letters, digits, hyphens and underscores.")
ID_REPEATED = owner_message("This id is used twice. Omit it for new entries.")

# why a decision's record is not intact
REVISION_ERASED = owner_message("Personal data was erased from revision %(number)s")
REVISION_CHANGED = owner_message("Revision %(number)s was changed")
RECORD_OF_OTHER_REVISION = owner_message("The record refers to another revision")
RECORD_OF_OTHER_AMOUNTS = owner_message("The record has different amounts")

# in imports
STORED_NUMBER_INVALID = owner_message("Use digits with at most 4 decimals, such as 12.5.")
STORED_NUMBER_OUT_OF_RANGE = owner_message("Use a number from %(minimum)s to %(maximum)s.")
STORED_PRICE_MISSING = owner_message("Enter a price for the package, or one for each of its lines.")
STORED_ID_REPEATED = owner_message("Use each ID only once.")
STORED_TEMPLATE_EMPTY = owner_message("content: Enter the content of the template.")

# pasted rows
TOO_MANY_ROWS = owner_plural_message(
    "You can add at most %(most)s row at once.", "You can add at most %(most)s rows at once.", count="most"
)
NO_ROW_ADDED = owner_message("No row has a name and a price. Copy at least these two columns.")
ROW_TOO_LONG = owner_message("%(row)s: This row is too long. Shorten it.")
ROW_COMMA_UNCLEAR = owner_message(
    "%(row)s: The comma could be a decimal or a column separator. Put a tab or ; between the columns."
)
ROW_WITHOUT_NAME = owner_message("%(row)s: This row has no name. Add one.")
ROW_WITHOUT_PRICE = owner_message("%(row)s: This row has no price. Add it at the end of the row.")
ROW_INVALID = owner_message("%(row)s: %(problem)s.")
ROW_PRICE_UNCLEAR = owner_message("%(row)s: We can’t find the start of the price. Put a tab or ; before it.")
