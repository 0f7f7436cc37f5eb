from django.apps import AppConfig


class QrConfig(AppConfig):
    name = "workspace.products.qr"
    label = "qr"

    def ready(self) -> None:
        from workspace.accounts import demo as demos
        from workspace.products.qr import demo, following, plan  # noqa: F401 - plan registers the limits
        from workspace.products.qr.dashboard import navigation
        from workspace.publishing import front_door

        front_door.fast("q", following.answer)
        navigation.register()
        demos.register(demo.fill)
