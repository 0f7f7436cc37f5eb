"""App configuration of the guest pages."""

from django.apps import AppConfig


class PublicSiteConfig(AppConfig):
    """The app that serves guest pages."""

    name = "workspace.public_site"
    label = "public_site"

    def ready(self) -> None:
        """Register the lookup of share preview images that are in use."""
        from workspace.public_site import share_preview
        from workspace.storage.files import store

        store.register_prefix(share_preview.KEY_PREFIX, share_preview.keys_in_use)
