from django.apps import AppConfig


class ReviewsConfig(AppConfig):
    name = "workspace.products.reviews"
    label = "reviews"

    def ready(self) -> None:
        from workspace.accounts import demo as demos

        # plan registers the limits, leaving the news
        from workspace.products.reviews import demo, leaving, live, plan  # noqa: F401
        from workspace.products.reviews.dashboard import navigation

        navigation.register()
        demos.register(demo.fill)
        live.register()
