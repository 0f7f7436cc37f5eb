"""Signing up, in and out, and what guards a sign-in. The pages are allauth's under addresses of ours."""

from __future__ import annotations

from allauth.account import views as account
from django.urls import include, path, re_path

from workspace.interfaces.sign_in import once, sessions

urlpatterns = [
    re_path("^sign-up/?$", account.signup, name="account_signup"),
    re_path("^sign-in/?$", account.login, name="account_login"),
    re_path("^sign-out/?$", account.logout, name="account_logout"),
    path("sign-in/once/<str:token>", once.sign_in_once, name="sign_in_once"),
    path("account/inactive/", account.account_inactive, name="account_inactive"),
    path("account/confirm/", account.reauthenticate, name="account_reauthenticate"),
    path("account/email/", account.email, name="account_email"),
    path("account/verify/", account.email_verification_sent, name="account_email_verification_sent"),
    re_path(r"^account/verify/(?P<key>[-:\w]+)/$", account.confirm_email, name="account_confirm_email"),
    path("account/password/", account.password_change, name="account_change_password"),
    path("account/password/set/", account.password_set, name="account_set_password"),
    path("account/reset/", account.password_reset, name="account_reset_password"),
    path("account/reset/sent/", account.password_reset_done, name="account_reset_password_done"),
    path("account/reset/done/", account.password_reset_from_key_done, name="account_reset_password_from_key_done"),
    re_path(
        r"^account/reset/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$",
        account.password_reset_from_key,
        name="account_reset_password_from_key",
    ),
    path("account/second-step/", include("allauth.mfa.urls")),
    path("account/sessions/", include("allauth.usersessions.urls")),
    path("account/sessions/<int:id>/end", sessions.end_session, name="end_session"),
]
