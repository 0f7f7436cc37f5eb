from django.apps import AppConfig


class PublicSiteConfig(AppConfig):
    name = "workspace.public_site"
    label = "public_site"

    def ready(self) -> None:
        from workspace.publishing import share_picture
        from workspace.storage import files

        files.keep(share_picture.PREFIX, share_picture.wanted)
