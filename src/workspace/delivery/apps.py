from django.apps import AppConfig


class DeliveryConfig(AppConfig):
    name = "workspace.delivery"
    label = "delivery"
