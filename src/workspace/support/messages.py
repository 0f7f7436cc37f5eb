"""Error messages that owners, administrators and API callers read."""

from __future__ import annotations

from workspace.lib.messages import owner_message

# tickets
TICKET_NOT_FOUND = owner_message("No ticket has this ID. List yours with svc_support_tickets.")
TICKET_FULL = owner_message(
    "This ticket has reached the limit of %(maximum)s messages. Open a new one and mention this one."
)
TICKET_CLOSED = owner_message("This ticket was closed more than 30 days ago. Open a new one and mention this one.")
TICKET_ANSWERED = owner_message(
    "Ticket #%(number)s already has replies. To close it, use svc_support_reply with close: true."
)
TOO_MANY_TICKETS = owner_message(
    "The limit is %(limit)s new tickets a day. Reply to an open ticket, or try again tomorrow."
)
MESSAGE_OR_CLOSE_NEEDED = owner_message("Enter a message, or set close to true.")
FILES_NEED_A_MESSAGE = owner_message("Enter a message that describes the files.")
UPLOAD_NOT_FOUND = owner_message("No upload has this ID. Upload the file again.")

# inbound email
EMAIL_HANDLED = owner_message("This email has already been handled.")
EMAIL_WITHOUT_SENDER = owner_message("This email has no sender to reply to.")
TOO_MANY_UNKNOWN_SENDERS = owner_message("More than %(limit)s emails from unknown senders in 24 hours")
