"""Django app configuration of the package dashboard."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy


class DashboardConfig(AppConfig):
    name = "workspace.dashboard"
    label = "dashboard"

    def ready(self) -> None:
        from workspace.accounts.takeout.tables import register_tables
        from workspace.dashboard import navigation
        from workspace.dashboard.takeout import TAKEOUT_TABLES

        navigation.register_page(
            navigation.SearchablePage(
                gettext_lazy("Check-in"),
                "/app/check-in",
                "checkin check in arrive arrival attendance attended guests door entrance",
            )
        )
        navigation.register_account_item(navigation.NavItem(gettext_lazy("Bin"), "/app/bin", "bin", 90))
        register_tables(*TAKEOUT_TABLES)
