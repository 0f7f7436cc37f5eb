"""Error messages that owners and API callers read."""

from __future__ import annotations

from workspace.lib.messages import owner_message, owner_plural_message

CODE_NOT_FOUND = owner_message("No QR code has this ID. Find IDs with svc_qr_list.")
ITEM_NOT_FOUND = owner_message("No item has this ID, slug or public URL. Check it and try again.")
UPLOAD_NOT_FOUND = owner_message("No upload has this ID. Upload the image again.")
NOTHING_TO_SAVE = owner_message("Provide at least one of items or remove.")
CODE_REPEATED = owner_message("This QR code is listed twice. Put all changes into one entry.")
SLUG_REPEATED = owner_message("“%(slug)s” is already used at %(first)s. Use each slug once.")
LINK_REPEATED_ON_LINES = owner_message(
    "“%(slug)s” is used on lines %(first)s and %(second)s. Use each custom link only once."
)
STYLE_AND_PRESET = owner_message("Use either style or preset, not both.")
NOT_ONE_OF = owner_message("Use one of %(values)s.")
FIELD_NEEDED = owner_message("This field is required.")
FIELD_NOT_ALLOWED = owner_message("Not allowed for kind=%(kind)s. Use only %(allowed)s.")
CODE_OPENS_CODE = owner_message("A QR code can’t open another QR code. Enter the page that it should open.")
STATIC_CODE_HAS_NO_LINK = owner_message(
    "A static QR code has no link, because it contains its content. Omit this, or create a dynamic QR code."
)
STATIC_CODE_HAS_NO_SCANS = owner_message("This QR code is static. Its scans are not counted.")
CONTENT_IS_FIXED = owner_message("The content of a static QR code can’t change. Create a new QR code instead.")
UNSCANNABLE = owner_message("This design doesn’t scan. %(problem)s")
UNSCANNABLE_WITH_LOGO = owner_message("This design doesn’t scan with your logo. %(problem)s")
TOO_MANY_STYLES = owner_plural_message(
    "Use at most %(most)s design in one list.", "Use at most %(most)s different designs in one list.", count="most"
)
TOO_MANY_SLUG_CHANGES = owner_plural_message(
    "You can change at most %(most)s slug in one list.",
    "You can change at most %(most)s slugs in one list.",
    count="most",
)
LONG_LIST_WITH_CHANGES = owner_plural_message(
    "A list with more than %(most)s entry can only create QR codes. Change existing ones in a separate call.",
    "A list with more than %(most)s entries can only create QR codes. Change existing ones in a separate call.",
    count="most",
)
TOO_MANY_SECRET_COPIES = owner_plural_message(
    "You can copy a QR code with a password at most %(most)s time in one call.",
    "You can copy a QR code with a password at most %(most)s times in one call.",
    count="most",
)
CODE_LIMIT = owner_plural_message(
    "You’ve reached your plan’s limit of %(most)s QR code. To add more, %(way_out)s",
    "You’ve reached your plan’s limit of %(most)s QR codes. To add more, %(way_out)s",
    count="most",
)
TOO_MANY_NEW_CODES = owner_plural_message(
    "Your plan doesn’t allow %(wanted)s more QR code. To add more, %(way_out)s",
    "Your plan doesn’t allow %(wanted)s more QR codes. To add more, %(way_out)s",
    count="wanted",
)
LIST_EMPTY = owner_message("Paste some lines or choose a file.")
CSV_ALONE = owner_message("Use csv without items and remove.")
STATIC_LINE_SKIPPED = owner_message("This static QR code is skipped because a table doesn’t contain its content.")
TOO_MANY_CHANGED_LINES = owner_plural_message(
    "A list that changes QR codes can have at most %(most)s line. Split the list.",
    "A list that changes QR codes can have at most %(most)s lines. Split the list.",
    count="most",
)

SSID_TOO_LONG = owner_plural_message(
    "Use at most %(most)s character. Letters such as ä count as two.",
    "Use at most %(most)s characters. Letters such as ä count as two.",
    count="most",
)
NOT_ONE_LINE = owner_message("Use plain text on one line.")
NAME_NEEDED = owner_message("Enter a name or an organization.")
OPEN_NETWORK_HAS_PASSWORD = owner_message("An open network has no password. Clear the password or choose WPA.")
PASSWORD_NEEDED = owner_message("Enter the password, or choose nopass for an open network.")
INVALID_WEP_KEY = owner_message("Use a WEP key of 5 or 13 characters, or of 10 or 26 digits 0-9 and a-f.")
INVALID_WPA_PASSWORD = owner_message("Use a WPA password of 8 to 63 characters.")
CONTENT_TOO_LONG = owner_plural_message(
    "A QR code can contain at most %(most)s characters. Remove %(excess)s. Letters such as ä count as two.",
    "A QR code can contain at most %(most)s characters. Remove %(excess)s. Letters such as ä count as two.",
    count="excess",
)
CONTENT_TOO_LONG_WITH_LOGO = owner_plural_message(
    "A QR code with a logo can contain at most %(most)s characters. Remove %(excess)s. Letters such as ä count as two.",
    "A QR code with a logo can contain at most %(most)s characters. Remove %(excess)s. Letters such as ä count as two.",
    count="excess",
)

DRAWING_FAILED = owner_message("We couldn’t create this file. Use format=svg, or try again later.")
SHEET_TOO_LARGE = owner_message("This sheet has too many QR codes with logos. Select fewer.")
SHEET_LIMIT = owner_plural_message(
    "A sheet can have at most %(most)s QR code.", "A sheet can have at most %(most)s QR codes.", count="most"
)
SHEET_ARGUMENT = owner_message("Use this only with kind=sheet.")
POSTER_ARGUMENT = owner_message("Use this only with kind=poster or kind=tent.")
PAPER_ARGUMENT = owner_message("Use this only with kind=poster, kind=tent or kind=sheet.")
UNKNOWN_FORMAT = owner_message("Use one of these formats for kind=%(kind)s: %(values)s.")
UNKNOWN_PAPER = owner_message("Use one of these paper sizes for kind=%(kind)s: %(values)s.")
SIZE_OF_VECTOR_FORMAT = owner_message("Omit size: %(format)s files can be scaled to any size.")
INVALID_WIDTH = owner_message("Use a width from %(least)s to %(most)s pixels.")
SCANS_ARGUMENT = owner_message("Use this only with kind=scans.")
SCANS_NEED_ID = owner_message("Provide the id of the QR code with kind=scans.")
