"""Django app configuration of the package storage."""

from django.apps import AppConfig


class StorageConfig(AppConfig):
    name = "workspace.storage"
    label = "storage"

    def ready(self) -> None:
        from workspace.storage.database.health_probe import database_probe
        from workspace.storage.files import store

        if store.is_remote():
            database_probe.add_detail("files", store.describe_outage)
