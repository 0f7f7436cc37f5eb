"""Personal data in billing: addresses that an owner sent invitations to.

All other data is about the account and the administrator.
"""

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
