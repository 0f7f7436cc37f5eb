"""Tables of payments, refunds and provider connections."""

from workspace.payments.models.connection import Connection
from workspace.payments.models.payment import Payment, Refund
from workspace.payments.models.provider_event import ProviderEvent

__all__ = ["Connection", "Payment", "ProviderEvent", "Refund"]
