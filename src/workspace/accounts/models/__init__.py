"""Tables of accounts, members, keys, plans, changes and invites."""

from workspace.accounts.models.account import Account, Membership
from workspace.accounts.models.api_key import ApiKey
from workspace.accounts.models.change import Change
from workspace.accounts.models.credit_entry import CreditEntry
from workspace.accounts.models.device_authorization import DeviceAuthorization
from workspace.accounts.models.idempotent_call import IdempotentCall
from workspace.accounts.models.invite_pair import InvitePair
from workspace.accounts.models.member_invitation import MemberInvitation
from workspace.accounts.models.oauth import (
    ConnectionChoice,
    OAuthAccessToken,
    OAuthClient,
    OAuthGrant,
    OAuthRefreshToken,
)
from workspace.accounts.models.person import Person
from workspace.accounts.models.upload import Upload

__all__ = [
    "Account",
    "ApiKey",
    "Change",
    "ConnectionChoice",
    "CreditEntry",
    "DeviceAuthorization",
    "IdempotentCall",
    "InvitePair",
    "MemberInvitation",
    "Membership",
    "OAuthAccessToken",
    "OAuthClient",
    "OAuthGrant",
    "OAuthRefreshToken",
    "Person",
    "Upload",
]
