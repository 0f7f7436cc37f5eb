"""Error messages that owners and API callers read."""

from __future__ import annotations

from workspace.lib.messages import owner_message, owner_plural_message

MENU_NOT_FOUND = owner_message("No menu has this ID. Find IDs with svc_menu_list.")
SECTION_NOT_FOUND = owner_message("No section in this menu has this ID. Find IDs with svc_menu_items.")
ITEM_NOT_FOUND = owner_message("No item in this menu has this ID. Find IDs with svc_menu_items.")
MENU_OR_PART_NOT_FOUND = owner_message(
    "No menu, section or item has this ID. Find IDs with svc_menu_list and svc_menu_items."
)
ENTRY_NOT_FOUND = owner_message("This entry is no longer on the menu. Reload the page.")
NOTHING_TO_SAVE = owner_message("Provide at least one of items, remove or order.")
REPLACES_AND_COPY = owner_message("Use either replaces or copy_of, not both.")
NAME_OR_ID_NEEDED = owner_message("Provide a name for a new entry, or the id of an existing one.")
ENTRY_REPEATED = owner_message("This entry is listed twice. Put all changes into one entry.")
ENTRY_IS_SAVED = owner_message("This entry is also listed in items. Use it only once.")
SECTION_TWICE = owner_message("Use either section_id or section, not both.")
SECTION_NEEDED = owner_message("Provide section_id, or section with the name of a section.")
SECTION_IS_DELETED = owner_message(
    "The section “%(name)s” was deleted. Restore it first: find its deletion with svc_activity."
)
NOT_SOLD_OUT = owner_message("Use this only for an item that is sold out.")
NOT_ONE_OF = owner_message("Use one of %(values)s.")
MENU_LIMIT = owner_plural_message(
    "You’ve reached your plan’s limit of %(most)s menu. To add more, %(way_out)s",
    "You’ve reached your plan’s limit of %(most)s menus. To add more, %(way_out)s",
    count="most",
)
SECTION_LIMIT = owner_plural_message(
    "Your plan allows %(most)s section per menu. To add more, %(way_out)s",
    "Your plan allows %(most)s sections per menu. To add more, %(way_out)s",
    count="most",
)
ITEM_LIMIT = owner_plural_message(
    "Your plan allows %(most)s item per menu. To add more, %(way_out)s",
    "Your plan allows %(most)s items per menu. To add more, %(way_out)s",
    count="most",
)
NO_PHOTOS = owner_message("Your plan doesn’t include photos of dishes. To add photos, %(upgrade)s.")
CONTRADICTION = owner_message(
    "“%(name)s” is tagged “%(diet)s”, but its allergens include %(allergens)s. "
    "Guests don’t see the tag until you correct this."
)
LANGUAGE_IS_ORIGINAL = owner_message(
    "%(language)s is the original language of this menu. Use the fields themselves instead of translations."
)
LANGUAGE_NOT_ON_MENU = owner_message(
    "This menu has no translations in %(language)s. First add the language to languages with svc_menu_edit."
)

INVALID_PRICE = owner_message(
    "%(problem)s. For “from 8”, set price to 8 and price_from with svc_menu_save_items. "
    "For wording such as “market price”, use price_note."
)
PRICE_DOES_NOT_FIT = owner_message("The price of “%(name)s” doesn’t fit this currency. %(problem)s")
PERCENT_OR_AMOUNT = owner_message("Use either percent or amount.")
ROUND_TO_TOO_SMALL = owner_message("Use at least the smallest unit of the currency, such as 0.01.")
PRICE_TOO_LOW = owner_message("The price of “%(name)s” would be zero or less. Select fewer items.")
PRICE_TOO_HIGH = owner_message("The price of “%(name)s” would be too high. Use a smaller change.")

MENU_EMPTY = owner_message("Paste your menu or choose a file.")
NO_DISHES = owner_message("We found no dishes. Write one dish per line, with its price at the end.")
TEXT_IN_LEGEND = owner_message("Line %(line)s: “%(text)s” was skipped because it is part of the legend.")
MENU_TOO_LONG = owner_message(
    "Use at most %(lines)s lines and %(characters)s characters. Import the menu in several parts."
)
NO_NAME_COLUMN = owner_message("Choose the column that contains the names of the dishes. Nothing has been saved yet.")
NAME_COLUMN_NEEDED = owner_message("Name the column that contains the dishes “name”.")
NAME_NEEDED = owner_message("Enter a name.")
SEVERAL_PRICES = owner_message("This line has several prices. Name their sizes, like: Soup: small 4.50; large 6")
SEVERAL_PRICE_COLUMNS = owner_message(
    "This line has several prices. Add a first line that names the columns, like: name, price"
)
INVALID_CHOICE = owner_message("“%(text)s” is not a name with a price. Use a format like: Small 9.50; Large 14")
NEITHER_YES_NOR_NO = owner_message("Use yes or no instead of “%(text)s”.")
UNKNOWN_DIET = owner_message("“%(text)s” is not a known diet. Use one of %(known)s.")
UNKNOWN_ALLERGEN = owner_message("“%(text)s” is not one of the 14 allergens. Use one of %(known)s.")
