"""Tables of payments, refunds and provider connections."""

from workspace.payments.models.connection import Connection
from workspace.payments.models.event import ProviderEvent
from workspace.payments.models.payment import Payment, Refund

__all__ = ["Connection", "Payment", "ProviderEvent", "Refund"]
