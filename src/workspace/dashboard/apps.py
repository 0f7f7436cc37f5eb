from django.apps import AppConfig


class DashboardConfig(AppConfig):
    name = "workspace.dashboard"
    label = "dashboard"

    def ready(self) -> None:
        from workspace.accounts.takeout.tables import carry
        from workspace.dashboard import navigation
        from workspace.dashboard.takeout import CARRIED

        navigation.register_page(navigation.Place("At the door", "/app/door", "check in arrive guests who is it"))
        navigation.register_account(navigation.NavItem("Bin", "/app/bin", "bin", 90))
        carry(*CARRIED)
