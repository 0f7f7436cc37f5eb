from django.apps import AppConfig


class StorageConfig(AppConfig):
    name = "workspace.storage"
    label = "storage"
