from django.apps import AppConfig


class DocumentsConfig(AppConfig):
    name = "workspace.documents"
    label = "documents"

    def ready(self) -> None:
        from workspace.documents import keys
        from workspace.storage.secrets import on_rotation

        on_rotation(keys.renew_all)
