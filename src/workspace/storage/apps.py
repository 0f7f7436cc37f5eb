"""Django app configuration of the package storage."""

from django.apps import AppConfig
from django.conf import settings


class StorageConfig(AppConfig):
    name = "workspace.storage"
    label = "storage"

    def ready(self) -> None:
        from workspace.storage.database.health_probe import database_probe
        from workspace.storage.files import store

        if settings.S3["BUCKET"]:
            database_probe.add_detail("files", store.s3_backend().describe_outage)
