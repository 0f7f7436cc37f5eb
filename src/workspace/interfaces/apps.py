from django.apps import AppConfig


class InterfacesConfig(AppConfig):
    name = "workspace.interfaces"
    label = "interfaces"

    def ready(self) -> None:
        from workspace.interfaces.account_pages import navigation

        navigation.register()
