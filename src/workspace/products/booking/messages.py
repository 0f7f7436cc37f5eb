"""Error messages that clients read while they book, and that owners and API callers read."""

from __future__ import annotations

from workspace.lib.messages import guest_message, guest_plural_message, owner_message, owner_plural_message

# for clients
TIME_PASSED = guest_message("This time is in the past. Choose another time.")
TIME_TOO_SOON = guest_message("This time is too soon. Choose a later time.")
TIME_TOO_FAR_AHEAD = guest_plural_message(
    "Choose a day within %(days)s day.", "Choose a day within %(days)s days.", count="days"
)
DAY_FULL = guest_message("This day is fully booked. Choose another day.")
TIME_TAKEN = guest_message("This time was just booked. Choose another time.")
TIME_NOT_OFFERED = guest_message("This time isn’t available. Choose another time.")
TIME_NEEDED = guest_message("Choose a time.")
BOOKING_CHANGED = guest_message("This booking has changed. Check the details and try again.")
WRONG_PAGE = guest_message("We couldn’t submit this form. Reload the page and try again.")
TOO_MANY_ATTEMPTS = guest_message("Too many attempts. Try again in an hour.")
REASON_TOO_LONG = guest_message("Your message has %(length)s characters. Shorten it to %(most)s.")
PREVIEW_ONLY = guest_message("This is a preview. Nothing was booked.")
NOTHING_TO_PAY = guest_message("There’s nothing left to pay.")
INVALID_EMAIL = guest_message("Enter an email address like jane@example.com.")
UNKNOWN_OPTION = guest_message("Choose one of these options.")

# why a time is unavailable, for owners
UNAVAILABLE = owner_message("%(time)s isn’t available. %(reason)s %(nearest)s")
REASON_PASSED = owner_message("This time is in the past.")
REASON_CLOSED = owner_message("The page is closed on this date.")
REASON_HOURS = owner_message("An appointment of %(duration)s doesn’t fit within the opening hours.")
REASON_GRID = owner_message("Appointments start every %(interval)s after opening.")
REASON_NOTICE = owner_message("This time is too soon. The minimum notice is %(notice)s.")
REASON_HORIZON = owner_plural_message(
    "This time is outside the booking window of %(days)s day.",
    "This time is outside the booking window of %(days)s days.",
    count="days",
)
REASON_CAP = owner_plural_message(
    "This day already has %(count)s booking, the daily limit.",
    "This day already has %(count)s bookings, the daily limit.",
    count="count",
)
REASON_OVERLAP = owner_message("This time is taken: %(what)s.")
REASON_OWN_BUFFER = owner_message("The buffer of this service overlaps another time: %(what)s.")
REASON_OTHER_BUFFER = owner_message("This time overlaps the buffer of another booking: %(what)s.")
REASON_BOTH_BUFFERS = owner_message("The buffers of both times overlap: %(what)s.")
# what takes a time, as a label after a colon
BUSY_BOOKING = owner_message("booking of %(about)s, %(span)s")
BUSY_PAYING = owner_message("unpaid booking of %(about)s, %(span)s")
BUSY_REQUEST = owner_message("request of %(about)s, %(span)s")
BUSY_BLOCK = owner_message("blocked, %(span)s")
BUSY_EVENT = owner_message("“%(about)s” in your calendar, %(span)s")
BUSY_UNKNOWN = owner_message("another booking")
UNNAMED_EVENT = owner_message("an event")
NEAREST_TIMES = owner_message("Available times nearby: %(times)s")
NO_NEAREST_TIMES = owner_message("No times are available within a week.")

# for owners
PAGE_NOT_FOUND = owner_message("No booking page has this ID. Find IDs with svc_booking_pages.")
SERVICE_NOT_FOUND = owner_message("This page has no service with this ID. svc_booking_get lists its services.")
BOOKING_NOT_FOUND = owner_message("No booking has this ID. Find IDs with svc_booking_list.")
ITEM_NOT_FOUND = owner_message("No page, service or block has this ID. svc_booking_get lists them with their IDs.")
BLOCK_NOT_FOUND = owner_message("No block has this ID. svc_booking_get lists blocks with their IDs.")
BLOCK_OR_DATE_NOT_FOUND = owner_message("No block has this ID, and no date has these special hours.")
BOOKING_CHANGED_SINCE = owner_message("This booking has changed. Reload it and try again.")
BOOKING_NOT_LIVE = owner_message("This booking is %(status)s. Create a new booking.")
BOOKING_EXPIRED = owner_message("This booking has expired. Its time is available again.")
OUTCOME_NEEDS_CONFIRMED = owner_message(
    "This booking is %(status)s. You can record attendance only for confirmed bookings."
)
OUTCOME_TOO_EARLY = owner_message("This appointment hasn’t started. Record attendance after it starts.")
ALREADY_ATTENDED = owner_message("%(name)s is already marked as attended.")
DIFFERENT_REQUEST = owner_message(
    "This form was already submitted with different details. Reload the page and try again."
)
WAITS_FOR_PAYMENT = owner_message("This booking is waiting for payment. You can’t approve or decline it.")
REQUEST_EXPIRED = owner_message("This request has expired. Create a new booking.")
NOT_A_REQUEST = owner_message("This booking is %(status)s. Only open requests can be approved or declined.")
PAGE_LIMIT = owner_plural_message(
    "You’ve reached your plan’s limit of %(most)s booking page. To add more, %(way_out)s",
    "You’ve reached your plan’s limit of %(most)s booking pages. To add more, %(way_out)s",
    count="most",
)
SERVICE_LIMIT = owner_plural_message(
    "You’ve reached your plan’s limit of %(most)s service on this page. To add more, %(way_out)s",
    "You’ve reached your plan’s limit of %(most)s services on this page. To add more, %(way_out)s",
    count="most",
)
UPCOMING_BOOKINGS = owner_plural_message(
    "“%(page)s” has %(count)s upcoming booking. Cancel it first, or pause the page.",
    "“%(page)s” has %(count)s upcoming bookings. Cancel them first, or pause the page.",
    count="count",
)
PAGE_OR_BOOKING_NEEDED = owner_message(
    "Provide page_id or booking_id. Find IDs with svc_booking_pages and svc_booking_list."
)
OTHER_CURRENCY = owner_message("Some services have prices in another currency. Clear these prices first.")
NOTHING_TO_SAVE = owner_message("Provide at least one of items, remove or order.")
SERVICE_IS_FIXED = owner_message("You can’t change the service of a booking. Cancel the booking and create a new one.")
REQUEST_AND_START = owner_message("Use either request or start, not both.")
START_NEEDED = owner_message("Enter a start time like 2026-06-01T09:30.")
REQUEST_NEEDS_ID = owner_message("Use request only for an existing booking: provide its id.")
UNKNOWN_QUESTION = owner_message("Use one of this service’s questions: %(known)s.")
NO_QUESTIONS = owner_message("This service has no questions. Omit answers.")
EXPLAIN_LIMIT = owner_plural_message(
    "Use explain for at most %(most)s day at a time.", "Use explain for at most %(most)s days at a time.", count="most"
)
DATE_OUT_OF_RANGE = owner_message("Use a date in this century, like 2026-06-01.")
HOURS_OVERLAP = owner_message("%(first)s and %(second)s overlap on the same day. Merge them into one.")
DAYS_NOT_ALLOWED = owner_message("Omit days: these hours are for specific dates.")
PRICE_NEEDED = owner_message("Enter a price: the full price is paid online.")
DEPOSIT_NEEDED = owner_message("Enter the deposit.")
DEPOSIT_TOO_HIGH = owner_message("The deposit can’t be higher than the price.")
PAYMENT_NOT_CONNECTED = owner_message("Connect %(providers)s under Account, Payments, to take payments online.")
AMOUNT_NOT_CHARGEABLE = owner_message("This amount in %(currency)s can’t be paid online. Change the amount.")
SERVICE_IS_REMOVED = owner_message("This service is also listed in remove. Use it only once.")
OVERRIDE_SPAN_INVALID = owner_plural_message(
    "The last day can’t be before the first. Block at most %(most)s day at a time.",
    "The last day can’t be before the first. Block at most %(most)s days at a time.",
    count="most",
)
OVERRIDE_LIMIT = owner_plural_message(
    "A page can have special hours on at most %(most)s date.",
    "A page can have special hours on at most %(most)s dates.",
    count="most",
)
BLOCK_END_INVALID = owner_message("The end must be after the start.")
BLOCK_LIMIT = owner_plural_message(
    "You can block at most %(most)s time. Remove old ones first.",
    "You can block at most %(most)s times. Remove old ones first.",
    count="most",
)
