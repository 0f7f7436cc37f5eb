"""The account's lines in the signed-in shell."""

from __future__ import annotations

from workspace.accounts.models import Account, OAuthAccessToken
from workspace.dashboard import navigation
from workspace.dashboard.navigation import NavItem, Step


def register() -> None:
    navigation.register_account(NavItem("Account", "/app/account", "gear", 10))
    navigation.register_account(NavItem("Brand", "/app/account/brand", "spark", 15))
    navigation.register_account(NavItem("API keys", "/app/keys", "key", 20))
    navigation.register_account(NavItem("Connect an agent", "/app/connect", "plug", 30))
    navigation.register_account(NavItem("Connections", "/app/connections", "plug", 35))
    navigation.register_account(NavItem("Members", "/app/members", "person", 40))
    navigation.register_step(Step("Give your business its look", "/app/welcome", 1, done=_has_begun))
    navigation.register_step(Step("Connect an agent", "/app/connect", 20, done=_is_connected))


def _has_begun(account: Account) -> bool:
    return account.publications.exists()


def _is_connected(account: Account) -> bool:
    return OAuthAccessToken.objects.filter(account=account).exists()
