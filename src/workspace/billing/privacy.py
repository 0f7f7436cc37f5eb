"""What is kept of people here: to whom an owner has sent an invitation. All else is between the account and whoever
runs the installation."""

from __future__ import annotations

from workspace.accounts.privacy.data_subjects import PersonalTable
from workspace.billing.models import InviteMail

PERSONAL_DATA = (
    PersonalTable(
        model=InviteMail,
        noun="invitation sent",
        rows=lambda account: InviteMail.objects.filter(account=account),
        identity_columns=("email",),
        page_url=lambda row: "/app/invite",
    ),
)
