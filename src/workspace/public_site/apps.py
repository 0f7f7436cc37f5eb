"""Register the public site."""

from django.apps import AppConfig


class PublicSiteConfig(AppConfig):
    """Serves guests what accounts publish."""

    name = "workspace.public_site"
    label = "public_site"

    def ready(self) -> None:
        """Say which share images are still needed."""
        from workspace.public_site import share_preview
        from workspace.storage.files import store

        store.register_prefix(share_preview.KEY_PREFIX, share_preview.keys_in_use)
