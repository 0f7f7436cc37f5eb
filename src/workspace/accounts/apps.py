"""Django app configuration of the package accounts."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "workspace.accounts"
    label = "accounts"

    def ready(self) -> None:
        from workspace.accounts.models import Upload
        from workspace.accounts.privacy import account_data
        from workspace.accounts.takeout import account_table_registration, chunked_upload
        from workspace.storage.files import store
        from workspace.storage.files.image_limits import WIDTHS

        def existing_keys(keys: list[str]) -> set[str]:
            """Return the keys of existing uploads, including narrower widths of images (`WIDTH-UPLOAD`)."""
            uploads = {key: key.rpartition("-")[2] for key in keys}
            known = set(Upload.objects.filter(pk__in=uploads.values()).values_list("pk", flat=True))
            return {key for key, upload in uploads.items() if upload in known}

        for prefix in ("upl_", *(f"{width}-upl_" for width in WIDTHS)):
            store.register_prefix(prefix, existing_keys)
        store.register_prefix(chunked_upload.PREFIX, chunked_upload.existing_keys)
        account_data.register_account_data()
        account_table_registration.register_account_tables()
