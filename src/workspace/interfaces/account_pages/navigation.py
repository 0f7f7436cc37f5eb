"""The account's lines in the signed-in shell."""

from __future__ import annotations

from workspace.dashboard import navigation
from workspace.dashboard.navigation import NavItem


def register() -> None:
    navigation.register_account(NavItem("Account", "/app/account", "gear", 10))
    navigation.register_account(NavItem("API keys", "/app/keys", "key", 20))
    navigation.register_account(NavItem("Connect an agent", "/app/connect", "plug", 30))
    navigation.register_account(NavItem("Members", "/app/members", "person", 40))
