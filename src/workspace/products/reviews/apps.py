from django.apps import AppConfig


class ReviewsConfig(AppConfig):
    name = "workspace.products.reviews"
    label = "reviews"

    def ready(self) -> None:
        from workspace.accounts import demo as demos
        from workspace.products.reviews import demo, live, plan  # noqa: F401 - plan registers the limits
        from workspace.products.reviews.dashboard import navigation

        navigation.register()
        demos.register(demo.fill)
        live.register()
