"""Tables of subscriptions, purchases, grants and invite rewards."""

from workspace.billing.models.billing_event import BillingEvent
from workspace.billing.models.invite import InviteMail, InviteMonth
from workspace.billing.models.purchase import Customer, Price, Purchase
from workspace.billing.models.subscription import Invoice, PlanGrant, Subscription

__all__ = [
    "BillingEvent",
    "Customer",
    "InviteMail",
    "InviteMonth",
    "Invoice",
    "PlanGrant",
    "Price",
    "Purchase",
    "Subscription",
]
