from django.apps import AppConfig


class LinksConfig(AppConfig):
    name = "workspace.products.links"
    label = "links"

    def ready(self) -> None:
        from workspace.products.links import models, plan  # noqa: F401 - plan registers the limits
        from workspace.publishing import live_blocks

        live_blocks.listen(models.live_changed)
