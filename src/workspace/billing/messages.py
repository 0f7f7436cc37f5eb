"""Error messages that owners and API callers read."""

from __future__ import annotations

from workspace.lib.messages import owner_message

PLANS_NOT_SOLD = owner_message("You can’t buy plans here.")
PLAN_NOT_FOUND = owner_message("This plan doesn’t exist. Reload the page.")
CREDITS_NOT_SOLD = owner_message("You can’t buy credits here.")
QUANTITY_INVALID = owner_message("You can buy 1 to %(most)s credits at once.")
NOTHING_TO_CHANGE = owner_message("There is nothing to change.")
CHANGE_IN_PROGRESS = owner_message("Your plans are already being changed. Wait a moment, then reload the page.")
PLANS_CHANGED = owner_message("Your plans have changed. Reload the page and try again.")
CHANGED_IN_STRIPE = owner_message("This changed in Stripe. Reload the page to see the current state.")
NO_STRIPE_KEY = owner_message("No Stripe key is set up on this instance.")

ALREADY_INVITED = owner_message(
    "You’ve already invited these people. You can invite the same address again after 30 days."
)
DAILY_INVITATIONS = owner_message("You can send %(most)s invitations a day. You have %(left)s left today.")
