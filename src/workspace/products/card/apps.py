from django.apps import AppConfig


class CardConfig(AppConfig):
    name = "workspace.products.card"
    label = "card"

    def ready(self) -> None:
        from workspace.products.card import plan  # noqa: F401 - it registers the limits
        from workspace.products.card.dashboard import navigation

        navigation.register()
