"""Error messages about Stripe, which owners read. Guests get different ones."""

from __future__ import annotations

from workspace.lib.messages import owner_message

UNAVAILABLE = owner_message("Stripe isn’t responding. Try again in a minute.")
REQUEST_IN_PROGRESS = owner_message("Stripe is still processing the same request. Try again in a few seconds.")
TOO_MANY_REQUESTS = owner_message("Stripe is receiving too many requests. Try again in a minute.")
KEY_INVALID = owner_message("This Stripe key is invalid or was revoked. Create a new key in Stripe.")
PERMISSION_MISSING = owner_message("This Stripe key doesn’t have the permission for this. Add it in Stripe.")
PAYMENT_NOT_FOUND = owner_message("Stripe can’t find this payment. It may belong to another Stripe account.")
REQUEST_REJECTED = owner_message("Stripe rejected the request (%(status)s). Check it in your Stripe dashboard.")
NO_PAGE_ADDRESS = owner_message("Stripe returned no payment page. Try again in a minute.")

CURRENCY_NOT_SUPPORTED = owner_message("Stripe doesn’t support payments in %(currency)s.")
AMOUNT_TOO_PRECISE = owner_message("Stripe can’t charge this exact amount in %(currency)s. Round it.")
AMOUNT_OUT_OF_RANGE = owner_message("Stripe can’t charge this amount. Use a smaller amount above 0.")

SECRET_KIND_INVALID = owner_message(
    "A Stripe signing secret starts with whsec_. Copy it from the webhook in your Stripe dashboard."
)
KEY_KIND_INVALID = owner_message("A Stripe secret key starts with sk_ or rk_. Publishable keys (pk_) don’t work here.")
PERMISSIONS_MISSING = owner_message("This key is missing permissions. Add these in Stripe: %(permissions)s.")
