"""Django app configuration of the package interfaces."""

from django.apps import AppConfig


class InterfacesConfig(AppConfig):
    name = "workspace.interfaces"
    label = "interfaces"

    def ready(self) -> None:
        from django.utils.translation import gettext, ngettext

        from workspace.delivery.outbox import worker
        from workspace.interfaces.account_pages import closure_views, navigation
        from workspace.interfaces.sign_in.session_cleanup import delete_expired_sessions
        from workspace.lib.messages import use_translator

        use_translator(lambda text, plural, number: ngettext(text, plural, number) if plural else gettext(text))
        navigation.register_account_pages()
        worker.every(3600, delete_expired_sessions, name="interfaces.delete_ended_sessions")
        worker.every(3600, closure_views.warn_owner)
        worker.every(3600, closure_views.erase_account)
