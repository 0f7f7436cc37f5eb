from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "workspace.accounts"
    label = "accounts"
