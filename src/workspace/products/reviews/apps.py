from django.apps import AppConfig


class ReviewsConfig(AppConfig):
    name = "workspace.products.reviews"
    label = "reviews"

    def ready(self) -> None:
        from workspace.products.reviews import plan  # noqa: F401 - it registers the limits
