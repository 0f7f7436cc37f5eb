"""Django app configuration of the package documents."""

from django.apps import AppConfig


class DocumentsConfig(AppConfig):
    name = "workspace.documents"
    label = "documents"

    def ready(self) -> None:
        from django.db.models import Value

        from workspace.documents import signing_keys
        from workspace.documents.models import SealKey
        from workspace.storage.encryption import register_encrypted_columns

        register_encrypted_columns(
            SealKey,
            owner_lookup=Value(signing_keys.NO_OWNER),
            skip_undecryptable=True,
            private_key=signing_keys.PURPOSE,
        )
