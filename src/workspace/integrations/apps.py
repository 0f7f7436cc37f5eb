"""App configuration of the integrations."""

from django.apps import AppConfig


class IntegrationsConfig(AppConfig):
    """The app that connects calendars, address books and webhooks with published items."""

    name = "workspace.integrations"
    label = "integrations"

    def ready(self) -> None:
        """Register the areas of tools for several products, and the source of contacts."""
        from workspace.accounts import permissions, product_scope
        from workspace.delivery import address_books
        from workspace.integrations.address_book_source import SOURCE

        # The manifests add the products that send events, use the owner's calendars or collect contacts.
        permissions.register_area(product_scope.WEBHOOKS)
        permissions.register_area(product_scope.CALENDARS)
        permissions.register_area(product_scope.CONTACTS)
        address_books.register_source(SOURCE)
