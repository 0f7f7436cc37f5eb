"""Messages about arguments of tools: what is wrong, and what to provide."""

from __future__ import annotations

from workspace.lib.messages import guest_message, owner_message, owner_plural_message

# Guests read these in their forms, too: `public_site/guest_form.py` marks them for translation.
PLAIN_LINE_REQUIRED = guest_message("Use plain text on one line")
PLAIN_TEXT_REQUIRED = guest_message("Use plain text only")
EMPTY = guest_message("Fill in this field")

TOO_LONG = owner_message("Use at most %(most)s characters")
TOO_SHORT = owner_message("Use at least %(least)s characters")
TOO_MANY_ENTRIES = owner_message("Use at most %(most)s entries")
EMPTY_LIST = owner_message("Pass at least one entry")
TOO_FEW_ENTRIES = owner_message("Use at least %(least)s entries")
TOO_SMALL = owner_message("Must be at least %(least)s")
TOO_LARGE = owner_message("Must be at most %(most)s")
NOT_ALLOWED_VALUE = owner_message("Must be %(allowed)s")
NOT_VALID = owner_message("This value is not valid")

REQUIRED = owner_message("Required")
TEXT_EXPECTED = owner_message("Expected text")
WHOLE_NUMBER_EXPECTED = owner_message("Expected a whole number")
NUMBER_EXPECTED = owner_message("Expected a number")
FLAG_EXPECTED = owner_message("Expected true or false")
ARRAY_EXPECTED = owner_message("Expected an array")
OBJECT_EXPECTED = owner_message("Expected an object")
ARGUMENTS_EXPECTED = owner_message("Expected an object of arguments")
REPEATED = owner_message("This name is used more than once")
CONFLICTING_NAMES = owner_message("This differs from %(other)s. Pass only one of them")

INVALID_DATE = owner_message("Enter the date as YYYY-MM-DD")
DATE_OUT_OF_RANGE = owner_message("Enter a date from %(first)s to %(last)s")
INVALID_TIME = owner_message("Enter the time as 2026-12-31T18:00:00Z")
INVALID_CLOCK_TIME = owner_message("Enter the time as HH:MM, from 00:00 to 23:59")

UNKNOWN_ARGUMENT = owner_message("Unknown argument")
UNKNOWN_ARGUMENT_SIMILAR = owner_message("Unknown argument: did you mean %(name)s?")
UNKNOWN_ARGUMENT_OF_READING_TOOL = owner_message("Unknown argument: this tool is read-only")
UNKNOWN_ARGUMENT_BESIDE_LIST = owner_message("Unknown argument: pass it next to the list, not in an entry")
UNKNOWN_ARGUMENT_INSIDE = owner_message("Unknown argument: pass it inside %(place)s")
UNKNOWN_ARGUMENT_OF_TOOL = owner_message("Unknown argument: use %(tool)s")
UNKNOWN_ARGUMENT_INSIDE_OF_TOOL = owner_message("Unknown argument: use %(tool)s and pass it in %(place)s")
UNKNOWN_ENTRY_ARGUMENT = owner_message("Unknown argument: an entry accepts %(names)s")
UNKNOWN_KEY = owner_message("Unknown key: %(noun)s accepts %(names)s")
MORE_ERRORS = owner_plural_message(
    "%(count)s more argument is wrong", "%(count)s more arguments are wrong", count="count"
)
