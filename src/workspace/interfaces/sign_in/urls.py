"""URLs for signing up, in and out, and for second factors. The views are allauth's, under our paths."""

from __future__ import annotations

from allauth.account import views as account
from allauth.mfa.base import views as second_step
from allauth.mfa.recovery_codes import views as recovery
from allauth.mfa.totp import views as totp
from allauth.mfa.webauthn import views as passkeys
from allauth.usersessions import views as devices
from django.urls import path, re_path

from workspace.dashboard.session import require_sign_in
from workspace.interfaces.sign_in import email_sent_page, magic_link, mfa_step, sessions

urlpatterns = [
    re_path("^sign-up/?$", account.signup, name="account_signup"),
    re_path("^sign-in/?$", account.login, name="account_login"),
    re_path("^sign-out/?$", sessions.sign_out, name="account_logout"),
    path("sign-in/code", mfa_step.second_step, name="mfa_authenticate"),
    path("sign-in/passkey", passkeys.login_webauthn, name="mfa_login_webauthn"),
    path("sign-in/once/<str:token>", magic_link.sign_in_once, name="sign_in_once"),
    path("account/inactive", account.account_inactive, name="account_inactive"),
    # reauthentication before a sensitive action
    path("account/confirm", account.reauthenticate, name="account_reauthenticate"),
    path("account/confirm/code", second_step.reauthenticate, name="mfa_reauthenticate"),
    path("account/confirm/passkey", passkeys.reauthenticate_webauthn, name="mfa_reauthenticate_webauthn"),
    # email and password
    path("account/email", require_sign_in(account.email), name="account_email"),
    path("account/verify", email_sent_page.sent_page, name="account_email_verification_sent"),
    path("account/verify/again", email_sent_page.resend_email, name="verify_again"),
    re_path(r"^account/verify/(?P<key>[-:\w]+)$", account.confirm_email, name="account_confirm_email"),
    path("account/password", require_sign_in(account.password_change), name="account_change_password"),
    path("account/password/set", require_sign_in(account.password_set), name="account_set_password"),
    path("account/reset", account.password_reset, name="account_reset_password"),
    path("account/reset/sent", account.password_reset_done, name="account_reset_password_done"),
    path("account/reset/done", account.password_reset_from_key_done, name="account_reset_password_from_key_done"),
    re_path(
        r"^account/reset/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)$",
        account.password_reset_from_key,
        name="account_reset_password_from_key",
    ),
    # the second factor
    path("account/second-step", require_sign_in(second_step.index), name="mfa_index"),
    path("account/second-step/app", require_sign_in(totp.activate_totp), name="mfa_activate_totp"),
    path("account/second-step/app/off", require_sign_in(totp.deactivate_totp), name="mfa_deactivate_totp"),
    path("account/second-step/codes", require_sign_in(recovery.view_recovery_codes), name="mfa_view_recovery_codes"),
    path(
        "account/second-step/codes/new",
        require_sign_in(recovery.generate_recovery_codes),
        name="mfa_generate_recovery_codes",
    ),
    path(
        "account/second-step/codes/file",
        require_sign_in(recovery.download_recovery_codes),
        name="mfa_download_recovery_codes",
    ),
    path("account/passkeys", require_sign_in(passkeys.list_webauthn), name="mfa_list_webauthn"),
    path("account/passkeys/new", require_sign_in(passkeys.add_webauthn), name="mfa_add_webauthn"),
    path("account/passkeys/<int:pk>/name", require_sign_in(passkeys.edit_webauthn), name="mfa_edit_webauthn"),
    path("account/passkeys/<int:pk>/remove", require_sign_in(passkeys.remove_webauthn), name="mfa_remove_webauthn"),
    # devices
    path("account/sessions", require_sign_in(devices.list_usersessions), name="usersessions_list"),
    path("account/sessions/<int:id>/end", sessions.end_session, name="end_session"),
]
