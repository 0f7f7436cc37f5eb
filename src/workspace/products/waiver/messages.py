"""Error messages that guests read while they sign, and that owners and API callers read."""

from __future__ import annotations

from workspace.lib.messages import guest_message, guest_plural_message, owner_message, owner_plural_message

REQUIRED = guest_message("Fill in this field.")
TEXT_CHANGED = guest_message("This text has changed. Read it again before you sign.")
NO_PARTICIPANT = guest_message("Enter at least one participant.")
NO_CONSENT = guest_message("Check this box to sign.")
GUARDIAN_NEEDED = guest_message("A parent or guardian must sign for you.")
TOO_YOUNG = guest_message("You must be at least %(age)s years old to sign.")
NO_OTHER_PEOPLE = guest_message("You can’t sign for other people here.")
ADULT_PARTICIPANT = guest_message("This person is an adult and must sign for themselves.")
DUPLICATE_PERSON = guest_message("This person is listed twice. Remove one entry.")
NO_INITIALS = guest_message("Enter your initials.")
UNKNOWN_CLAUSE = guest_message("This clause doesn’t exist. Reload the page.")
UNKNOWN_QUESTION = guest_message("This question doesn’t exist. Reload the page.")
DRAW_SIGNATURE = guest_message("Draw your signature.")
TYPE_NAME = guest_message("Type your name.")
INCOMPLETE_SIGNATURE = guest_message("Draw your full name, or type it instead.")
UNREADABLE_SIGNATURE = guest_message("We couldn’t read your signature. Draw it again, or type your name.")
UNPRINTABLE_NAME = guest_message("We can’t print these characters: %(letters)s. Write the name with other letters.")
NOT_OPEN = guest_message("This waiver isn’t open for signing right now.")
INVALID_PHONE = guest_message("Enter a phone number like +43 1 234 56 78.")
INVALID_DATE = guest_message("Enter a date like 2026-12-31.")
INVALID_DATE_PARTS = guest_message("Enter the day, month and year as numbers. Use four digits for the year.")
NO_SUCH_DATE = guest_message("This date doesn’t exist. Check the day and month.")
IMPLAUSIBLE_YEAR = guest_message("Check the year of birth.")
UNKNOWN_OPTION = guest_message("Choose one of the options.")
INVALID_NUMBER = guest_message("Enter a number.")
CHECK_FIELDS = guest_message("Check the fields marked below.")
TOO_MANY_SIGNINGS = guest_message(
    "Too many people have signed from this connection. Try again in an hour, or ask at reception."
)
TOO_MANY_PINS = guest_message("Too many attempts. Try again in ten minutes.")
WRONG_PIN = guest_message("Wrong PIN. Try again.")
TOO_MANY_PEOPLE = guest_plural_message(
    "You can add %(most)s person at once. Sign again for the others.",
    "You can add up to %(most)s people at once. Sign again for the others.",
    count="most",
)

WAIVER_NOT_FOUND = owner_message(
    "No waiver or signature has this ID. Find IDs with svc_waivers_list or svc_waiver_search."
)
WAIVERS_NOT_FOUND = owner_message("No waiver has this ID. Find IDs with svc_waivers_list.")
SIGNATURES_NOT_FOUND = owner_message(
    "No signature has this ID. Find IDs with svc_waiver_signatures or svc_waiver_search."
)
SIGNATURE_NOT_FOUND = owner_message("This signature no longer exists.")
VERSION_NOT_FOUND = owner_message("This waiver has no version %(number)s. svc_waiver_get lists its versions.")
TEXT_OR_CLAUSES_NEEDED = owner_message("Enter text, clauses or both.")
TEXT_OR_CLAUSES_LEFT = owner_message("A waiver needs text or at least one clause. Add text or a clause.")
MATERIAL_NEEDED = owner_message("Choose whether people have to sign again: material is true or false.")
ASK_AGAIN_NEEDS_MATERIAL = owner_message("Use ask_again only with material=true.")
WAIVER_LIMIT = owner_plural_message(
    "You’ve reached your plan’s limit of %(most)s waiver. To add more, %(way_out)s",
    "You’ve reached your plan’s limit of %(most)s waivers. To add more, %(way_out)s",
    count="most",
)
INVITATION_LIMIT = owner_message(
    "You can email %(limit)s people a day. You have %(remaining)s left today. Share the link with the others."
)
NOT_ACCEPTING = owner_message("This waiver isn’t open for signing. Set accepting=true with svc_waiver_edit.")
PERSON_NEEDED = owner_message("Enter a name, an email address or a phone number.")
PERSON_TOO_LONG = owner_message("Use at most %(most)s characters for each person.")
TOO_MANY_PEOPLE_ASKED = owner_message("Check at most %(most)s people at once.")
VOIDED_SIGNATURE = owner_message("This signature was voided. Ask the person to sign again.")
ALREADY_CHECKED_IN = owner_message("This person was checked in a moment ago.")
PDF_NOT_READY = owner_message(
    "The signed PDF isn’t ready yet, or it was erased with the person. Try again in a minute."
)
UNPRINTABLE_CHARACTERS = owner_message("These characters can’t be printed: %(letters)s. Use other characters.")
FLAG_INVALID = owner_message('Use true, or a list of the answers to flag, such as ["yes"].')
DUPLICATE_OPTION = owner_message("This option is listed twice. Remove one.")
DUPLICATE_KEY = owner_message("This key is used twice. Keys must be unique.")
OPTIONS_NEEDED = owner_message("Enter at least one option.")
OPTIONS_NOT_ALLOWED = owner_message("Only single_choice and multi_choice questions have options.")
QUESTION_TYPE_INVALID = owner_message("Use one of these types: %(types)s.")
SPAN_INVALID = owner_message(
    'Use a period like {"years": 1}, {"months": 6}, {"days": 30} or "1 year", or "end_of_year" or "never".'
)
SPAN_UNIT_NEEDED = owner_message("Use exactly one of years, months, days and until.")
SPAN_DATE_INVALID = owner_message("Use a date like 2026-12-31.")
SPAN_OUT_OF_RANGE = owner_message("Use a number from 1 to %(most)s for %(unit)s.")
PIN_NEEDED = owner_message("Enter a PIN of 4 to 8 digits to exit the kiosk.")
PIN_INVALID = owner_message("Use 4 to 8 digits.")
PIN_NOT_TEXT = owner_message('Use 4 to 8 digits, as text such as "2468".')
SECONDS_INVALID = owner_message("Use a number of seconds from 3 to 120.")
KEY_INVALID = owner_message("Use up to 40 characters: a-z, 0-9 and _.")
VALUE_NEEDED = owner_message("Fill in this field.")
OBJECT_EXPECTED = owner_message("Use an object.")
ARRAY_EXPECTED = owner_message("Use an array.")
SIGNATURE_KIND_INVALID = owner_message("Use typed or drawn.")
TOKEN_INVALID = owner_message("Use 8 to 64 letters and digits. Use the same value for each attempt to sign.")
