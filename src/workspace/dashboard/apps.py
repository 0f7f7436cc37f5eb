from django.apps import AppConfig


class DashboardConfig(AppConfig):
    name = "workspace.dashboard"
    label = "dashboard"
