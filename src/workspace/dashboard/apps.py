from django.apps import AppConfig


class DashboardConfig(AppConfig):
    name = "workspace.dashboard"
    label = "dashboard"

    def ready(self) -> None:
        from workspace.dashboard import navigation

        navigation.register_account(navigation.NavItem("Bin", "/app/bin", "bin", 90))
