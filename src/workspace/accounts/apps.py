from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "workspace.accounts"
    label = "accounts"

    def ready(self) -> None:
        from workspace.accounts import pieces, traces
        from workspace.accounts.carrying import own
        from workspace.accounts.models import Upload
        from workspace.storage import files
        from workspace.storage.picture_sizes import WIDTHS

        def wanted(keys: list[str]) -> set[str]:
            """Of pictures at their narrower widths as well, which rest as `WIDTH-UPLOAD`."""
            uploads = {key: key.rpartition("-")[2] for key in keys}
            known = set(Upload.objects.filter(pk__in=uploads.values()).values_list("pk", flat=True))
            return {key for key, upload in uploads.items() if upload in known}

        for prefix in ("upl_", *(f"{width}-upl_" for width in WIDTHS)):
            files.keep(prefix, wanted)
        files.keep(pieces.PREFIX, pieces.known)
        traces.register_all()
        own.register()
