from django.apps import AppConfig


class CardConfig(AppConfig):
    name = "workspace.products.card"
    label = "card"

    def ready(self) -> None:
        from workspace.accounts import demo as demos
        from workspace.products.card import demo, plan  # noqa: F401 - plan registers the limits
        from workspace.products.card.dashboard import navigation

        navigation.register()
        demos.register(demo.fill)
