"""Register the integrations."""

from django.apps import AppConfig


class IntegrationsConfig(AppConfig):
    """Connects calendars, address books and webhooks with what is published."""

    name = "workspace.integrations"
    label = "integrations"

    def ready(self) -> None:
        """Register the tools that several products share, and the source of contacts."""
        from workspace.accounts import permissions, tool_scope
        from workspace.delivery import contacts
        from workspace.integrations.address_book_source import SOURCE

        # with the products that push events, whose times are the owner's, with which people leave themselves
        permissions.register_area(tool_scope.WEBHOOKS)
        permissions.register_area(tool_scope.CALENDARS)
        permissions.register_area(tool_scope.CONTACTS)
        contacts.register_source(SOURCE)
