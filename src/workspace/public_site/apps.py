"""Register the public site."""

from django.apps import AppConfig


class PublicSiteConfig(AppConfig):
    """Serves guests what accounts publish."""

    name = "workspace.public_site"
    label = "public_site"

    def ready(self) -> None:
        """Say which share images are still needed."""
        from workspace.publishing import share_picture
        from workspace.storage import files

        files.keep(share_picture.PREFIX, share_picture.wanted)
