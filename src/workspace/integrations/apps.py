"""Register the integrations."""

from django.apps import AppConfig


class IntegrationsConfig(AppConfig):
    """Connects calendars, address books and webhooks with what is published."""

    name = "workspace.integrations"
    label = "integrations"

    def ready(self) -> None:
        """Register the tools that several products share, and the source of contacts."""
        from workspace.accounts import choice, roles
        from workspace.delivery import contacts
        from workspace.publishing.address_book_source import SOURCE

        # with the products that push events, whose times are the owner's, with which people leave themselves
        roles.go_along(choice.WEBHOOKS)
        roles.go_along(choice.CALENDARS)
        roles.go_along(choice.CONTACTS)
        contacts.register(SOURCE)
