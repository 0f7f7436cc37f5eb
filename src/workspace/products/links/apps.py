from django.apps import AppConfig


class LinksConfig(AppConfig):
    name = "workspace.products.links"
    label = "links"

    def ready(self) -> None:
        from workspace.accounts import demo as demos
        from workspace.products.links import demo, models, plan  # noqa: F401 - plan registers the limits
        from workspace.products.links.dashboard import navigation
        from workspace.publishing import live_blocks

        navigation.register()
        demos.register(demo.fill)
        live_blocks.listen(models.live_changed)
