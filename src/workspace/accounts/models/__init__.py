from workspace.accounts.models.account import Account, Membership
from workspace.accounts.models.api_key import ApiKey
from workspace.accounts.models.idempotent_call import IdempotentCall
from workspace.accounts.models.meter import Meter
from workspace.accounts.models.person import Person

__all__ = ["Account", "ApiKey", "IdempotentCall", "Membership", "Meter", "Person"]
