"""Django app configuration of the package dashboard."""

from django.apps import AppConfig


class DashboardConfig(AppConfig):
    name = "workspace.dashboard"
    label = "dashboard"

    def ready(self) -> None:
        from workspace.accounts.takeout.tables import register_tables
        from workspace.dashboard import navigation
        from workspace.dashboard.takeout import TAKEOUT_TABLES

        navigation.register_page(
            navigation.SearchablePage("At the door", "/app/check-in", "check in arrive guests who is it")
        )
        navigation.register_account_item(navigation.NavItem("Bin", "/app/bin", "bin", 90))
        register_tables(*TAKEOUT_TABLES)
