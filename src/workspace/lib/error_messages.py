"""Error messages of this package: what is wrong with a value, and what to enter."""

from __future__ import annotations

from workspace.lib.messages import guest_message, owner_message, owner_plural_message

# Guests read these in their forms, too: `public_site` and `publishing` mark them for translation.
EMPTY = guest_message("Fill in this field")
INVALID_EMAIL = guest_message("Enter a valid email address")
INVALID_PHONE = guest_message("Enter a phone number like +43 1 234 56 78")

INVALID_LANGUAGE = owner_message("Enter a language code like de or pt-br")
INVALID_CURRENCY = owner_message("Enter a currency code like EUR")
BUSY = owner_message("The server is busy. Try again in a few seconds.")

NUMBER_EXPECTED = owner_message("Enter a number, such as %(example)s")
WHOLE_NUMBER_EXPECTED = owner_message("Enter a whole number")
NUMBER_TOO_LONG = owner_message("This number has too many digits")
NUMBER_NEGATIVE = owner_message("Must be at least 0")
NUMBER_TOO_LARGE = owner_message("Must be at most %(most)s")
TOO_MANY_DECIMALS = owner_plural_message(
    "Use at most %(decimals)s decimal, such as %(example)s",
    "Use at most %(decimals)s decimals, such as %(example)s",
    count="decimals",
)
CURRENCY_WITHOUT_DECIMALS = owner_message("%(currency)s has no decimals. Enter a whole number.")
CURRENCY_DECIMALS = owner_message("%(currency)s amounts have %(decimals)s decimals, such as %(example)s")
OTHER_CURRENCY = owner_message("Amounts are in %(currency)s, not %(other)s. Enter only the number.")

TOO_LONG = owner_message("Use at most %(most)s characters")
ENCODED_ADDRESS_TOO_LONG = owner_message("Use at most %(most)s characters, with special characters encoded")
ID_INSTEAD_OF_ADDRESS = owner_message("This is an id. Enter the public URL, which svc_search returns.")
ADDRESS_WITH_SPACES = owner_message("Remove spaces and control characters from the URL")
ADDRESS_WITH_BACKSLASH = owner_message("Use / instead of \\ in the URL")
UNSUPPORTED_SCHEME = owner_message("Only http and https URLs are supported")
INVALID_ADDRESS = owner_message("Enter a URL like https://example.com")
ADDRESS_WITH_CREDENTIALS = owner_message("Remove the user name and password from the URL")
ADDRESS_WITHOUT_HOST = owner_message("The URL has no host name. Enter one like https://example.com.")
INCOMPLETE_HOST = owner_message("The host name is incomplete. Enter one like example.com.")
INVALID_HOST = owner_message("The host name is not valid. Enter one like example.com.")

REPEATED_KEY = owner_message("This name is used more than once")
BODY_NOT_UTF_8 = owner_message("The body is not valid UTF-8")
BODY_TOO_DEEP = owner_message("The body is nested too deeply")
BODY_NOT_JSON = owner_message("The body is not valid JSON")

CSV_TOO_LONG = owner_message("The list is too long (max. %(most)s characters)")
NOT_CSV = owner_message("This is not a CSV file. Export the list from your spreadsheet as CSV.")
TOO_MANY_CELLS = owner_message("Line %(line)s has %(cells)s cells (max. %(most)s)")
TOO_MANY_LINES = owner_message("The list has too many lines (max. %(most)s). Split it.")
WORKBOOK_INSTEAD_OF_CSV = owner_message("This is a workbook. Export the sheet as CSV UTF-8.")
BROKEN_ENCODING = owner_message("The file starts as %(encoding)s but contains invalid characters. %(hint)s")
UNKNOWN_ENCODING = owner_message("The file is neither UTF-8 nor Windows-1252. %(hint)s")
NOT_TEXT = owner_message("This is not a text file, or it is UTF-16 without a byte order mark. %(hint)s")
SAVE_AS_UTF_8 = owner_message("Save it as CSV UTF-8 and try again.")
CELL_TOO_LONG = owner_message(
    "Line %(line)s has a cell with more than %(most)s characters. Is a quotation mark missing?"
)
UNCLOSED_QUOTE = owner_message(
    'Line %(line)s has an unclosed quotation mark ("), or text after a closing one. Write "" for a quotation '
    "mark inside a cell."
)
WORKBOOK_UNREADABLE = owner_message("This workbook can't be read. Save it again as .xlsx or CSV.")
WORKBOOK_EMPTY = owner_message("This workbook is empty. Choose the file with your list.")
WORKBOOK_TOO_LARGE = owner_message("This sheet is too large. Remove lines and columns that you don't need.")
WORKBOOK_TOO_MANY_CELLS = owner_message(
    "The table is too large for a workbook (max. %(most)s cells). Export it as CSV."
)

NOT_A_CALENDAR = owner_message("This URL doesn't return a calendar")
CALENDAR_INCOMPLETE = owner_message("The calendar is incomplete")
CALENDAR_TOO_LARGE = owner_message("The calendar has more than %(most)s events")
