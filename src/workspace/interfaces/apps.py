from django.apps import AppConfig


class InterfacesConfig(AppConfig):
    name = "workspace.interfaces"
    label = "interfaces"

    def ready(self) -> None:
        from workspace.delivery import worker
        from workspace.interfaces.account_pages import closing, navigation
        from workspace.interfaces.sign_in.housekeeping import forget_sessions

        navigation.register()
        worker.every(3600, forget_sessions, name="interfaces.delete_ended_sessions")
        worker.every(3600, closing.warn_of_end)
        worker.every(3600, closing.erase_due)
