from django.apps import AppConfig
from django.conf import settings


class StorageConfig(AppConfig):
    name = "workspace.storage"
    label = "storage"

    def ready(self) -> None:
        from workspace.storage import files
        from workspace.storage.pulse import pulse

        if settings.S3["BUCKET"]:
            pulse.also("files", files.bucket().in_a_line)
