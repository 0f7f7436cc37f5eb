"""Error messages, and notes about saved changes, that owners and API callers read."""

from __future__ import annotations

from workspace.lib.messages import owner_message, owner_plural_message

PROGRAM_NOT_FOUND = owner_message("No program has this ID. Find IDs with svc_event_list.")
SESSION_NOT_FOUND = owner_message("No session in this program has this ID. Find IDs with svc_event_get.")
SPEAKER_NOT_FOUND = owner_message("No speaker in this program has this ID. Find IDs with svc_event_get.")
BLOCK_NOT_FOUND = owner_message("No sponsor, ad or info page of this program has this ID. Find IDs with svc_event_get.")
DAY_NOT_FOUND = owner_message("No day in this program has this ID. Find IDs with svc_event_get.")
ROOM_NOT_FOUND = owner_message("No room in this program has this ID. Find IDs with svc_event_get.")
PROGRAM_OR_PART_NOT_FOUND = owner_message(
    "No program or part of a program has this ID. Find IDs with svc_event_list and svc_event_get."
)

# days, rooms and tracks
DATE_REPEATED = owner_message("This date is listed twice. Use each date once.")
ROOM_NAME_REPEATED = owner_message("Two rooms have this name. Use each name once.")
TRACK_NAME_REPEATED = owner_message("Two tracks have this name. Use each name once.")
DAY_HAS_SESSIONS = owner_plural_message(
    "“%(day)s” has %(count)s session. Move or delete it first.",
    "“%(day)s” has %(count)s sessions. Move or delete them first.",
    count="count",
)
DAY_IS_DELETED = owner_message("The day “%(day)s” was deleted. Restore it first: find its deletion with svc_activity.")
DAYS_NEEDED = owner_message("This program has no days yet. Add days with svc_event_edit.")
UNKNOWN_DAY = owner_message("This isn’t a day of the program. Use one of %(known)s.")
DAY_LIMIT = owner_plural_message(
    "A program can have at most %(most)s day.", "A program can have at most %(most)s days.", count="most"
)
ROOM_LIMIT = owner_plural_message(
    "A program can have at most %(most)s room.", "A program can have at most %(most)s rooms.", count="most"
)
TRACK_LIMIT = owner_plural_message(
    "A program can have at most %(most)s track.", "A program can have at most %(most)s tracks.", count="most"
)
ROOM_REMOVED = owner_plural_message(
    "Room “%(room)s” removed. %(count)s session no longer has a room.",
    "Room “%(room)s” removed. %(count)s sessions no longer have a room.",
    count="count",
)

# sessions
SESSIONS_NEEDED = owner_message("Provide at least one of items, csv, remove or order.")
CSV_ALONE = owner_message("Use csv alone. Send items, remove and order in another call.")
SESSION_LIMIT = owner_plural_message(
    "A program can have at most %(most)s session. Delete some first.",
    "A program can have at most %(most)s sessions. Delete some first.",
    count="most",
)
ID_REPEATED = owner_message("This id is listed twice. Update it once, or remove it.")
SPEAKERS_TWICE = owner_message("Use either speaker_ids or speakers, not both.")
OTHER_DAY = owner_message("That session is on another day. Choose a session on the same day.")
START_NEEDED = owner_message("Enter a start time to go with this end time.")
END_IS_START = owner_message("The start and end times are the same. Change the end time, or leave it out.")
ORDER_INCOMPLETE = owner_message("List every session of that day once. “%(title)s” is missing.")
CREATED_PARTS = owner_message("Created: %(names)s.")
EARLY_START = owner_message(
    "“%(title)s” starts at %(time)s on %(date)s, in the early morning. If you meant the following night, use %(later)s."
)
EARLY_START_WITHOUT_LATER_DAY = owner_message(
    "“%(title)s” starts at %(time)s on %(date)s, in the early morning. "
    "If you meant the following night, use the next date."
)
CONFLICT_IN_ROOM = owner_message("%(first)s and %(second)s overlap on %(days)s. Both are in %(room)s.")
CONFLICT_OF_SPEAKER = owner_message("%(first)s and %(second)s overlap on %(days)s. %(speaker)s speaks at both.")

# the import of sessions
COLUMN_NAMES_NEEDED = owner_message(
    "Name the columns in the first line, such as day, start, end, title, location, speakers."
)
UNKNOWN_LINE_ID = owner_message("No session in this program has this ID, or two lines have it. Leave the id empty.")
TITLE_NEEDED = owner_message("Enter a title.")
INVALID_TIME = owner_message("“%(text)s” isn’t a time. Use a time from 00:00 to 23:59, like 09:30.")
INVALID_DATE = owner_message("“%(text)s” isn’t a date. Use the format YYYY-MM-DD.")
AMBIGUOUS_DATE = owner_message("“%(text)s” could mean two dates. Use the format YYYY-MM-DD.")
UNKNOWN_KIND = owner_message("“%(text)s” isn’t a type of session. Use one of %(known)s.")

# speakers and blocks
NOTHING_TO_SAVE = owner_message("Provide at least one of items, remove or order.")
SPEAKER_LIMIT = owner_plural_message(
    "A program can have at most %(most)s speaker. Delete some first.",
    "A program can have at most %(most)s speakers. Delete some first.",
    count="most",
)
BLOCK_LIMIT = owner_message(
    "A program can have at most %(most)s sponsors, ads and info pages in total. Delete some first."
)
AD_EMPTY = owner_message("Add an image, a title or text.")
AD_END_INVALID = owner_message("The end must be after the start.")
SPONSOR_NAME_NEEDED = owner_message("Enter the sponsor’s name.")
HEADING_NEEDED = owner_message("Enter a heading.")

# programs
PROGRAM_LIMIT = owner_plural_message(
    "You’ve reached your plan’s limit of %(most)s program. To add more, %(way_out)s",
    "You’ve reached your plan’s limit of %(most)s programs. To add more, %(way_out)s",
    count="most",
)
COPY_AND_PARTS = owner_message(
    "Use either copy_of, or days, rooms, tracks and sessions. You can change a copy afterwards."
)
COPY_NEEDED = owner_message("Use first_day only with copy_of. For a new program, use days.")
CREDIT_NEEDED = owner_message("You have no unused event credits. To publish, buy one.")
CREDIT_OR_PLAN_NEEDED = owner_message("You have no unused event credits. To publish, buy one, or %(upgrade)s.")
PUBLISHED = owner_message("Published “%(title)s”")
IMPORTED_AS_DRAFT = owner_message(
    "“%(title)s” was imported as a draft. To publish it, use an event credit or choose a larger plan."
)
