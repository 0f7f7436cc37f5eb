"""Tables of counted attempts and calls."""

from workspace.rate_limits.models.call_quota import CallQuota
from workspace.rate_limits.models.rate_counter import RateCounter

__all__ = ["CallQuota", "RateCounter"]
