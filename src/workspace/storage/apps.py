from django.apps import AppConfig
from django.conf import settings


class StorageConfig(AppConfig):
    name = "workspace.storage"
    label = "storage"

    def ready(self) -> None:
        from workspace.storage.database.health_probe import pulse
        from workspace.storage.files import store

        if settings.S3["BUCKET"]:
            pulse.also("files", store.bucket().in_a_line)
