"""Django app configuration of the package rate_limits."""

from django.apps import AppConfig


class RateLimitsConfig(AppConfig):
    """The app that counts attempts and calls."""

    name = "workspace.rate_limits"
    label = "rate_limits"
