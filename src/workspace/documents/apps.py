from django.apps import AppConfig


class DocumentsConfig(AppConfig):
    name = "workspace.documents"
    label = "documents"

    def ready(self) -> None:
        from django.db.models import Value

        from workspace.documents import keys
        from workspace.documents.models import SealKey
        from workspace.storage.secrets import sealed_in

        sealed_in(SealKey, of=Value(keys.NOBODY), passes_over=True, private_key=keys.PURPOSE)
