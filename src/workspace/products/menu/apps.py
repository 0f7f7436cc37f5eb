from django.apps import AppConfig


class MenuConfig(AppConfig):
    name = "workspace.products.menu"
    label = "menu"

    def ready(self) -> None:
        from workspace.accounts import demo as demos
        from workspace.products.menu import demo, plan, today  # noqa: F401 - plan registers the limits
        from workspace.products.menu.dashboard import navigation

        navigation.register()
        today.register()
        demos.register(demo.fill)
