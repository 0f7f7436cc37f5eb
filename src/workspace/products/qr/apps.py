from django.apps import AppConfig


class QrConfig(AppConfig):
    name = "workspace.products.qr"
    label = "qr"

    def ready(self) -> None:
        from workspace.products.qr import plan  # noqa: F401 - registers the product's limits
