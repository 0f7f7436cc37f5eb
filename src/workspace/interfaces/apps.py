from django.apps import AppConfig


class InterfacesConfig(AppConfig):
    name = "workspace.interfaces"
    label = "interfaces"
