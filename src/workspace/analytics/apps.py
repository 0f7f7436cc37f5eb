"""Django app configuration of analytics, which registers its tasks."""

from django.apps import AppConfig


class AnalyticsConfig(AppConfig):
    """The Django app, which schedules the deletion and merging of counters."""

    name = "workspace.analytics"
    label = "analytics"

    def ready(self) -> None:
        """Schedule the tasks of the workers."""
        from workspace.analytics import rare_value_rollup, retention
        from workspace.delivery.outbox.worker import every

        every(retention.HOUR, retention.delete_expired, name="analytics.delete_old_visits")
        every(retention.DAY, retention.delete_expired_counters, name="analytics.delete_old_figures")
        every(retention.DAY, rare_value_rollup.merge_rare_values)
