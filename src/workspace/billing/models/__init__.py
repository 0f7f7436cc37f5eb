"""Tables of subscriptions, purchases, grants and invite rewards."""

from workspace.billing.models.event import BillingEvent
from workspace.billing.models.invite import InviteMail, InviteMonth
from workspace.billing.models.plan import Invoice, PlanGrant, Subscription
from workspace.billing.models.purchase import Customer, Price, Purchase

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
