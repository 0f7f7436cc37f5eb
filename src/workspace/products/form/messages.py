"""Error messages that owners and API callers read."""

from __future__ import annotations

from workspace.lib.messages import owner_message, owner_plural_message

# forms and responses
FORM_NOT_FOUND = owner_message("No form has this ID. Find IDs with svc_forms_list.")
RESPONSE_NOT_FOUND = owner_message("No response has this ID. Find IDs with svc_form_responses.")
FORM_OR_RESPONSE_NOT_FOUND = owner_message(
    "No form or response has this ID. Find IDs with svc_forms_list and svc_form_responses."
)
TEMPLATE_NOT_FOUND = owner_message("No form has this ID, and no template has this name. Templates: %(names)s")
VERSION_NOT_FOUND = owner_message("This form has no version %(version)s. The newest is %(newest)s.")
QUESTION_NOT_FOUND = owner_message("This question no longer exists.")
FORM_PAGE_NOT_FOUND = owner_message("This page no longer exists.")
FORM_DELETED = owner_message("This form was deleted. Restore it to export its responses.")
FORM_LIMIT = owner_plural_message(
    "You’ve reached your plan’s limit of %(most)s form. To add more, %(way_out)s",
    "You’ve reached your plan’s limit of %(most)s forms. To add more, %(way_out)s",
    count="most",
)
NOT_SUBMITTED = owner_message("This response wasn’t submitted. Only submitted responses can be marked.")
ANSWERS_ARE_FIXED = owner_message(
    "Submitted answers can’t be changed. Omit answers, or omit response_id to add a response."
)
ANSWERS_NEEDED = owner_message("Provide answers, or response_id and mark.")
MARK_NEEDED = owner_message("Provide mark: read, unread, spam or ham.")
MARK_NOT_ALLOWED = owner_message("Omit mark: added responses are marked as read.")

# definitions
NOTHING_TO_SAVE = owner_message("Provide at least one of items, pages, remove or order.")
FIELDS_AND_PAGES = owner_message("Use either fields or pages, not both.")
PAGES_BELONG_IN_PAGES = owner_message("Use the pages argument for pages.")
PAGES_EMPTY = owner_message("Provide at least one page, or omit pages.")
ORDER_INCOMPLETE = owner_message("List the keys of all fields, each once. Give new fields a key to order them.")
MORE_ERRORS = owner_plural_message("%(count)s more error.", "%(count)s more errors.", count="count")
OBJECT_EXPECTED = owner_message("Expected an object.")
TEXT_EXPECTED = owner_message("Expected text.")
REQUIRED = owner_message("This field is required.")
EMPTY = owner_message("Fill in this field.")
NOT_ONE_OF = owner_message("Use one of %(values)s.")
TOO_LONG = owner_plural_message("Use at most %(most)s character.", "Use at most %(most)s characters.", count="most")
FIELD_NOT_FOUND = owner_message("No field has the key %(key)s.")
PAGE_NOT_FOUND = owner_message("No page has the key %(key)s.")
FORM_TOO_LARGE = owner_message("This form is too large. Shorten its wording or its lists of options.")
FIELDS_FOLLOW_PAGE = owner_message("List the fields after the page, not inside it.")
PAGE_LIMIT = owner_message("A form can have at most %(most)s pages. Remove some.")
FIELD_LIMIT = owner_message("A form can have at most %(most)s fields. Remove some.")
OPTION_LIMIT = owner_message("A form can have at most %(most)s options in total. Remove some.")

INVALID_DEFINITION = owner_message("This is not a valid form definition. Export the form again.")
INVALID_IMPORTED_KEY = owner_message("Use only letters, digits and _.")

# fields
NOT_FOR_TYPE = owner_message("Not allowed for type=%(type)s. Omit it.")
NO_ANSWER_TO_REQUIRE = owner_message("Fields of this type have no answer. Omit required.")
ONLY_HEADINGS = owner_message("Only type=heading can start a section. Omit it.")
ONLY_CALCULATED = owner_message("Only allowed for type=calculated. Omit it.")
CALCULATED_NOT_REQUIRED = owner_message("A calculated field can’t be required. Omit required.")
INVALID_KEY = owner_message("Start with a letter and use only letters, digits and _, at most 40 characters.")
KEY_REPEATED = owner_message("This key is used twice. Choose another key.")
KEY_RESERVED = owner_message("The key end is reserved for the end of the form. Choose another key.")
KEY_USED_BEFORE = owner_message("An earlier field of another type had this key. Choose another key.")
OPTION_REPEATED = owner_message("This option is listed twice. Remove one.")
MAXIMUM_TOO_SMALL = owner_message("The maximum can’t be less than the minimum.")
STEP_TOO_SMALL = owner_message("Enter a number greater than 0.")
WHOLE_NUMBER_OUT_OF_RANGE = owner_message("Enter a whole number from %(least)s to %(most)s.")
NUMBER_EXPECTED = owner_message("Enter a number like 12.5, with at most 15 digits.")
TIME_EXPECTED = owner_message("Enter a time like 14:30.")
DATE_EXPECTED = owner_message("Enter a date like 2027-05-01.")
DATE_OR_TODAY_EXPECTED = owner_message("Enter a date like 2027-05-01, or today.")
INVALID_FILE_TYPES = owner_message("Enter file extensions such as pdf or jpg, or image for all pictures.")
INVALID_DEFAULT = owner_message("Enter a default that is a valid answer.")

# conditions and jumps
CONDITION_EXPECTED = owner_message(
    'Use a condition like {"field": "age", "op": "gte", "value": 18}, or all, any or not.'
)
CONDITIONS_EXPECTED = owner_message("Expected an array with at least one condition.")
CONDITIONS_TOO_DEEP = owner_message("Conditions can be nested at most %(most)s levels deep.")
CONDITION_LIMIT = owner_message("Use at most %(most)s conditions.")
NOT_WITH_OTHER_KEYS = owner_message("Use not without other keys.")
JOINT_WITH_OTHER_KEYS = owner_message("Use %(name)s without other keys. Move the other conditions into its list.")
UNKNOWN_CONDITION_KEY = owner_message("Unknown key. A condition has field, op and value.")
FIELD_KEY_EXPECTED = owner_message("Provide the key of a field.")
FIELD_WITHOUT_ANSWER = owner_message("%(key)s isn’t a question. Choose a field that takes an answer.")
OPERATOR_NEEDED = owner_message("Provide op: one of %(values)s.")
COMPARISON_NOT_SUPPORTED = owner_message("%(key)s supports only these comparisons: %(comparisons)s.")
VALUE_NEEDED = owner_message("Enter a value to compare with.")
VALUE_EMPTY = owner_message("Enter a value to compare with. To check for a missing answer, use is_empty.")
VALUE_LIMIT = owner_message("Use 1 to %(most)s values.")
YES_OR_NO_EXPECTED = owner_message("Enter yes or no, or true or false.")
OPTION_NOT_FOUND = owner_message("“%(option)s” isn’t an option of this field. Use one of its options.")
LATER_PAGE = owner_message("%(key)s is on a later page. Use a field on the same page or an earlier one.")
DEPENDS_ON_ITSELF = owner_message("These fields depend on each other: %(cycle)s. Change one of them.")
JUMP_TARGET_NEEDED = owner_message("Provide the key of a later page, or end.")
JUMP_BACKWARD = owner_message("Jumps only go forward. Use the key of a later page, or end.")

# formulas
FIELDS_NOT_FOUND = owner_plural_message(
    "No field has the key %(keys)s. %(suggestion)s", "No fields have the keys %(keys)s. %(suggestion)s", count="count"
)
FORMULA_FIELDS = owner_message("Available fields: %(keys)s.")
FORMULA_FIELDS_AND_MORE = owner_plural_message(
    "Available fields: %(keys)s and %(count)s more.", "Available fields: %(keys)s and %(count)s more.", count="count"
)
NO_FORMULA_FIELDS = owner_message("Add a number field first, or give options scores.")
FIELD_WITHOUT_SCORES = owner_message("%(key)s has no scores. Give its options scores to use it in a formula.")
FIELD_NOT_NUMERIC = owner_message("%(key)s isn’t a number. Use another field.")
FORMULA_INCOMPLETE = owner_message("The formula ends too early. Add a number or a field.")
BRACE_NOT_CLOSED = owner_message("Close the brace after the field’s key, as in {guests}.")
BRACE_NOT_CLOSED_AFTER = owner_message("Close the brace after the field’s key: {%(key)s}")
BRACE_NOT_OPENED = owner_message("Open the brace before the field’s key, as in {guests}.")
NOT_A_FIELD_KEY = owner_message("“%(text)s” isn’t a field. Use its key in braces, as in {guests}.")
PARENTHESIS_NOT_OPENED = owner_message("Remove the closing parenthesis, or add an opening one.")
PARENTHESIS_NOT_CLOSED = owner_message("Add the missing closing parenthesis.")
PARENTHESES_TOO_DEEP = owner_message("Parentheses can be nested at most %(most)s levels deep.")
SIGN_MISSING = owner_message("Add + - * or / before %(text)s.")
NOT_ALLOWED_IN_FORMULA = owner_message(
    "“%(text)s” isn’t allowed here. Use numbers, fields like {guests}, + - * / ( ), sum, min, max and round."
)
ROUND_SYNTAX = owner_message("Use round({key}) or round({key}, 2), with up to 6 decimals.")

# patterns
PATTERN_NOT_SUPPORTED = owner_message("Use only characters, [a-z], \\d \\w \\s, . ( ) | ? * + and {2,5}.")
PATTERN_INCOMPLETE = owner_message("The pattern ends too early. Complete it.")
PATTERN_TOO_LARGE = owner_message("This pattern is too large. Use fewer repetitions.")
GROUPS_TOO_DEEP = owner_message("Groups can be nested at most %(most)s levels deep.")
GROUP_NOT_CLOSED = owner_message("Close the group with a parenthesis.")
RANGE_REVERSED = owner_message("Write ranges from low to high, such as a-z.")
CHARACTERS_NEEDED = owner_message("Put at least one character between [ and ].")
INVALID_REPETITION = owner_message("Use a repetition like {3}, {2,} or {2,5}.")
REPETITION_REVERSED = owner_message("Put the lower number first, as in {2,5}.")
