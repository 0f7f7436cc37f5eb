from django.apps import AppConfig


class QrConfig(AppConfig):
    name = "workspace.products.qr"
    label = "qr"

    def ready(self) -> None:
        from workspace.products.qr import following, plan  # noqa: F401 - plan registers the limits
        from workspace.publishing import front_door

        front_door.fast("q", following.answer)
