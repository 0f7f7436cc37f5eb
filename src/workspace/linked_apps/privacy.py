"""Personal data of linked apps: the name of an account at an app."""

from __future__ import annotations

from workspace.accounts.privacy.data_subjects import PersonalTable
from workspace.linked_apps.caller_apps import PAGE_PATH
from workspace.linked_apps.models import LinkedApp

PERSONAL_DATA = (
    PersonalTable(
        model=LinkedApp,
        noun="linked app connection",
        rows=lambda account: LinkedApp.objects.filter(account=account),
        page_url=lambda row: PAGE_PATH,
    ),
)
