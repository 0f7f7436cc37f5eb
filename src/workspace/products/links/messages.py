"""Error messages that owners and API callers read."""

from __future__ import annotations

from workspace.lib.messages import owner_message, owner_plural_message

PAGE_NOT_FOUND = owner_message("No link page has this ID. Find IDs with svc_links_pages.")
PAGE_OR_ELEMENT_NOT_FOUND = owner_message("No link page or element has this ID. Find IDs with svc_links_pages.")
ELEMENT_NOT_FOUND = owner_message("No element on this page has this ID. Find IDs with svc_links_pages.")
ELEMENT_REPEATED = owner_message("This element is listed twice. Use it only once.")
ELEMENT_IS_REMOVED = owner_message("This element is also listed in remove. Use it only once.")
PAGE_IN_REMOVE = owner_message("This is the id of the page. Use svc_links_delete to delete a page.")
NOTHING_TO_SAVE = owner_message("Provide at least one of items, remove or order.")
KIND_IS_FIXED = owner_message(
    "The kind of an element can’t change from %(kind)s. Remove the element and add another one."
)
FIELD_NEEDED = owner_message("This field is required.")
FIELD_EMPTY = owner_message("Fill in this field.")
FIELD_NOT_ALLOWED = owner_message("Not allowed for kind=%(kind)s. Use only %(allowed)s.")
FIELD_NOT_ALLOWED_BY_DEFAULT = owner_message(
    "Not allowed for kind=%(kind)s, the default. Set kind, or use only %(allowed)s."
)
END_BEFORE_START = owner_message("The end must be after the start.")
UNKNOWN_SOURCE = owner_message("A live block can’t show this. Provide the id of an item with one of these: %(kinds)s.")
NO_LIVE_BLOCKS = owner_message("Live blocks are not available on this instance.")
PAGE_LIMIT = owner_plural_message(
    "You’ve reached your plan’s limit of %(most)s link page. To add more, %(way_out)s",
    "You’ve reached your plan’s limit of %(most)s link pages. To add more, %(way_out)s",
    count="most",
)
BUTTON_LIMIT = owner_plural_message(
    "A page can have at most %(most)s button. Remove one or create another page.",
    "A page can have at most %(most)s buttons. Remove one or create another page.",
    count="most",
)
OTHER_ELEMENT_LIMIT = owner_plural_message(
    "A page can have at most %(most)s heading, text block or live block in total. Remove one first.",
    "A page can have at most %(most)s headings, text blocks and live blocks in total. Remove one first.",
    count="most",
)
TARGET_TOO_LONG = owner_plural_message(
    "Use at most %(most)s character.", "Use at most %(most)s characters.", count="most"
)
CONTROL_CHARACTERS = owner_message("Remove line breaks and other control characters.")
QUERY_NOT_ALLOWED = owner_message("After the address, use only these: %(fields)s.")
NUMBER_HAS_QUERY = owner_message("Remove everything after the phone number.")
REDIRECT_LOOP = owner_message("This is one of our short links. Enter the page that it opens.")
EMOJI_NEEDED = owner_message("Enter an emoji, such as ☕.")
NOT_ONE_OF = owner_message("Use one of %(values)s.")
NETWORK_REPEATED = owner_message("Use each network only once.")
NOT_A_PAGE_FILE = owner_message("This file is not an exported link page. Choose another file.")
FILE_NEEDED = owner_message("Choose an exported file.")
FILE_TOO_LARGE = owner_message("This file is too large (max. 4 MB).")
