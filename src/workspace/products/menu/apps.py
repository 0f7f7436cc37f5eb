from django.apps import AppConfig


class MenuConfig(AppConfig):
    name = "workspace.products.menu"
    label = "menu"

    def ready(self) -> None:
        from workspace.products.menu import plan  # noqa: F401 - it registers the limits
