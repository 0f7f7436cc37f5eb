"""The account's own pages, pairing, and what anybody may read about the service."""

from __future__ import annotations

from django.urls import path

from workspace.interfaces.account_pages import (
    brand,
    closing,
    connect,
    keys,
    members,
    notices,
    pairing,
    person,
    profile,
    public,
    webhooks,
    welcome,
)

urlpatterns = [
    path("app/account", profile.profile, name="account"),
    path("app/account/brand", brand.brand, name="brand"),
    path("app/account/brand/preview", brand.preview, name="brand_preview"),
    path("app/welcome", welcome.welcome, name="welcome"),
    path("app/welcome/ready", welcome.ready, name="welcome_ready"),
    path("app/account/notices", notices.notices, name="notices"),
    path("app/account/webhooks", webhooks.webhooks, name="webhooks"),
    path("app/account/webhooks/<str:id>", webhooks.webhook, name="webhook"),
    path("app/account/webhooks/<str:id>/secret", webhooks.secret, name="webhook_secret"),
    path("app/account/webhooks/<str:id>/remove", webhooks.remove, name="webhook_remove"),
    path("app/account/webhooks/<str:id>/<str:act>", webhooks.act, name="webhook_act"),
    path("app/account/person", person.person, name="person"),
    path("app/account/person/file", person.download, name="person_download"),
    path("app/account/person/erase", person.erase, name="person_erase"),
    path("app/account/close", closing.close_account, name="close_account"),
    path("app/keys", keys.keys, name="keys"),
    path("app/keys/new", keys.new_key, name="new_key"),
    path("app/keys/<str:id>", keys.one_key, name="key"),
    path("app/keys/<str:id>/revoke", keys.revoke_key, name="revoke_key"),
    path("app/members", members.members, name="members"),
    path("app/members/invite", members.invite, name="invite"),
    path("app/members/<int:id>/remove", members.remove_member, name="remove_member"),
    path("app/members/invitations/<int:id>/withdraw", members.withdraw_invitation, name="withdraw_invitation"),
    path("app/connect", connect.connect, name="connect"),
    path("join/<str:token>", members.join, name="join"),
    path("account/closed", closing.account_closed, name="account_closed"),
    path("pair", pairing.pair, name="pair"),
    path("pair/start", pairing.start, name="pair_start"),
    path("pair/token", pairing.token, name="pair_token"),
    path("about", public.about, name="about"),
    path("privacy", public.privacy, name="privacy"),
]
