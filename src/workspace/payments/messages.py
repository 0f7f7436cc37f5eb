"""Error messages about payments that owners and API callers read. Guests get different ones."""

from __future__ import annotations

from workspace.lib.messages import owner_message

PAYMENT_NOT_FOUND = owner_message("No payment has this ID. Find IDs with svc_payments_list.")
NOT_CONNECTED = owner_message("Online payments aren’t set up. Connect %(providers)s under Account, Payments.")
AMOUNT_NOT_CHARGEABLE = owner_message("This amount can’t be paid online. Change the amount.")
PAYMENT_PENDING = owner_message("A payment is already being processed. Bank payments can take a few days.")
ALREADY_PAID = owner_message("This is already paid.")
NO_LONGER_PAYABLE = owner_message("This payment has expired. Start a new one.")
NOT_PAID = owner_message("Only completed payments can be refunded.")
REFUND_TOO_HIGH = owner_message("This is more than the refundable amount. Enter a smaller amount.")
FULLY_REFUNDED = owner_message("This payment has already been fully refunded.")
REFUND_WITH_OTHER_KEY = owner_message("This payment was made with a different key. Refund it in %(provider)s.")
REFUND_NOT_EXACT = owner_message("This exact amount can’t be refunded. Round it.")
REFUND_IS_FINAL = owner_message("A refund can’t be undone")
DIFFERENT_AMOUNT = owner_message("The amount paid differs from the amount requested. Check it in %(provider)s.")
REFUND_NOT_SENT = owner_message(
    "This refund wasn’t sent before the account was exported. Check it at your payment provider."
)

INVALID_KEY = owner_message("That isn’t a %(provider)s key. Copy it again from %(provider)s.")
INVALID_SIGNING_SECRET = owner_message("That isn’t a signing secret. Copy it again from %(provider)s.")
NO_PUBLIC_ADDRESS = owner_message("Events can’t reach this server, because it has no public address")
WEBHOOK_PERMISSION_MISSING = owner_message("The key doesn’t have permission to set up webhooks")
