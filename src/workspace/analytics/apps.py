"""Register the tasks of analytics."""

from django.apps import AppConfig


class AnalyticsConfig(AppConfig):
    """Deletes and merges what was counted."""

    name = "workspace.analytics"
    label = "analytics"

    def ready(self) -> None:
        """Schedule what the workers run."""
        from workspace.delivery.worker import every
        from workspace.publishing import housekeeping, rare_values

        every(housekeeping.HOUR, housekeeping.forget, name="analytics.delete_old_visits")
        every(housekeeping.DAY, housekeeping.forget_figures, name="analytics.delete_old_figures")
        every(housekeeping.DAY, rare_values.fold)
