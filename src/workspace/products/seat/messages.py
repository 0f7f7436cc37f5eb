"""Messages about errors, warnings and results that owners and API callers read."""

from __future__ import annotations

from workspace.lib.messages import owner_message, owner_plural_message

# names
TABLE_LABEL = owner_message("Table %(name)s")
NAMES_AND_LAST = owner_message("%(names)s and %(last)s")
MORE_PARTIES = owner_plural_message("%(count)s more", "%(count)s more", count="count")

RULE_BROKEN = owner_message("Not met: %(rule)s.")
PARTY_IS_SPLIT = owner_message("The party “%(party)s” is split between %(tables)s.")
GUESTS_WITHOUT_TABLE = owner_plural_message("%(guests)s has no table.", "%(guests)s have no table.", count="count")

# not found
CHART_NOT_FOUND = owner_message("No seating chart has this ID. Find IDs with svc_seat_charts.")
GUEST_NOT_FOUND = owner_message("No guest in this chart has this ID. Find IDs with svc_seat_guests.")
TABLE_NOT_FOUND = owner_message("No table in this chart has this ID. Find IDs with svc_seat_tables.")
PREFERENCE_NOT_FOUND = owner_message("No preference in this chart has this ID. Find IDs with svc_seat_tables.")
ITEM_NOT_FOUND = owner_message(
    "No chart, table or guest has this ID. Find IDs with svc_seat_charts, svc_seat_tables and svc_seat_guests."
)
SEARCH_NOT_FOUND = owner_message(
    "No search in this chart has this ID. Searches are deleted after a week. Start another one with svc_seat_arrange."
)
GUEST_REMOVED = owner_message("This guest is no longer on the chart. Reload the page.")
TABLE_NAME_NOT_FOUND = owner_message("No table is named “%(name)s”. Use one of %(tables)s.")
NO_TABLES_TO_MOVE_TO = owner_message("No table is named “%(name)s”. Add tables first.")

# invalid arguments
NOT_ONE_OF = owner_message("Must be one of %(values)s.")
COLOR_INVALID = owner_message("Enter a color like #17604b.")
NUMBER_NEEDED = owner_message("Enter a number.")
FEET_NEEDED = owner_message("Enter feet and inches, like 6 ft 2 in.")
CENTIMETERS_NEEDED = owner_message("Enter centimeters, like 183.")
NOTHING_TO_SAVE = owner_message("Provide at least one of items or remove.")
NO_GUESTS_TO_SAVE = owner_message("Provide at least one of items, csv or remove.")
ITEM_REPEATED = owner_message("This id is listed twice. Put all changes into one entry.")
ITEM_IS_SAVED = owner_message("This id is also listed in items. Use it only once.")
KIND_IS_FIXED = owner_message("The kind of an item can’t change. Remove it and add another one.")
COUNT_ONLY_FOR_NEW = owner_message("Use count only for new tables: omit id.")
TABLE_NAME_NEEDED = owner_message("Enter a name or number for the table.")
TABLE_NAME_TAKEN = owner_message("This chart already has a table named “%(name)s”. Choose another name.")
ARRIVED_NEEDED = owner_message("This field is required with at or tick_id. Use true or false.")
STEP_AND_SEARCH = owner_message("Use either step or apply_job_id, not both.")
ONLY_FOR_SEARCH = owner_message("Use this only to start a search. Omit apply_job_id and step.")
GUESTS_NEED_SEARCH = owner_message("Use guest_ids only with apply_job_id.")
GUEST_NOT_MOVED = owner_message("This seating plan doesn’t move this guest. Omit the id.")
UNKNOWN_GUEST_OR_PARTY = owner_message(
    "No guest in this chart has this ID, and no party has this name. Find both with svc_seat_guests."
)
ONE_NAME_NEEDED = owner_message("Use one guest or party for near and away.")
TWO_NAMES_NEEDED = owner_message("Use two different guests or parties.")
TABLE_NEEDED = owner_message("Choose a table. Find IDs with svc_seat_tables.")
TABLE_NOT_ALLOWED = owner_message("Use a table only for near and away.")
FORMAT_ONLY_FOR_TABLES = owner_message("Use format only for kind=guests, meals or door. Other kinds are PDFs.")
PAPER_ONLY_FOR_PDFS = owner_message("Use paper only for PDFs, such as kind=poster.")
DESIGN_NOT_AVAILABLE = owner_message("Use design only for posters, cards and table numbers.")
PAPER_NOT_AVAILABLE = owner_message("Use one of these paper sizes: %(papers)s.")
CHECKIN_DATA_INVALID = owner_message("Send JSON with device and ticks.")
GUEST_NAME_NEEDED = owner_message("Enter the name of a guest or party.")
GUEST_NAME_UNKNOWN = owner_message("No guest or party is named “%(name)s”. Check the spelling.")
GUEST_NAME_AMBIGUOUS = owner_message("Several guests are named “%(name)s”. Give them a party or different names.")

# limits and conflicts
TABLE_LIMIT = owner_plural_message(
    "A chart can have at most %(most)s table or object. Create another chart for the others.",
    "A chart can have at most %(most)s tables and objects. Create another chart for the others.",
    count="most",
)
GUEST_LIMIT = owner_plural_message(
    "A chart can have at most %(most)s guest on your plan. To add more, %(way_out)s",
    "A chart can have at most %(most)s guests on your plan. To add more, %(way_out)s",
    count="most",
)
CHART_CHANGED = owner_message(
    "Someone else has changed this chart. It is now at version %(current)s, and you sent version %(known)s. "
    "Get it with svc_seat_tables and try again."
)
NOTHING_TO_UNDO = owner_message("There is nothing to undo. You can undo only your own changes to this chart.")
NOTHING_TO_REDO = owner_message("There is nothing to redo. You can redo a change only right after you undo it.")
REDO_TOO_OLD = owner_message("This change is too old to redo.")
USED_SINCE = owner_message("This can’t be undone because of a later change: %(change)s. Undo that change first.")

# moves that are not allowed
TABLE_FULL = owner_plural_message(
    "%(table)s is full. It has %(seats)s seat.", "%(table)s is full. It has %(seats)s seats.", count="seats"
)
TABLE_TOO_SMALL = owner_plural_message(
    "%(table)s has only %(free)s free seat. Not all of these guests fit.",
    "%(table)s has only %(free)s free seats. Not all of these guests fit.",
    count="free",
)
ADVICE_FOR_FULL_TABLE = owner_message(
    "%(problem)s Choose another table, or use allow_over_capacity to add one more chair."
)
MORE_MOVE_PROBLEMS = owner_plural_message(
    "%(problem)s Another %(count)s guest can’t be moved either.",
    "%(problem)s Another %(count)s guests can’t be moved either.",
    count="count",
)
NOT_A_TABLE = owner_message("“%(name)s” is not a table. Choose a table with seats.")
GUEST_DECLINED = owner_message("%(name)s has declined. Change the reply first.")
TABLE_CLOSED = owner_message("%(table)s is closed. Open it first, or choose another table.")
MOVED_SINCE = owner_message("Someone else has moved %(name)s since then.")
TABLE_OF_GUEST_REMOVED = owner_message("The table of %(name)s was removed.")
GUEST_LOCKED = owner_message("%(name)s is locked to %(table)s.")
MUST_SIT_APART_FROM = owner_message("%(name)s must not sit with %(other)s, who is at %(table)s.")
MUST_NOT_SIT_AT = owner_message("%(name)s must not sit at %(table)s.")
TABLE_REMOVED = owner_message("The table was removed. Restore it first, or seat the guests at another table.")
TABLE_FULL_NOW = owner_plural_message(
    "%(table)s is full. Free %(count)s seat first.", "%(table)s is full. Free %(count)s seats first.", count="count"
)

# warnings
PARTY_WITHOUT_TABLE = owner_plural_message(
    "%(count)s guest of the party “%(party)s” has no table.",
    "%(count)s guests of the party “%(party)s” have no table.",
    count="count",
)
PARTY_AT_OTHER_TABLE = owner_plural_message(
    "%(count)s guest of the party “%(party)s” is at %(table)s.",
    "%(count)s guests of the party “%(party)s” are at %(table)s.",
    count="count",
)
APART_AT_ONE_TABLE = owner_message("%(name)s and %(other)s must sit apart, but both are at %(table)s.")
TABLES_TOO_CLOSE = owner_message(
    "%(table)s and %(other)s are %(gap)s cm apart. Leave at least %(least)s cm between them."
)
TABLE_OUTSIDE_ROOM = owner_message("%(table)s is outside the room. Move it, or make the room larger.")
TABLE_TOO_CLOSE_TO_WALL = owner_message(
    "%(table)s is %(gap)s cm from a wall. Leave at least %(least)s cm so that people can pass."
)
TABLE_CROWDED = owner_plural_message(
    "%(table)s has only %(width)s cm for %(seats)s seat. Guests need %(comfortable)s cm to sit comfortably.",
    "%(table)s has %(seats)s seats, but only %(width)s cm for each. Guests need %(comfortable)s cm to sit comfortably.",
    count="seats",
)

# why guests cannot be seated
NO_TABLES = owner_message("This chart has no tables yet. Add tables with svc_seat_save_tables.")
NO_GUESTS = owner_message("This chart has no guests to seat yet. Add guests with svc_seat_add_guests.")
NOT_ALL_SEATED = owner_message("Not everyone can be seated. %(reasons)s")
SPLIT_HINT = owner_message("With split_parties=true, the party “%(party)s” would be split into %(sizes)s.")
NO_SOLUTION = owner_message(
    "No seating plan meets all required rules. Remove a preference or a lock, or add more seats."
)
NO_SOLUTION_YET = owner_message("No seating plan has been found yet. Try again in a few seconds.")
LOCKED_APART = owner_message("%(guests)s belong to one party but are locked to different tables: %(tables)s.")
APART_IN_PARTY = owner_message("%(first)s and %(second)s must sit apart but belong to the same party.")
PARTY_TOO_LARGE = owner_plural_message(
    "The party “%(party)s” has %(size)s guests, but the largest table has %(seats)s seat.",
    "The party “%(party)s” has %(size)s guests, but the largest table has %(seats)s seats.",
    count="seats",
)
NO_OPEN_TABLE = owner_message("No open table has seats for %(party)s.")
TOO_FEW_SEATS = owner_plural_message(
    "%(guests)s guests need a seat, but only %(seats)s are available. Add %(missing)s more seat.",
    "%(guests)s guests need a seat, but only %(seats)s are available. Add %(missing)s more seats.",
    count="missing",
)
NO_TABLE_FITS = owner_plural_message(
    "None of the tables allowed for %(party)s has %(seats)s seat.",
    "None of the tables allowed for %(party)s has %(seats)s seats.",
    count="seats",
)
ALL_MUST_BE_APART = owner_plural_message(
    "%(parties)s must all sit apart, but there is only %(tables)s table.",
    "%(parties)s must all sit apart, but there are only %(tables)s tables.",
    count="tables",
)
PARTIES_DO_NOT_FIT = owner_message("These can’t all be seated without splitting a party: %(parties)s.")
PARTIES_DO_NOT_FIT_APART = owner_message(
    "These can’t all be seated without splitting a party or seating guests together who must sit apart: %(parties)s."
)

# results of a search
SEARCH_WITHOUT_RESULT = owner_message("No valid seating plan has been found yet.")
SEARCH_RESULT = owner_message("The best seating plan so far has a score of %(score)s.")
SEARCH_START = owner_message("The current seating has a score of %(score)s.")
SEARCH_IS_OPTIMAL = owner_message("No better plan exists.")
SEARCH_MAXIMUM = owner_message("Another plan could score at most %(points)s more.")
SEARCH_MOVES = owner_plural_message("%(count)s guest would move.", "%(count)s guests would move.", count="count")
SEARCH_NEXT_STEP = owner_message(
    "Seat the guests with svc_seat_arrange apply_job_id=%(job)s. Use dry_run to list the moves first."
)

# steps of the history
GUEST_MOVED = owner_message("%(name)s moved to %(table)s")
GUEST_UNSEATED = owner_message("%(name)s unseated")
UNKNOWN_GUEST_MOVED = owner_message("Guest moved to %(table)s")
UNKNOWN_GUEST_UNSEATED = owner_message("Guest unseated")
GUESTS_MOVED = owner_plural_message("%(count)s guest moved", "%(count)s guests moved", count="count")
GUESTS_AUTO_SEATED = owner_plural_message("%(count)s guest auto-seated", "%(count)s guests auto-seated", count="count")
ROOM_CHANGED = owner_message("Room changed")
PREFERENCES_CHANGED = owner_message("Preferences changed")
CHART_UPDATED = owner_message("Chart changed")
ITEM_ADDED = owner_message("%(name)s added")
ITEM_CHANGED = owner_message("%(name)s changed")
ITEM_REMOVED = owner_message("%(name)s removed")
GUESTS_ADDED = owner_plural_message("%(count)s guest added", "%(count)s guests added", count="count")
GUESTS_CHANGED = owner_plural_message("%(count)s guest changed", "%(count)s guests changed", count="count")
GUESTS_REMOVED = owner_plural_message("%(count)s guest removed", "%(count)s guests removed", count="count")
TABLES_ADDED = owner_plural_message("%(count)s table added", "%(count)s tables added", count="count")
TABLES_CHANGED = owner_plural_message("%(count)s table changed", "%(count)s tables changed", count="count")
TABLES_REMOVED = owner_plural_message("%(count)s table removed", "%(count)s tables removed", count="count")

# imported guest lists
NO_NAME_COLUMN = owner_message(
    "No column contains the names of the guests. The columns are %(columns)s. "
    'Set their meaning in columns, for example {"1": "name"}.'
)
NO_COLUMN_NAMES = owner_message(
    "The list has no column names. Add a first line such as name, party, table. "
    'Or set the meaning of each column in columns, for example {"1": "name"}.'
)
COLUMN_UNKNOWN = owner_message("Column %(column)s is unknown. Set its meaning in columns, or leave it out.")
LINE_WITHOUT_NAME = owner_message("The name is missing. This line is skipped.")
LINE_IS_TOTAL = owner_message("“%(name)s” looks like a total. This line is skipped.")
LINE_IS_TITLE = owner_message("“%(name)s” looks like a title. This line is skipped.")
LINE_IS_TABLE = owner_message("“%(name)s” is used as the table of the guests below.")
LINE_IS_TAG = owner_message("“%(name)s” is used as a tag of the guests below.")
LINE_IS_HEADING = owner_message("The column names are repeated. This line is skipped.")
LINE_IS_REPEATED = owner_message("The same guest appears above. This line is skipped.")
COMPANION_LIMIT = owner_plural_message(
    "A guest can have at most %(most)s companion. The others are skipped.",
    "A guest can have at most %(most)s companions. The others are skipped.",
    count="most",
)
COMPANION_WITHOUT_NAME = owner_message("The companion “%(text)s” is imported as a guest without a name.")
MAYBE_A_COUPLE = owner_message("“%(name)s” may be two guests: %(first)s and %(second)s.")
REPEATED_GUEST = owner_message("%(name)s appears twice. The second entry is skipped.")
REPEATED_GUEST_IN_PARTY = owner_message("%(name)s appears twice in the party “%(party)s”. The second entry is skipped.")
NEW_TABLE_NAME = owner_message("The chart has no table “%(table)s”. Its guests stay unseated.")
GUEST_OF_NEW_TABLE = owner_message("The chart has no table “%(table)s”. The guest stays unseated.")
NO_SEAT_FOR = owner_message("%(table)s has no free seat for %(name)s, who stays unseated.")
NO_SEAT = owner_message("%(table)s has no free seat. The guest stays unseated.")
CELL_TRUNCATED = owner_plural_message(
    "“%(field)s” is shortened to %(most)s character.", "“%(field)s” is shortened to %(most)s characters.", count="most"
)
FIELD_LABELS = {
    "name": owner_message("Name"),
    "sort name": owner_message("Sort name"),
    "meal": owner_message("Meal"),
    "phone": owner_message("Phone"),
    "tag": owner_message("Tag"),
    "note": owner_message("Note"),
}
EMAIL_INVALID = owner_message("“%(text)s” is not an email address, so it is skipped.")
SEAT_INVALID = owner_message("“%(text)s” is not a seat number, so it is skipped.")
COURSE_LIMIT = owner_plural_message(
    "Only the first %(most)s course is imported.", "Only the first %(most)s courses are imported.", count="most"
)
TAG_LIMIT = owner_plural_message(
    "Only the first %(most)s tag is imported.", "Only the first %(most)s tags are imported.", count="most"
)
REPLY_IS_YES = owner_message("The reply “%(text)s” is imported as yes.")
REPLY_IS_NO = owner_message("The reply “%(text)s” is imported as no.")
REPLY_UNKNOWN = owner_message("The reply “%(text)s” is unknown. The guest is imported as waiting for a reply.")
